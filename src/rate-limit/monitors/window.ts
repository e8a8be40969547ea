import { breachOf, explainedByOtherLimit, type Finding } from '../../finding/finding.ts';
import type { Probe } from '../../finding/probe.ts';
import type { Problem } from '../../finding/problem.ts';
import type { KeySlot } from '../../http/exchange.ts';
import { type ParsedResponse, serverTime } from '../../http/parsed-response.ts';
import { memoizedByValue } from '../../util/memoize.ts';
import { isDailyLimit } from '../headers.ts';
import { longerThanMinute } from '../limit-state.ts';
import { belongsToKey, isAfter, type LimitSample, parseRateSample, refilledBetween } from './limit-sample.ts';
import type { OtherLimit } from './other-limit.ts';

const maxSamples = 200;

interface Options {
  isExclusive(slot: KeySlot): boolean;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
  readonly concurrency: number;
}

/** The first 429 of a key: the number of its request, and its time since the start of the run. */
interface First429 {
  readonly request: number;
  readonly afterMs: number;
}

/** What the responses of a run show so far. */
const createHistory = (options: Options) => ({
  ...options,
  /** Samples by key and operation. */
  samplesOf: memoizedByValue((_scope: string): LimitSample[] => []),
  /** Includes responses that may be counted by address, because their Reset is a time, too. */
  resetsOf: memoizedByValue((_scope: string): LimitSample[] => []),
  first429: new Map<KeySlot, First429>(),
  newest: 0,
  began: Number.POSITIVE_INFINITY,
});

type History = ReturnType<typeof createHistory>;

/**
 * Tests every response to a key that only this run uses. RATE-2: Reset is a time. RATE-6: no 429 while requests remain. RATE-4: Remaining
 * does not rise and fall back by more than the requests sent, as it does if instances count separately. Costs and counters may differ by
 * operation, so only responses of the same operation are compared.
 */
export const createWindowMonitor = (options: Options) => {
  const history = createHistory(options);
  return {
    /** Tests one response, in the order of arrival, and records it. */
    observe: (response: ParsedResponse, probe: Probe): readonly Finding[] =>
      observe(history, response, probe),
  };
};

const observe = (history: History, response: ParsedResponse, probe: Probe): readonly Finding[] => {
  const slot = probe.request.credential.chargedTo;
  history.newest = Math.max(history.newest, response.exchange.id);
  history.began = Math.min(history.began, response.exchange.startedAt);
  const first = slot !== null && response.status === 429 ? first429Of(history, slot, response) : null;
  if (slot === null || !history.isExclusive(slot)) return [];
  const scope = `${slot} ${probe.request.operation}`;
  const [earlier, earlierResets] = [history.samplesOf(scope), history.resetsOf(scope)];
  const sample = parseRateSample(response, history.newest + history.concurrency);
  const isOwn = belongsToKey(response, probe) || (response.status === 429 && isSameWindow(sample, earlier));
  if (!isOwn && !(response.status === 404 && probe.inputSpace === 'documented')) return [];
  const findings =
    first === null
      ? breachesOf(history, response, sample, isOwn ? earlier : [], earlierResets)
      : judge429(history, slot, first, response, earlier);
  record(earlierResets, sample);
  if (isOwn) record(earlier, sample);
  return findings;
};

const record = (samples: LimitSample[], sample: LimitSample | null): void => {
  if (sample !== null && samples.push(sample) > maxSamples) samples.shift();
};

const first429Of = ({ first429, began }: History, slot: KeySlot, { exchange }: ParsedResponse): First429 => {
  const first = first429.get(slot) ?? { request: exchange.id, afterMs: exchange.startedAt - began };
  first429.set(slot, first);
  return first;
};

/** Returns the most requests that the server may have counted between two responses of one operation, the later one included. */
const countedBetween = (
  earlier: LimitSample,
  later: Pick<LimitSample, 'lastSentBefore'>,
  concurrency: number,
): number => later.lastSentBefore - earlier.id + concurrency;

