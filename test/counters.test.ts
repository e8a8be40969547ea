import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../src/config/settings.ts';
import type { Patch } from '../src/reference/patch.ts';
import { replace, withState, wrap } from '../src/reference/patch-kit/core.ts';
import { showCounts } from '../src/reference/patch-kit/rate-limits.ts';
import { faultNamed } from './support/faults.ts';
import { judgeOn } from './support/paced-run.ts';
import { verdictOf } from './support/run-in-words.ts';

const grants = { main: { key: 'main-key-of-these-tests', plan: 'business' } } as const;

/** What RATE-4 comes to on a business key. */
const judged = async (patch: Patch, settings: Partial<RunSettings>, dialects: readonly string[] = []) => {
  const { outcome } = await judgeOn({ grants, patch, dialects }, settings, { latencyMs: 2 });
  const { verdict, reason } = verdictOf(outcome, 'RATE-4') ?? {};
  return { verdict, reason, requests: outcome.traffic.requests };
};

/** What remains is shown as it was when the second began. */
const broughtUpToDateEachSecond = (): Patch => {
  const shown = new Map<number, number>();
  return showCounts(({ remaining }, { at }) => {
    const second = Math.floor(at / 1_000);
    shown.set(second, shown.get(second) ?? remaining);
    return { remaining: shown.get(second) ?? remaining };
  });
};
/** A limit and a reset that are others in every answer, of 40 that always remain. */
const turning = (change: (answers: number, resetAt: number) => { limit?: number; resetAt?: number }): Patch =>
  withState(() => {
    let answers = 0;
    return replace('rateLimitHeaders', (before) => (standing, call) => {
      answers += 1;
      const { limit, resetAt = standing.resetAt } = change(answers, standing.resetAt);
      const headers = before({ ...standing, remaining: 40, resetAt }, call);
      return limit === undefined ? headers : { ...headers, 'X-RateLimit-Limit': String(limit) };
    });
  });
const asItIs: Patch = () => ({});

describe('RATE-4', () => {
  const still = ['is-the-limit', 'after-one', 'rises', 'half'].map((how) => faultNamed(`remaining-${how}`));
  test.each(still)('$name is seen by few requests', async ({ patch }) => {
    expect(await judged(patch, { budget: 60 })).toMatchObject({ verdict: 'failed' });
    expect(await judged(patch, { only: ['RATE-4'] })).toMatchObject({ verdict: 'failed' });
  });

  test('where Remaining has fallen by then, nothing more is sent', async () => {
    expect(await judged(asItIs, { only: ['RATE-4'] })).toMatchObject({ verdict: 'passed', requests: 2 });
  });

  test('a counter that is brought up to date each second does not stand still', async () => {
    const lagging = broughtUpToDateEachSecond();
    expect(await judged(lagging, { only: ['RATE-4'] })).toMatchObject({ verdict: 'passed' });
  });

  test.each<[string, Patch, RegExp]>([
    [
      'headers that cannot be read',
      replace('rateLimitHeaders', (before) => (standing, call) => ({
        ...before(standing, call),
        'X-RateLimit-Remaining': 'some',
      })),
      /^Not every response has readable rate-limit headers$/,
    ],
    [
      'answers that fail',
      wrap(async () => ({ status: 500, headers: {}, body: null })),
      /^GET \/pets returned 500, which need not count towards the limit$/,
    ],
    [
      'another limit each time',
      turning((answers) => ({ limit: 1_000 - answers })),
      /^The responses show more than one limit$/,
    ],
    [
      'a Reset that moves',
      turning((answers, resetAt) => ({ resetAt: resetAt + 1_000 * answers })),
      /^X-RateLimit-Reset changes with each response$/,
    ],
  ])('says why it is not clear: %s', async (_, patch, reason) => {
    expect(await judged(patch, { only: ['RATE-4'] })).toMatchObject({ verdict: 'inconclusive', reason });
  });

  test('creations may be all that counts, so nothing is held against it where they are ruled out', async () => {
    const readOnly = await judged(asItIs, { readOnly: true }, ['creations-counted-only']);
    expect(readOnly).toMatchObject({ verdict: 'inconclusive', reason: /--read-only/ });
    expect(await judged(asItIs, {}, ['creations-counted-only'])).toMatchObject({ verdict: 'passed' });
  });
});
