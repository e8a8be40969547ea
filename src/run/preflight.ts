import { CaseSkipped } from '../check/case-skipped.ts';
import type { SendOptions } from '../check/context.ts';
import { bearer } from '../check/credentials.ts';
import { createPetWithBody, getPet, listOrders, listPets } from '../check/requests.ts';
import type { KeyWindow } from '../check/run-context.ts';
import type { CheckName } from '../finding/check-name.ts';
import { type Breach, type Finding, isBreach } from '../finding/finding.ts';
import type { Expectation, Probe } from '../finding/probe.ts';
import type { RunEnd } from '../finding/reason.ts';
import type { TransportFailure } from '../http/exchange.ts';
import { type ParsedResponse, serverTime } from '../http/parsed-response.ts';
import type { JsonObject } from '../json/json.ts';
import { type Plan, planShowing } from '../openapi/plans.ts';
import { isWhole } from '../oracle/paging.ts';
import { listedPets } from '../oracle/pet.ts';
import { whyKeyUnusable, whyUntestable } from '../oracle/untestable.ts';
import { limitState, longerThanMinute } from '../rate-limit/limit-state.ts';
import type { Attempt, ExchangePipeline } from './exchange-pipeline.ts';

/** What the first requests to the target show. */
export type Preflight =
  | { readonly kind: 'refused'; readonly end: RunEnd }
  /** Connections were accepted, and no response came: that is a breach already (GEN-4). */
  | { readonly kind: 'silent'; readonly breaches: readonly Breach[]; readonly failure: TransportFailure }
  | {
      readonly kind: 'judgeable';
      readonly listed: readonly JsonObject[];
      /** The list shows every animal of the store. */
      readonly listedWhole: boolean;
      /** The evidence of the first exchanges. */
      readonly findings: readonly Finding[];
      /** The plan that the headers show; null: they show none. */
      readonly plan: Plan | null;
      /** Every list was 404: perhaps the API is not at this address. */
      readonly allNotFound: boolean;
    };

const served = (requirement: string): Expectation => ({
  requirement,
  statuses: [200],
  because: 'the key is valid and so is the query',
});

interface Options {
  readonly readOnly: boolean;
  readonly largestPage: number;
  /** The longest wait for a rate limit, in milliseconds. */
  readonly longestWaitMs: number;
}

/**
 * Finds out whether the target can be tested, and which animals it lists. Sends two requests. Sends one for each operation if the first
 * gets no response, or a response that may not come from the API.
 */
export const probeTarget = async (
  pipeline: Pick<ExchangePipeline, 'send'>,
  { readOnly, largestPage, longestWaitMs }: Options,
): Promise<Preflight> => {
  const attempt = newAttempt();
  const probes = [
    listPets({ expects: [served('LIST-1')] }),
    listOrders(),
    getPet('1'),
    ...(readOnly ? [] : [createPetWithBody('{}', { inputSpace: 'undocumented', label: 'an empty object' })]),
  ];
  const responses = await sendUntilUsable(pipeline, probes, attempt, (responses) =>
    whyUntestable(responses, longestWaitMs),
  );
  if (responses.kind !== 'usable') return responses;
  const [plain = null] = responses.responses;
  const isTesting = plain?.status !== 429;
  const full = isTesting
    ? await responseTo(
        pipeline,
        listPets({ limit: largestPage, expects: [served('LIST-1'), served('LIST-4')] }),
        // Another check name: it may get a response although the first request timed out.
        { ...attempt, check: { ...firstLook, id: 'preflight-page', title: 'first look at a page' } },
      )
    : null;
  const listed = [full, plain].map((response) => (response === null ? null : listedPets(response)));
  return {
    kind: 'judgeable',
    listed: listed.find((pets) => pets !== null) ?? [],
    listedWhole: full !== null && isWhole(full, largestPage),
    plan: plain === null ? null : planOf(plain),
    allNotFound: [plain, full].every((response) => response?.status === 404),
    findings: attempt.findings,
  };
};

/** After this many operations that reject the key, all are assumed to reject it. */
const mostRefusals = 12;

/** Finds out whether a server of another API can be tested at all: one response that does not refuse the key is enough. */
export const probeOtherApi = async (
  pipeline: Pick<ExchangePipeline, 'send'>,
  probes: readonly Probe[],
  { longestWaitMs, flags }: Pick<Options, 'longestWaitMs'> & { readonly flags: readonly string[] },
): Promise<Preflight> => {
  const attempt = newAttempt();
  const responses = await sendUntilUsable(pipeline, probes.slice(0, mostRefusals), attempt, (responses) =>
    whyKeyUnusable(responses, longestWaitMs),
  );
  if (responses.kind === 'refused') return { kind: 'refused', end: ofOtherApi(responses.end, flags) };
  if (responses.kind !== 'usable') return responses;
  const { findings } = attempt;
  return { kind: 'judgeable', listed: [], listedWhole: false, plan: null, allNotFound: false, findings };
};

