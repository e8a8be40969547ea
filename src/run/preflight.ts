import type { TransportFailure } from '../client/exchange.ts';
import type { Plan } from '../document/plans.ts';
import { planShowing } from '../document/plans.ts';
import type { JsonObject } from '../json/json.ts';
import { type Breach, type Finding, isBreach } from '../oracle/finding.ts';
import { listedPets } from '../oracle/pet.ts';
import type { Expectation, Probe } from '../oracle/probe.ts';
import { type Reading, serverTime } from '../oracle/reading.ts';
import { createPet, getPet, listOrders, listPets } from './probes.ts';
import { type Attempt, CaseEnded, type Session } from './session.ts';

/** What the first look at the target tells. */
export type Preflight =
  | { readonly kind: 'refused'; readonly reason: string }
  /** A connection was made, and nothing came of it: that is a breach already (GEN-4). */
  | { readonly kind: 'silent'; readonly breaches: readonly Breach[] }
  | {
      readonly kind: 'judgeable';
      readonly listed: readonly JsonObject[];
      /** What the first exchanges are evidence of. */
      readonly findings: readonly Finding[];
      /** The plan that the headers speak of; null: they do not tell. */
      readonly plan: Plan | null;
      /** Every listing was answered with 404: perhaps no such API is there. */
      readonly isAbsent: boolean;
    };

const refusal: readonly number[] = [401, 403];

const served = (requirement: string): Expectation => ({
  requirement,
  statuses: [200],
  because: 'the key is valid and so is the query',
});

/** Looks whether the target can be judged at all, and what it holds. Sends two requests, or one an operation where the key is refused. */
export const lookAround = async (
  session: Session,
  { readOnly, largestPage }: { readonly readOnly: boolean; readonly largestPage: number },
): Promise<Preflight> => {
  const attempt: Attempt = { check: 'first look', findings: [], sent: [], exchanges: 0, lostTo: null };
  const ask = (probe: Probe) => answerTo(session, probe, attempt);
  const plain = await ask(listPets({ expects: [served('LIST-1')] }));
  const silences = attempt.findings.filter(isBreach);
  if (plain === null && silences.some(({ exchange }) => isSilence(exchange.failure))) {
    return { kind: 'silent', breaches: silences };
  }
  if (plain !== null && refusal.includes(plain.status)) {
    const others = [
      listOrders(),
      getPet('1'),
      ...(readOnly ? [] : [createPet('{}', { space: 'outside', label: 'an empty object' })]),
    ];
    const answers: (Reading | null)[] = [];
    for (const probe of others) answers.push(await ask(probe));
    if (answers.every((answer) => answer === null || refusal.includes(answer.status))) {
      return { kind: 'refused', reason: `every operation refuses the key with ${plain.status}` };
    }
  }
  const full =
    plain === null
      ? null
      : await ask(listPets({ limit: largestPage, expects: [served('LIST-1'), served('LIST-4')] }));
  const listed = [full, plain].map((reading) => (reading === null ? null : listedPets(reading)));
  return {
    kind: 'judgeable',
    listed: listed.find((pets) => pets !== null) ?? [],
    plan: plain === null ? null : planOf(plain),
    isAbsent: [plain, full].every((reading) => reading?.status === 404),
    findings: attempt.findings,
  };
};

/** So many operations may refuse the key before it is taken for refused by all. */
const mostRefusals = 12;

/** Looks whether a server of another API can be judged at all: one answer that does not refuse the key will do. */
export const lookAtOther = async (session: Session, probes: readonly Probe[]): Promise<Preflight> => {
  const attempt: Attempt = { check: 'first look', findings: [], sent: [], exchanges: 0, lostTo: null };
  const { findings } = attempt;
  const judgeable: Preflight = { kind: 'judgeable', listed: [], plan: null, isAbsent: false, findings };
  let refused: number | null = null;
  for (const probe of probes.slice(0, mostRefusals)) {
    const reading = await answerTo(session, probe, attempt);
    const silences = attempt.findings.filter(isBreach);
    if (reading === null && silences.some(({ exchange }) => isSilence(exchange.failure)))
      return { kind: 'silent', breaches: silences };
    if (reading === null) return judgeable;
    if (!refusal.includes(reading.status)) return judgeable;
    refused ??= reading.status;
  }
  if (refused === null) return judgeable;
  return { kind: 'refused', reason: `every operation refuses the key with ${refused}` };
};

/** Null where no answer came. */
const answerTo = async (session: Session, probe: Probe, attempt: Attempt): Promise<Reading | null> => {
  try {
    return await session.send(probe, attempt);
  } catch (error) {
    if (error instanceof CaseEnded) return null;
    throw error;
  }
};

/** The connection stood, unlike one that is refused or leads nowhere. */
const isSilence = (failure: TransportFailure | null): boolean =>
  failure !== null && ['reset', 'timeout', 'malformed'].includes(failure.kind);

/** A limit of 1,000 is Free's day or Business's minute: how far off the reset is tells which. */
const planOf = (reading: Reading): Plan | null => {
  const limit = Number(reading.header('x-ratelimit-limit')[0]);
  const [ofMinute, ofDay] = [planShowing(limit, false), planShowing(limit, true)];
  if (ofMinute === null || ofDay === null) return ofMinute ?? ofDay;
  const reset = Number(reading.header('x-ratelimit-reset')[0]);
  const now = serverTime(reading);
  if (now === null || Number.isNaN(reset)) return null;
  return reset - now / 1000 > 90 ? ofDay : ofMinute;
};
