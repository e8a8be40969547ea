import { checkName } from '../../finding/check-name.ts';
import { describe } from '../../finding/describe.ts';
import type { Breach } from '../../finding/finding.ts';
import { causeOf, likenessOf, type Problem, wrongParts } from '../../finding/problem.ts';
import { reasonText } from '../../finding/reason.ts';
import { reported } from '../../finding/reported.ts';
import { connectionText, silenceText } from '../../finding/words/connection.ts';
import { othersUse } from '../../finding/words/keys.ts';
import { aboutInWords, inWords } from '../../finding/words/requests.ts';
import type { Exchange, KeySlot } from '../../http/exchange.ts';
import type { Redact, Redactors } from '../../http/redact.ts';
import { showRequest, showResponse } from '../../http/request-view.ts';
import { excerpt } from '../../json/excerpt.ts';
import type {
  Crash,
  FoundFailure,
  FoundOutcome,
  FoundResult,
  Passed,
  ReportContext,
} from '../../run/found-outcome.ts';
import type {
  Culprit,
  Observation,
  Outcome,
  RequirementResult,
  ServerFailure,
  Step,
} from '../../run/outcome.ts';
import { bugTexts } from './bugs.ts';
import { bodyForFile, curlFor } from './curl.ts';
import { mostSimilar } from './most-similar.ts';
import { withExceptions } from './other-exceptions.ts';
import { waitText } from './pacing.ts';
import { repeatOf, replayOf } from './replay-command.ts';
import { counted } from './units.ts';

/** Sentences as they are shown: a full stop only between them. */
const sentences = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.trim().replace(/\.$/, ''))
    .filter((part) => part !== '')
    .join('. ');

/** Describes when the server stopped accepting connections. Of several requests in flight, none is known to be the reason. */
const crashText = (message: string, { inFlight, isAlone, last }: Crash): string => {
  const responses = last.map(({ probe, status }) => `${inWords(probe)} (${status})`);
  const before = responses.length === 0 ? '' : `Last response: ${responses.join('; ')}`;
  const stopped = 'The server stopped accepting connections';
  if (inFlight.length === 0) return sentences(message, `${stopped} between two requests`, before);
  return isAlone
    ? sentences(message, `${stopped} during this request`, before)
    : sentences(inFlightText(inFlight.map(inWords)), before);
};

/** The requests that differ from most come first, because ordinary ones are the least likely reason. */
const inFlightText = (requests: readonly string[]): string => {
  const kinds = [...Map.groupBy(requests, (request) => request)].toSorted(
    ([, a], [, b]) => a.length - b.length,
  );
  const shown = kinds.map(([request, { length }]) =>
    length === 1 ? request : `${request} (${length} times)`,
  );
  return `The server closed the connection of ${counted(requests.length, 'request')} in flight, and accepts none since: ${shown.join('; ')}. Send each alone to see which one is the reason`;
};

type ProblemParts = Pick<ServerFailure, 'rule' | 'problem' | 'variant' | 'alike' | 'headers' | 'members'>;

/** What a failure has of its problem. The variant contains the wrong status, because failures of shards are compared by it. */
export const factsIn = (problem: Problem, redact: Redact): ProblemParts => {
  const { rule, variant, wrongStatus } = causeOf(problem);
  const { headers, members } = wrongParts(problem);
  const variants = [variant, wrongStatus].filter((part) => part !== undefined);
  return {
    rule,
    problem: reported(problem, redact),
    ...(variants.length === 0 ? {} : { variant: redact(variants.join(', ')) }),
    alike: redact(likenessOf(problem)),
    ...(headers === undefined ? {} : { headers: headers.map(redact) }),
    ...(members === undefined ? {} : { members: members.map(redact) }),
  };
};

const requestOf = ({ about }: Breach): string => (about === undefined ? '' : aboutInWords(about));

const longestRequest = 110;
const longestActual = 80;

/** Other requests that failed in the same way, with the actual value if it differs and is short. */
const othersOf = ({ breach, others }: FoundFailure): readonly string[] => {
  const own = describe(breach).actual;
  const shown = new Map<string, string>();
  for (const other of others) {
    const request = requestOf(other);
    if (request === requestOf(breach) || shown.has(request)) continue;
    const { actual } = describe(other);
    const isPlain = actual === own || actual.length > longestActual;
    shown.set(request, isPlain ? request : `${excerpt(request, longestRequest)} → ${actual}`);
  }
  return [...shown.values()];
};

/** The most passing requests that are shown beside a failure. */
const mostPassed = 5;

const passedOf = ({ candidates, breaching }: Passed, breach: Breach): readonly string[] => {
  const failing = new Set(breaching.map(aboutInWords));
  const passing = candidates.filter((about) => !failing.has(aboutInWords(about)));
  return mostSimilar(passing, breach.about, mostPassed);
};

const stepOf = ({ wire, response }: Exchange, { redact, redactResponse }: Redactors): Step => ({
  request: showRequest(wire, redact),
  response: response === null ? null : showResponse(response, redactResponse),
});

const culpritOf = (creation: Exchange, context: ReportContext): Culprit => ({
  ...stepOf(creation, context),
  exchange: creation.id,
  curl: curlFor(creation.wire, context.target.keys, context.redact),
});

/** A longer command is not printed. */
const longestCurl = 4_000;

type CurlParts = Pick<ServerFailure, 'curl' | 'shortCurl'>;

