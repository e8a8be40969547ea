import type { Reading } from '../../src/oracle/reading.ts';
import { retryWait } from '../../src/oracle/retry-wait.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { beyondAMinute, limitState, speaksOfTheDay } from '../../src/run/limit-state.ts';
import type { ExhaustResult } from './exhaust-limit.ts';
import { listProbe, sendCounted, waitOut } from './limit.ts';
import type { FreshWindow } from './window.ts';

/** Requests that the other key must have left. */
const enough = 3;

/**
 * A request with the other key while it has requests left of its own; its next window is awaited if need be, once. Null: the other key
 * is not served, or has none left.
 */
export const secondKeyReady = async (context: CaseContext): Promise<Reading | null> => {
  const reading = await context.send(listProbe('main'));
  if (reading.status !== 200) return null;
  const state = limitState(reading);
  if (state === null || state.remaining >= enough) return reading;
  if (state.untilReset === null || state.untilReset > beyondAMinute) return null;
  await context.clock.sleep((Math.max(0, state.untilReset) + 1.1) * 1000);
  const later = await context.send(listProbe('main'));
  const isServed = later.status === 200 && (limitState(later)?.remaining ?? enough) >= enough;
  return isServed ? later : null;
};

/** When a 429 allows the next request, by the run's clock. */
const overAt = (context: CaseContext, refused: Reading): number =>
  context.clock.now() + (retryWait(refused)?.seconds ?? 0) * 1000;

/** The explanation for which the server is not at fault. */
const sameAccount =
  'Another explanation: both keys belong to one account (--rate-limit-key must belong to another account than --api-key).';

/** RATE-9: while one key is exhausted, another is served; if it is refused for reasons of its own, then after its own wait. */
export const checkOtherKeyServed = async (
  context: CaseContext,
  before: Reading | null,
  { reading: refused, served }: ExhaustResult,
  { remaining }: FreshWindow,
): Promise<void> => {
  if (before === null)
    return context.undecided('RATE-9', 'the other key is not served, or has no requests left of its own');
  const exhaustedUntil = overAt(context, refused);
  let reading = await sendCounted(context, listProbe('main'));
  if (reading.status === 429 && speaksOfTheDay(reading) && !speaksOfTheDay(refused))
    return context.undecided('RATE-9', "the other key met its day's limit");
  const wait = retryWait(reading);
  if (reading.status === 429 && wait !== null && overAt(context, reading) + 2_000 < exhaustedUntil) {
    await waitOut(context, reading);
    reading = await sendCounted(context, listProbe('main'));
  }
  if (reading.status === 200) return context.met('RATE-9');
  if (served <= remaining)
    return context.undecided('RATE-9', 'the rate limit key was refused while requests remained');
  context.breach({
    requirement: 'RATE-9',
    rule: 'shared limit',
    message: `While the limit of one key is used up, a request with another key is refused too. ${sameAccount}`,
    expected: `the request served: that key had ${limitState(before)?.remaining ?? 'enough'} requests left`,
    actual: `status ${reading.status}`,
    exchange: reading.exchange,
  });
};

/** How many requests of the other key are sent while the window of this one is used up: as many as it surely has left. */
const otherKeyCount = 2;

export const sendWithOther = (context: CaseContext): Promise<unknown> =>
  Promise.all(Array.from({ length: otherKeyCount }, () => context.send(listProbe('main'))));

/** RATE-9: what is sent with the other key takes nothing from what remains for this one. */
export const checkIndependence = (context: CaseContext, { reading, lost }: ExhaustResult): boolean => {
  const isShared = lost.withOtherKey === otherKeyCount && lost.else === 0;
  if (isShared)
    context.breach({
      requirement: 'RATE-9',
      rule: 'counted together',
      message: `Requests with one key take from what remains for another. ${sameAccount}`,
      expected: 'an X-RateLimit-Remaining that falls by the requests of its own key only',
      actual: `it fell by ${otherKeyCount} more when ${otherKeyCount} requests were sent with the other key`,
      exchange: reading.exchange,
    });
  return isShared;
};
