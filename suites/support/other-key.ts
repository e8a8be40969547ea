import type { Reading } from '../../src/oracle/reading.ts';
import { readRetryAfter } from '../../src/oracle/rules/rate-limit-headers.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { beyondAMinute, limitState, speaksOfTheDay } from '../../src/run/limit-state.ts';
import { askList, spend, waitOut } from './limit.ts';
import type { Exhausted } from './use-up.ts';
import type { Fresh } from './window.ts';

/** A request with the other key just before: it has some left of its own, for which its next window is waited for if need be. */
export const otherKey = async (context: CaseContext): Promise<Reading | null> => {
  for (let tries = 0; tries < 3; tries += 1) {
    const reading = await context.send(askList('main'));
    const state = limitState(reading);
    if (reading.status === 200 && (state?.remaining ?? 3) > 2) return reading;
    const left = state?.untilReset ?? 0;
    if (left <= beyondAMinute) await context.clock.sleep((Math.max(0, left) + 1.1) * 1000);
  }
  return null;
};

/** When a 429 allows the next request, by the run's clock. */
const overAt = (context: CaseContext, refused: Reading): number =>
  context.clock.now() + (readRetryAfter(refused)?.seconds ?? 0) * 1000;

/** RATE-9: while one key is exhausted, another is served; if it is refused for reasons of its own, then after its own wait. */
export const judgeOtherKey = async (
  context: CaseContext,
  before: Reading | null,
  { reading: refused, served }: Exhausted,
  { remaining }: Fresh,
): Promise<void> => {
  if (before === null) return context.undecided('RATE-9', 'the other key has no requests left of its own');
  const exhaustedUntil = overAt(context, refused);
  let reading = await spend(context, askList('main'));
  if (reading.status === 429 && speaksOfTheDay(reading) && !speaksOfTheDay(refused))
    return context.undecided('RATE-9', "the other key met its day's limit");
  const wait = readRetryAfter(reading);
  if (reading.status === 429 && wait !== null && overAt(context, reading) + 2_000 < exhaustedUntil) {
    await waitOut(context, reading);
    reading = await spend(context, askList('main'));
  }
  if (reading.status === 200) return context.met('RATE-9');
  if (served <= remaining)
    return context.undecided('RATE-9', 'the rate limit key was refused while requests remained');
  context.breach({
    requirement: 'RATE-9',
    rule: 'shared limit',
    message: 'While one key is exhausted, a request with another key is refused as well.',
    expected: `the request served: that key had ${limitState(before)?.remaining ?? 'enough'} requests left`,
    actual: `status ${reading.status}`,
    exchange: reading.exchange,
  });
};

/** How many requests of the other key are sent while the window of this one is used up: as many as it surely has left. */
const asideCount = 2;

export const sendAside = (context: CaseContext): Promise<unknown> =>
  Promise.all(Array.from({ length: asideCount }, () => context.send(askList('main'))));

/** RATE-9: what is sent with the other key takes nothing from what remains for this one. */
export const judgeSharing = (context: CaseContext, { reading, lost }: Exhausted): boolean => {
  const isShared = lost.aside === asideCount && lost.else === 0;
  if (isShared)
    context.breach({
      requirement: 'RATE-9',
      rule: 'counted together',
      message: 'Requests with one key take from what remains for another.',
      expected: 'an X-RateLimit-Remaining that falls by the requests of its own key only',
      actual: `it fell by ${asideCount} more when ${asideCount} requests were sent with the other key`,
      exchange: reading.exchange,
    });
  return isShared;
};
