import { expect, test } from 'vitest';
import type { RunSettings } from '../src/config/settings.ts';
import { dialects } from '../src/reference/dialects/index.ts';
import type { Patch } from '../src/reference/patch.ts';
import { replace, withState, wrap } from '../src/reference/patch-kit/core.ts';
import { judgeAdmission, refusal } from '../src/reference/patch-kit/rate-limits.ts';
import type { ServerSetup } from './support/counting-server.ts';
import { judgeOn } from './support/paced-run.ts';
import { alarms, verdictOf } from './support/run-in-words.ts';

const spare = 'spare-key-of-these-tests';
const grants: ServerSetup['grants'] = {
  main: { key: 'main-key-of-these-tests', plan: 'business' },
  'rate-limit': { key: spare, plan: 'free' },
};

/** The operations that were refused for a limit, in the order in which they were first. */
const noting = (refused: Set<string | null>): Patch =>
  replace('rateLimited', (before) => (admission, call) => {
    refused.add(call.route.operation);
    return before(admission, call);
  });

test.each<[string, Partial<RunSettings>, readonly string[]]>([
  ['a list and a creation', {}, ['listPets', 'createPet']],
  ['where nothing may be created, a list and an animal', { readOnly: true }, ['listPets', 'getPet']],
  [
    'with leave to provoke a ban, every operation',
    { allowBan: true },
    ['listPets', 'createPet', 'listOrders', 'getPet'],
  ],
  [
    'in the wait of a day as well, every operation',
    { allowBan: true, exhaustDaily: true },
    ['listPets', 'createPet', 'listOrders', 'getPet'],
  ],
])('over the limit is asked for %s', async (_, settings, operations) => {
  const refused = new Set<string | null>();
  const setup = { grants, patch: noting(refused), plansTold: true };
  const { outcome, count } = await judgeOn(setup, { only: ['RATE'], ...settings });
  expect([...refused]).toEqual(operations);
  expect(alarms(outcome)).toEqual([]);
  expect(verdictOf(outcome, 'RATE-5')?.verdict).toBe('passed');
  if (settings.allowBan !== true) expect(count.duringRetryAfter(spare)).toBe(0);
});

/** After the minute in which a Free key is first seen, it is refused for ever. */
const laterMinutesUsedUp: Patch = withState(() => {
  let first: number | null = null;
  return judgeAdmission((admission, { grant }) => {
    const { resetAt } = admission.windowState;
    if (grant?.plan !== 'free') return admission;
    first ??= resetAt;
    return resetAt === first ? admission : refusal(admission.windowState, resetAt, { remaining: 0 });
  });
});

test('a key that is refused again after every wait, and was served before, fails RATE-8', async () => {
  const startsAt = Date.parse('2026-06-01T12:00:59.300Z');
  const setup = { grants, patch: laterMinutesUsedUp, plansTold: true };
  const { outcome } = await judgeOn(setup, { only: ['RATE-8'] }, { startsAt });
  expect(alarms(outcome)).toEqual([
    expect.stringMatching(/^RATE-8: After Retry-After \(\d+, \+1 s\) the next request got 429 again/),
  ]);
});

/** The first and the third request of a Free key are refused, with a wait of 3 s; half of the minute is left to the second. */
const refusedByTurns: Patch = withState(() => {
  let asked = 0;
  return judgeAdmission((admission, { grant, at }) => {
    if (grant?.plan !== 'free') return admission;
    asked += 1;
    const { windowState } = admission;
    if ([1, 3].includes(asked)) return refusal(windowState, at + 3_000, { remaining: 0 });
    return { ...admission, windowState: { ...windowState, remaining: Math.min(30, windowState.remaining) } };
  });
});

test('a key that gets a response after its wait and another 429 later: no failure', async () => {
  const setup = { grants, patch: refusedByTurns, plansTold: true };
  const { outcome } = await judgeOn(setup, { only: ['RATE-5', 'RATE-8'] });
  expect(alarms(outcome)).toEqual([]);
});

/** Of the last requests of a Free key's minute, one is answered with 503. */
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

test('a server that fails while requests remain says nothing of what is over the limit', async () => {
  const setup = { grants, patch: failingNearTheLimit, plansTold: true };
  const { outcome } = await judgeOn(setup, { only: ['RATE-5'] });
  expect(alarms(outcome)).toEqual([]);
});

const limiters = dialects.filter(({ choice }) => choice === 'limiter').map(({ name }) => name);

test.each(limiters.flatMap((name) => [20, 400, 1_100].map((latencyMs) => [name, latencyMs] as const)))(
  'nothing is held against %s, with answers %i ms away',
  async (name, latencyMs) => {
    for (const plan of ['free', 'pro'] as const)
      for (const plansTold of [true, false]) {
        const keys = { ...grants, 'rate-limit': { key: spare, plan } };
        const setup = { grants: keys, dialects: [name], plansTold };
        const { outcome, count } = await judgeOn(setup, { only: ['RATE-5'] }, { latencyMs });
        expect(alarms(outcome)).toEqual([]);
        expect(count.bans()).toBe(0);
      }
  },
);
