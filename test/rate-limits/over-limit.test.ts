import { expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import { dialects } from '../../src/reference/dialects/index.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { replace, withState, wrap } from '../../src/reference/patch-kit/core.ts';
import { changeDecision, refusal } from '../../src/reference/patch-kit/rate-limits.ts';
import { type ServerSetup, spareKey } from '../support/counting-server.ts';
import { judgeOn } from '../support/paced-run.ts';
import { alarms, resultOf } from '../support/run-in-words.ts';

/** A business key, and a rate limit key of the Free plan. */
const keys: ServerSetup['keys'] = ['business', 'free'];

/** Records the operations that get a 429, in the order of their first one. */
const recording = (refused: Set<string | null>): Patch =>
  replace('rateLimited', (before) => (decision, call) => {
    refused.add(call.route.operation);
    return before(decision, call);
  });

test.each<[string, Partial<RunSettings>, readonly string[]]>([
  ['default settings', {}, ['listPets', 'createPet']],
  ['--read-only', { readOnly: true }, ['listPets', 'getPet']],
  ['--allow-ban', { allowBan: true }, ['listPets', 'createPet', 'listOrders', 'getPet']],
  [
    '--allow-ban --exhaust-daily',
    { allowBan: true, exhaustDaily: true },
    ['listPets', 'createPet', 'listOrders', 'getPet'],
  ],
])('%s -> operations sent over the limit: %3$j', async (_, settings, operations) => {
  const refused = new Set<string | null>();
  const setup = { keys, patch: recording(refused), plansKnown: true };
  const { outcome, count } = await judgeOn(setup, { only: ['RATE'], ...settings });
  expect([...refused]).toEqual(operations);
  expect(alarms(outcome)).toEqual([]);
  expect(resultOf(outcome, 'RATE-5')?.verdict).toBe('passed');
  if (settings.allowBan !== true) expect(count.duringRetryAfter(spareKey)).toBe(0);
});

/** Refuses a Free key for ever after the minute of its first request. */
const laterMinutesUsedUp: Patch = withState(() => {
  let first: number | null = null;
  return changeDecision((decision, { grant }) => {
    const { resetAt } = decision.windowState;
    if (grant?.plan !== 'free') return decision;
    first ??= resetAt;
    return resetAt === first ? decision : refusal(decision.windowState, resetAt, { remaining: 0 });
  });
});

test('a key gets 429 again after every wait -> RATE-8 fails', async () => {
  const startsAt = Date.parse('2026-06-01T12:00:59.300Z');
  const setup = { keys, patch: laterMinutesUsedUp, plansKnown: true };
  const { outcome } = await judgeOn(setup, { only: ['RATE-8'] }, { startsAt });
  expect(alarms(outcome)).toEqual([
    expect.stringMatching(/^RATE-8: After Retry-After \(\d+, \+1 s\) the next request got 429 again/),
  ]);
});

/** Refuses the first and the third request of a Free key, with a wait of 3 s. The second request has half of the minute left. */
const refusedByTurns: Patch = withState(() => {
  let count = 0;
  return changeDecision((decision, { grant, at }) => {
    if (grant?.plan !== 'free') return decision;
    count += 1;
    const { windowState } = decision;
    if ([1, 3].includes(count)) return refusal(windowState, at + 3_000, { remaining: 0 });
    return { ...decision, windowState: { ...windowState, remaining: Math.min(30, windowState.remaining) } };
  });
});

test('a key succeeds after its wait, and gets another 429 later -> no failure', async () => {
  const setup = { keys, patch: refusedByTurns, plansKnown: true };
  const { outcome } = await judgeOn(setup, { only: ['RATE-5', 'RATE-8'] });
  expect(alarms(outcome)).toEqual([]);
});

/** One of the last requests of a Free key in its minute gets 503. */
const failingNearTheLimit: Patch = withState(() => {
  let failed = false;
  return wrap(async ({ grant }, next) => {
    const reply = await next();
    const isNear = grant?.plan === 'free' && reply.headers['x-ratelimit-remaining'] === '4';
    if (!isNear || failed) return reply;
    failed = true;
    return { ...reply, status: 503 };
  });
});

test('a server error within the limit -> no evidence on requests over the limit', async () => {
  const setup = { keys, patch: failingNearTheLimit, plansKnown: true };
  const { outcome } = await judgeOn(setup, { only: ['RATE-5'] });
  expect(alarms(outcome)).toEqual([]);
});

const limiters = dialects.filter(({ choice }) => choice === 'limiter').map(({ name }) => name);

test.each(limiters.flatMap((name) => [20, 400, 1_100].map((latencyMs) => [name, latencyMs] as const)))(
  '%s, with a latency of %i ms -> no alarm',
  async (name, latencyMs) => {
    for (const plan of ['free', 'pro'] as const)
      for (const plansKnown of [true, false]) {
        const setup: ServerSetup = { keys: ['business', plan], dialects: [name], plansKnown };
        const { outcome, count } = await judgeOn(setup, { only: ['RATE-5'] }, { latencyMs });
        expect(alarms(outcome)).toEqual([]);
        expect(count.bans()).toBe(0);
      }
  },
);
