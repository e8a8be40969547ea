import type { Reading } from '../src/oracle/reading.ts';
import { retryWait } from '../src/oracle/retry-wait.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { beyondAMinute, type LimitState, limitState } from '../src/run/limit-state.ts';
import { type Ask, asks, minutesOf, spend, unknownWhichCount } from './support/limit.ts';
import { requireSmall } from './support/window.ts';

/** Requests after which a Remaining that is no lower does not count them. */
const telling = 6;
/** Seconds after which a limit that does not reach 0 is given up. */
const patience = 95;

/** The limit that a response shows; ends the case if nobody can wait for its Reset. */
const shownBy = (context: CaseContext, reading: Reading): LimitState & { readonly untilReset: number } => {
  const state = limitState(reading);
  if (state === null) return context.end('the rate limit headers cannot be read');
  const { untilReset } = state;
  if (untilReset === null)
    return context.end('without a Date, the time until X-RateLimit-Reset is not known');
  if (untilReset > beyondAMinute)
    return context.end('the headers show a limit that resets in more than a minute');
  requireSmall(context, state.limit);
  return { ...state, untilReset };
};

/** Of several responses the one that shows the least. */
const lowest = (readings: readonly Reading[]): Reading | undefined =>
  readings
    .filter((reading) => limitState(reading) !== null)
    .toSorted((a, b) => (limitState(a)?.remaining ?? 0) - (limitState(b)?.remaining ?? 0))[0];

/** Sends requests until Remaining is 0, never more at once than half of what remains; null: such requests are not counted. */
const spendAll = async (context: CaseContext, ask: Ask): Promise<Reading | null> => {
  const { clock, fixtures } = context;
  const first = await spend(context, ask('rate-limit'));
  if ([401, 403].includes(first.status))
    return context.end(`the rate limit key is refused with ${first.status}`);
  const { limit, remaining: atFirst } = shownBy(context, first);
  const startedAt = clock.now();
  let reading = first;
  for (let sent = 1; sent <= 2 * limit + telling; ) {
    const { remaining } = shownBy(context, reading);
    if (remaining === 0) return reading;
    if (sent > telling && remaining >= atFirst) return null;
    if (clock.now() - startedAt > patience * 1000) break;
    const size = Math.max(1, Math.min(fixtures.concurrency, Math.floor(remaining / 2)));
    const burst = Array.from({ length: size }, () => spend(context, ask('rate-limit')));
    const readings = await Promise.all(burst);
    if (readings.some(({ status }) => status === 429)) return lowest(readings) ?? null;
    reading = lowest(readings) ?? reading;
    sent += size;
  }
  return context.end(
    'X-RateLimit-Remaining does not reach 0: the limit refills as fast as requests are sent',
  );
};

/**
 * Brings Remaining to 0 and waits for Reset; the run judges the next request. Not by a 429: a correct `Retry-After` would hide a wrong
 * Reset.
 */
export const limitResets: Check<null> = {
  name: 'RATE-13 at Reset the limit resets',
  gives: ['RATE-13'],
  phase: 'exhaust',
  toll: minutesOf(1, 1),
  once: true,
  examples: () => [null],
  attempt: async (_, context) => {
    for (const ask of asks(context)) {
      const last = await spendAll(context, ask);
      if (last === null) continue;
      const { untilReset } = shownBy(context, last);
      const wait = Math.max(0, untilReset, last.status === 429 ? (retryWait(last)?.seconds ?? 0) : 0);
      if (wait * 1000 > context.fixtures.maxWaitMs)
        return context.end(`the limit resets in ${Math.ceil(wait)} s, longer than --max-wait`);
      await context.clock.sleep((wait + 1) * 1000);
      await spend(context, ask('rate-limit'));
      return;
    }
    context.end(unknownWhichCount);
  },
};