/** The command that sends the request again; if it is too long to print, also one that reads the body from a file. */
const curlParts = (
  { breach: { exchange }, irrelevantFields }: FoundFailure,
  context: ReportContext,
): CurlParts => {
  const { redact, settings } = context;
  const keys = keysIn(exchange, context);
  const curl = curlFor(exchange.wire, keys, redact, irrelevantFields);
  const body = curl.length <= longestCurl ? null : bodyForFile(exchange.wire, redact);
  if (body === null) return { curl };
  const file = `body-${exchange.id}.bin`;
  const path = `${settings.reportDir.replace(/\/+$/, '')}/${file}`;
  return {
    curl,
    shortCurl: { command: curlFor(exchange.wire, keys, redact, irrelevantFields, path), file, body },
  };
};

/** Requests that time out are sent again only alone. */
const waitsForOthers = ({ breach: { problem }, seen, tries }: FoundFailure): boolean =>
  problem.rule === 'no-response' && problem.failure === 'timeout' && seen < tries;

const waitsForOthersText =
  'The same request alone got a response: requests in flight together wait for each other (a lock, a pool, a single writer). Confirm: --concurrency 1';

/** A client may have another key in each scenario. */
const keysIn = (exchange: Exchange, { target, judged }: ReportContext): typeof target.keys =>
  judged === undefined ? target.keys : { ...target.keys, main: judged.keyIn(exchange) };

const failureOf = (found: FoundFailure, context: ReportContext): ServerFailure => {
  const { breach, commonVariant, crash, causedBy } = found;
  const { redact, redactResponse, seed } = context;
  const { exchange, before = [] } = breach;
  const text = describe(breach);
  const others = crash === null ? othersOf(found) : [];
  const message = redactResponse(text.message);
  const passed = passedOf(found.passed, breach);
  return {
    side: 'server',
    // They have excerpts of the response.
    ...factsIn(breach.problem, redactResponse),
    message: sentences(
      crash === null ? message : redact(crashText(message, crash)),
      commonVariant === null ? '' : `Only requests ${commonVariant.phrase} fail this way`,
      found.servesWithoutKey ? 'A request without a key is served as well (AUTH-1)' : '',
      waitsForOthers(found) ? waitsForOthersText : '',
      found.leftBy === null ? '' : bugTexts.leftBy(found.leftBy),
    ),
    operation: exchange.request.operation,
    expected: redact(text.expected),
    actual: redactResponse(text.actual),
    ...stepOf(exchange, context),
    ...curlParts(found, context),
    seed,
    path: found.path,
    replay: replayOf(found, context),
    check: checkName(found.check),
    seen: found.seen,
    tries: found.tries,
    occurrences: found.occurrences,
    exchange: exchange.id,
    ...(before.length === 0 ? {} : { before: before.map((earlier) => stepOf(earlier, context)) }),
    ...(causedBy === null ? {} : { causedBy: culpritOf(causedBy, context) }),
    ...(found.leftBy === null ? {} : { leftBy: found.leftBy }),
    ...(found.inputs.length === 0 ? {} : { inputs: found.inputs.map(redact) }),
    ...(passed.length === 0 ? {} : { passed: passed.map(redact) }),
    ...(others.length === 0 ? {} : { others: others.map(redact) }),
  };
};

// Fields are listed one by one, in the order of the report.

/** The result of one requirement in words. */
export const describeResult = (
  { reason, checks, failures, ...result }: FoundResult,
  context: ReportContext,
): RequirementResult<ServerFailure> => ({
  ...result,
  reason: reason === null ? null : context.redact(reasonText(reason)),
  reasonCode: reason?.code ?? null,
  ...(reason?.code === 'blocked' ? { blockedBy: reason.requirement } : {}),
  checks,
  failures: failures.map((failure) => failureOf(failure, context)),
});

/** An observation on a key that others were seen to use. */
const otherClients = (key: KeySlot): Observation => {
  const value = `${othersUse(key)}: X-RateLimit-Remaining falls by more than this run sends`;
  return { id: 'RATE-6', subject: 'other clients', value, values: [value] };
};

/** The outcome of a run in words, as all reports show it. */
export const describeOutcome = (found: FoundOutcome, context: ReportContext): Outcome<ServerFailure> => {
  const {
    ended,
    requirements,
    observations,
    sharedKeys,
    usedUp,
    traffic,
    created,
    coverage,
    operations,
    exchanges,
    ...others
  } = found;
  const { timeline, ...run } = others;
  const shown = exchanges.map((exchange) => ({
    ...exchange,
    failure: exchange.failure && context.redact(connectionText(exchange.failure)),
  }));
  return {
    ...run,
    timeline: {
      ...timeline,
      waits: timeline.waits.map((wait) => ({ ...wait, reason: waitText(wait.reason) })),
    },
    ended: ended === null ? null : context.redact(reasonText(ended)),
    ...(ended === null ? {} : { endedCode: ended.code }),
    ...(ended !== null && 'failure' in ended ? { silence: context.redact(silenceText(ended.failure)) } : {}),
    ...(usedUp === null ? {} : { usedUp: context.redact(reasonText(usedUp)) }),
    requirements: requirements.map((result) => withExceptions(describeResult(result, context), shown)),
    observations: [...observations, ...sharedKeys.map(otherClients)],
    traffic,
    created,
    coverage,
    ...(operations === null
      ? {}
      : {
          operations: {
            all: operations.all,
            requested: operations.requested,
            leftOut: operations.leftOut,
            notRequested: operations.reasons.map((reason) => context.redact(reasonText(reason))),
          },
        }),
    exchanges: shown,
    ...repeatOf(context),
  };
};
