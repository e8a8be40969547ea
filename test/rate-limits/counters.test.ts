import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { replace, withState, wrap } from '../../src/reference/patch-kit/core.ts';
import { showCounts } from '../../src/reference/patch-kit/rate-limits.ts';
import { faultNamed } from '../support/faults.ts';
import { judgeOn } from '../support/paced-run.ts';
import { resultOf } from '../support/run-in-words.ts';

/** The result of RATE-4 with a business key. */
const judged = async (patch: Patch, settings: Partial<RunSettings>, dialects: readonly string[] = []) => {
  const { outcome } = await judgeOn({ keys: ['business'], patch, dialects }, settings, { latencyMs: 2 });
  const { verdict, reason } = resultOf(outcome, 'RATE-4') ?? {};
  return { verdict, reason, requests: outcome.traffic.requests };
};

/** Shows Remaining as it was at the start of the second. */
const updatedEachSecond = (): Patch => {
  const shown = new Map<number, number>();
  return showCounts(({ remaining }, { at }) => {
    const second = Math.floor(at / 1_000);
    shown.set(second, shown.get(second) ?? remaining);
    return { remaining: shown.get(second) ?? remaining };
  });
};
/** Shows another limit and reset in every response, and always a Remaining of 40. */
const changing = (change: (count: number, resetAt: number) => { limit?: number; resetAt?: number }): Patch =>
  withState(() => {
    let count = 0;
    return replace('rateLimitHeaders', (before) => (windowState, call) => {
      count += 1;
      const { limit, resetAt = windowState.resetAt } = change(count, windowState.resetAt);
      const headers = before({ ...windowState, remaining: 40, resetAt }, call);
      return limit === undefined ? headers : { ...headers, 'X-RateLimit-Limit': String(limit) };
    });
  });
const unchanged: Patch = () => ({});

describe('RATE-4', () => {
  const still = ['is-the-limit', 'after-one', 'rises', 'half'].map((how) => faultNamed(`remaining-${how}`));
  test.each(still)('$name -> failed, after few requests', async ({ patch }) => {
    expect(await judged(patch, { budget: 60 })).toMatchObject({ verdict: 'failed' });
    expect(await judged(patch, { only: ['RATE-4'] })).toMatchObject({ verdict: 'failed' });
  });

  test('Remaining has fallen by then -> no further request', async () => {
    expect(await judged(unchanged, { only: ['RATE-4'] })).toMatchObject({ verdict: 'passed', requests: 2 });
  });

  test('counter updated each second -> passed', async () => {
    const lagging = updatedEachSecond();
    expect(await judged(lagging, { only: ['RATE-4'] })).toMatchObject({ verdict: 'passed' });
  });

  test.each<[string, Patch, RegExp]>([
    [
      'headers that cannot be read',
      replace('rateLimitHeaders', (before) => (windowState, call) => ({
        ...before(windowState, call),
        'X-RateLimit-Remaining': 'some',
      })),
      /^Not every response has readable rate-limit headers$/,
    ],
    [
      'server errors',
      wrap(async () => ({ status: 500, headers: {}, body: null })),
      /^GET \/pets returned 500, which need not count towards the limit$/,
    ],
    [
      'another limit each time',
      changing((count) => ({ limit: 1_000 - count })),
      /^The responses show more than one limit$/,
    ],
    [
      'a Reset that moves',
      changing((count, resetAt) => ({ resetAt: resetAt + 1_000 * count })),
      /^X-RateLimit-Reset changes with each response$/,
    ],
  ])('%s -> inconclusive, with the reason', async (_, patch, reason) => {
    expect(await judged(patch, { only: ['RATE-4'] })).toMatchObject({ verdict: 'inconclusive', reason });
  });

  test('only creations count and --read-only -> inconclusive', async () => {
    const readOnly = await judged(unchanged, { readOnly: true }, ['creations-counted-only']);
    expect(readOnly).toMatchObject({ verdict: 'inconclusive', reason: /--read-only/ });
    expect(await judged(unchanged, {}, ['creations-counted-only'])).toMatchObject({ verdict: 'passed' });
  });
});