/** Tells whether a 429 certainly shows the window of earlier responses. A window that is used up would show 0. */
const isSameWindow = (sample: LimitSample | null, earlier: readonly LimitSample[]): boolean =>
  sample !== null &&
  sample.remaining > 0 &&
  earlier.some(({ limit, reset }) => limit === sample.limit && reset === sample.reset);

const judge429 = (
  { newest, concurrency, otherLimit }: History,
  slot: KeySlot,
  first: First429,
  response: ParsedResponse,
  earlier: readonly LimitSample[],
): readonly Finding[] => {
  const { exchange } = response;
  const before = earlier.findLast((sample) => isAfter(exchange, sample));
  const now = serverTime(response);
  if (before === undefined || now === null) return [];
  const untilReset = before.reset - now / 1000;
  if (untilReset <= 1) return [];
  const counted = countedBetween(before, { lastSentBefore: newest + concurrency }, concurrency);
  if (before.remaining < counted) return [];
  if (isDailyLimit(response) || otherLimit.mayExplain(slot, before, exchange.startedAt))
    return [explainedByOtherLimit('RATE-6')];
  const remaining = response.header('x-ratelimit-remaining').join(', ');
  const counts = { before: before.remaining, sentSince: counted, remaining };
  return [
    breachOf('RATE-6', { rule: '429-while-remaining', in: 'any response', slot, first, ...counts }, exchange),
  ];
};

const breachesOf = (
  { concurrency }: History,
  { exchange }: ParsedResponse,
  sample: LimitSample | null,
  earlier: readonly LimitSample[],
  earlierResets: readonly LimitSample[],
): readonly Finding[] => {
  if (sample === null) return [];
  const jump = remainingJumped(sample, earlier, concurrency);
  const fall = resetMovedBack(sample, earlierResets);
  return [
    ...(jump === null ? [] : [breachOf('RATE-4', jump, exchange)]),
    ...(fall === null ? [] : [breachOf('RATE-2', fall, exchange)]),
  ];
};

/** Returns a problem if Remaining rose between two earlier responses and has now fallen by more than the requests sent. */
const remainingJumped = (
  sample: LimitSample,
  earlier: readonly LimitSample[],
  concurrency: number,
): Problem | null => {
  const isSame = ({ limit, reset }: LimitSample): boolean => limit === sample.limit && reset === sample.reset;
  for (const high of earlier) {
    const fall = high.remaining - sample.remaining;
    // `high` may have another Reset: the windows of two instances may start at different times, and an old window does not come back.
    if (
      high.limit !== sample.limit ||
      !isAfter(sample, high) ||
      fall <= countedBetween(high, sample, concurrency)
    )
      continue;
    const low = earlier.find(
      (each) =>
        isSame(each) &&
        isAfter(high, each) &&
        each.remaining >= sample.remaining &&
        high.remaining > each.remaining + refilledBetween(each, high) + 1,
    );
    if (low !== undefined) {
      const remaining = [low.remaining, high.remaining, sample.remaining] as const;
      return { rule: 'counter-jumps', remaining, reset: low.reset };
    }
  }
  return null;
};

/**
 * Returns a problem if Reset of one limit moved back twice since earlier responses, by more than a minute each time. It may move back once,
 * from the end of a day to the end of a minute, and within a minute from its end to the next free request.
 */
const resetMovedBack = (sample: LimitSample, earlier: readonly LimitSample[]): Problem | null => {
  const above = (later: LimitSample) =>
    earlier.findLast(
      (each) =>
        each.limit === later.limit && isAfter(later, each) && each.reset - later.reset > longerThanMinute,
    );
  const middle = above(sample);
  const first = middle && above(middle);
  return first && middle
    ? { rule: 'reset-moves-back', resets: [first.reset, middle.reset, sample.reset] }
    : null;
};