/** Another API need not take the key as a bearer token. */
const ofOtherApi = (end: RunEnd, flags: readonly string[]): RunEnd =>
  end.detail === 'key-refused' || end.detail === 'basic-authentication'
    ? { detail: 'other-api-refuses', statuses: end.statuses, flags }
    : end;

/**
 * The window of the rate-limit key, for the estimate. Null: its first response shows none of a minute or less. A Reset on a whole minute may
 * be that of a minute which is nearly over.
 */
export const probeRateLimitKey = async (
  pipeline: Pick<ExchangePipeline, 'send'>,
): Promise<{ readonly window: KeyWindow | null; readonly findings: readonly Finding[] }> => {
  const attempt = newAttempt();
  const probe = listPets({ limit: 1, credential: bearer('rate-limit') });
  const response = await responseTo(pipeline, probe, attempt, { expects429: true });
  const state = response === null ? null : limitState(response);
  const seconds = state?.untilReset ?? longerThanMinute;
  if (state === null || seconds >= longerThanMinute) return { window: null, findings: attempt.findings };
  const isMinute = planShowing(state.limit, false) !== null || state.reset % 60 === 0;
  const window = { limit: state.limit, seconds: isMinute ? 60 : Math.max(1, seconds) };
  return { window, findings: attempt.findings };
};

/** The name of the preflight, which has no requirement. */
const firstLook: CheckName = { id: 'preflight', title: 'first look', requirement: '' };

const newAttempt = (): Attempt => ({ check: firstLook, findings: [], sent: [], exchanges: 0, lostTo: null });

type Responses =
  | Extract<Preflight, { kind: 'refused' | 'silent' }>
  /** One for each request that was sent, in this order; null: no response. */
  | { readonly kind: 'usable'; readonly responses: readonly (ParsedResponse | null)[] };

/** Sends one request after another until a response shows that the server can be tested. */
const sendUntilUsable = async (
  pipeline: Pick<ExchangePipeline, 'send'>,
  probes: readonly Probe[],
  attempt: Attempt,
  whyUnusable: (responses: readonly ParsedResponse[]) => RunEnd | null,
): Promise<Responses> => {
  const { findings } = attempt;
  const responses: (ParsedResponse | null)[] = [];
  const received = () => responses.filter((response) => response !== null);
  for (const probe of probes) {
    responses.push(await responseTo(pipeline, probe, attempt));
    if (received().length > 0 && whyUnusable(received()) === null) return { kind: 'usable', responses };
  }
  const end = whyUnusable(received());
  // A server that is known to return 429 after each wait, although requests remain, is not unusable: it is wrong (RATE-8).
  if (end?.detail === 'always-limited' && findings.some(isBreach)) return { kind: 'usable', responses };
  if (end !== null) return { kind: 'refused', end };
  const silences = findings.filter(isBreach);
  const failure = silences.map(({ exchange }) => exchange.failure).find(isSilence);
  return failure === undefined
    ? { kind: 'usable', responses }
    : { kind: 'silent', breaches: silences, failure };
};

/** The response; the last 429, if the client gave up after it; null: none came. */
const responseTo = async (
  pipeline: Pick<ExchangePipeline, 'send'>,
  probe: Probe,
  attempt: Attempt,
  options: SendOptions = {},
): Promise<ParsedResponse | null> => {
  try {
    return await pipeline.send(probe, attempt, options);
  } catch (error) {
    if (error instanceof CaseSkipped) return error.response429;
    throw error;
  }
};

/** A connection was made: it was neither refused nor unreachable. */
const isSilence = (failure: TransportFailure | null): failure is TransportFailure =>
  failure !== null && ['reset', 'timeout', 'malformed'].includes(failure.kind);

/** A limit of 1,000 is Free's day or Business's minute: the distance of the reset shows which. */
const planOf = (response: ParsedResponse): Plan | null => {
  const limit = Number(response.header('x-ratelimit-limit')[0]);
  const [ofMinute, ofDay] = [planShowing(limit, false), planShowing(limit, true)];
  if (ofMinute === null || ofDay === null) return ofMinute ?? ofDay;
  const reset = Number(response.header('x-ratelimit-reset')[0]);
  const now = serverTime(response);
  if (now === null || Number.isNaN(reset)) return null;
  return reset - now / 1000 > 90 ? ofDay : ofMinute;
};
