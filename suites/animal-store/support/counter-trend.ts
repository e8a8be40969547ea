import type { ApiResponse, CheckContext, Probe } from '../../../src/check/index.ts';
import { limitState, mayHaveRenewed, refilledAfter } from '../../../src/check/rate-limits.ts';
import { type LimitProbe, limitProbes } from './limit.ts';

/** `unclear`: the window moved, a bucket may have refilled, or the headers cannot be read. */
interface CounterTrend {
  readonly moved: 'falls' | 'stands' | 'unclear';
  readonly last: ApiResponse;
}

/** How many requests are sent at once between the two compared ones. */
const between = 4;

/** Whether Remaining decreases over a short series of one request, in one window. */
const trendOnce = async (context: CheckContext, probe: () => Probe): Promise<CounterTrend> => {
  const first = await context.send(probe());
  const middle = await Promise.all(Array.from({ length: between }, () => context.send(probe())));
  const last = await context.send(probe());
  const states = [first, ...middle, last].map(limitState);
  const [before, after] = [states[0] ?? null, states.at(-1) ?? null];
  if (before === null || after === null) return { moved: 'unclear', last };
  if (states.some((state) => state?.limit !== before.limit)) return { moved: 'unclear', last };
  if (mayHaveRenewed(before, after)) return { moved: 'unclear', last };
  if (states.some((state) => state !== null && state.remaining < before.remaining))
    return { moved: 'falls', last };
  const { startedAt, durationMs } = last.exchange;
  const seconds = (startedAt + durationMs - first.exchange.startedAt) / 1000;
  const mayHaveRefilled = refilledAfter(before, seconds) >= between;
  return { moved: after.reset === before.reset && !mayHaveRefilled ? 'stands' : 'unclear', last };
};

/** Measures until the trend is clear, at most 3 times. */
export const measureTrend = async (context: CheckContext, probe: () => Probe): Promise<CounterTrend> => {
  let found = await trendOnce(context, probe);
  for (let tries = 1; tries < 3 && found.moved === 'unclear'; tries += 1)
    found = await trendOnce(context, probe);
  return found;
};

/** The first request that counts for the rate-limit key; null if none without side effects does. */
export const countedProbe = async (context: CheckContext): Promise<LimitProbe | null> => {
  for (const limitProbe of limitProbes(context)) {
    const { moved } = await measureTrend(context, () => limitProbe('rate-limit'));
    if (moved === 'falls') return limitProbe;
  }
  return null;
};
