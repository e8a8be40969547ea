import type { ApiResponse, CheckContext, Probe } from '../../../src/check/index.ts';
import { limitState, refillAfter, windowMayHaveReset } from '../../../src/check/rate-limits.ts';
import { type LimitProbe, limitProbes } from './limit.ts';

/** `unknown`: the window moved, a bucket may have refilled, or the headers cannot be read. */
interface MeasuredTrend {
  readonly trend: 'decreasing' | 'constant' | 'unknown';
  readonly last: ApiResponse;
}

/** How many requests are sent at once between the two compared ones. */
const between = 4;

/** Whether Remaining decreases over a short series of one request, in one window. */
const trendOnce = async (context: CheckContext, probe: () => Probe): Promise<MeasuredTrend> => {
  const first = await context.send(probe());
  const middle = await Promise.all(Array.from({ length: between }, () => context.send(probe())));
  const last = await context.send(probe());
  const states = [first, ...middle, last].map(limitState);
  const [before, after] = [states[0] ?? null, states.at(-1) ?? null];
  if (before === null || after === null) return { trend: 'unknown', last };
  if (states.some((state) => state?.limit !== before.limit)) return { trend: 'unknown', last };
  if (windowMayHaveReset(before, after)) return { trend: 'unknown', last };
  if (states.some((state) => state !== null && state.remaining < before.remaining))
    return { trend: 'decreasing', last };
  const { startedAt, durationMs } = last.exchange;
  const seconds = (startedAt + durationMs - first.exchange.startedAt) / 1000;
  const mayHaveRefilled = refillAfter(before, seconds) >= between;
  return { trend: after.reset === before.reset && !mayHaveRefilled ? 'constant' : 'unknown', last };
};

/** Measures until the trend is clear, at most 3 times. */
export const measureTrend = async (context: CheckContext, probe: () => Probe): Promise<MeasuredTrend> => {
  let found = await trendOnce(context, probe);
  for (let tries = 1; tries < 3 && found.trend === 'unknown'; tries += 1)
    found = await trendOnce(context, probe);
  return found;
};

/** The first request that counts for the rate-limit key; null if none without side effects does. */
export const countedProbe = async (context: CheckContext): Promise<LimitProbe | null> => {
  for (const limitProbe of limitProbes(context)) {
    const { trend } = await measureTrend(context, () => limitProbe('rate-limit'));
    if (trend === 'decreasing') return limitProbe;
  }
  return null;
};
