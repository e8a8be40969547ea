import { expect, test } from 'vitest';
import { windowFromFirst } from '../../src/reference/limiter.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { compose, replace } from '../../src/reference/patch-kit/core.ts';
import { editReply } from '../../src/reference/patch-kit/responses.ts';
import { likelyBug } from '../../src/report/likely-bugs.ts';
import { mainKey, type ServerSetup, spareKey } from '../support/counting-server.ts';
import { judgeOn } from '../support/paced-run.ts';
import { alarms, resultOf } from '../support/run-in-words.ts';

const startsAt = Date.parse('2026-06-01T12:00:17.300Z');
/** A key of an unknown plan, with 40 requests in 6 s. */
const ofSixSeconds: ServerSetup['keys'] = [{ plan: 'enterprise', window: { limit: 40, seconds: 6 } }];

const resetAt = (time: (at: number, resetAt: number) => number): Patch =>
  compose(
    replace('limiter', () => windowFromFirst),
    replace(
      'rateLimitHeaders',
      (before) => (windowState, call) =>
        before({ ...windowState, resetAt: time(call.at, windowState.resetAt) }, call),
    ),
  );

const judgeWith = (setup: ServerSetup, settings = {}) =>
  judgeOn(setup, { budget: 300, ...settings }, { startsAt, latencyMs: 5 });

test.each<[string, Patch]>([
  ['always a second away', resetAt((at) => at + 1_000)],
  ['the time of the request', resetAt((at) => at)],
  ['three seconds early', resetAt((at, end) => Math.max(at, end - 3_000))],
])('RATE-13 on the API key alone: Reset is %s -> failed', async (_, patch) => {
  const { outcome } = await judgeWith({ keys: ofSixSeconds, patch });
  expect(resultOf(outcome, 'RATE-13')?.verdict).toBe('failed');
});

test('RATE-2 on the API key alone: Reset never moves while Remaining rises again -> failed', async () => {
  const patch = resetAt(() => startsAt + 8_000);
  const { outcome } = await judgeWith({ keys: ofSixSeconds, patch });
  expect(resultOf(outcome, 'RATE-2')?.verdict).toBe('failed');
});

test.each<[string, Patch]>([
  ['right', resetAt((_, end) => end)],
  ['rounded down', resetAt((_, end) => Math.floor(end / 1_000) * 1_000)],
  ['a second late', resetAt((_, end) => end + 1_000)],
])('RATE-13 on the API key alone: Reset is %s -> passed', async (_, patch) => {
  const { outcome } = await judgeWith({ keys: ofSixSeconds, patch });
  expect(alarms(outcome)).toEqual([]);
  expect(resultOf(outcome, 'RATE-13')?.verdict).toBe('passed');
});

test('RATE-6: the day is shown, and the minute of an unknown plan is reached -> inconclusive', async () => {
  const quota = replace('windows', () => () => [
    { limit: 77, seconds: 60 },
    { limit: 7_777, seconds: 86_400 },
  ]);
  const dialects = ['headers-of-the-day-in-each-429'];
  const { outcome, count } = await judgeWith({ keys: ['free'], dialects, patch: quota });
  expect(count.refused(mainKey)).toBeGreaterThan(0);
  expect(alarms(outcome)).toEqual([]);
});

test('no limit is enforced and Remaining never changes -> RATE-4 and RATE-5 failed', async () => {
  const keys: ServerSetup['keys'] = ['business', { plan: 'free', window: { limit: 20, seconds: 4 } }];
  const patch = replace('counts', () => () => false);
  const { outcome } = await judgeWith({ keys, patch }, { budget: null, only: ['RATE-4', 'RATE-5'] });
  for (const id of ['RATE-4', 'RATE-5']) expect([id, resultOf(outcome, id)?.verdict]).toEqual([id, 'failed']);
});

test('both keys share a limit -> RATE-9 failed, and the text names one account as the other explanation', async () => {
  const patch = replace('caller', () => () => 'everybody');
  const { outcome } = await judgeWith({ keys: ['free', 'free'], patch }, { budget: null, only: ['RATE-9'] });
  const result = resultOf(outcome, 'RATE-9');
  const [failure] = result?.failures ?? [];
  expect(failure?.message).toMatch(/both keys belong to one account/);
  expect(result && failure && likelyBug(result, failure, outcome)?.text).toMatch(/count them by API key/);
});

test('a limit that is too large to be used up -> inconclusive, after few requests', async () => {
  const huge = { plan: 'enterprise', window: { limit: 1_000_000, seconds: 60 } } as const;
  const { outcome, count } = await judgeWith(
    { keys: ['business', huge] },
    { budget: null, only: ['RATE-5', 'RATE-13'] },
  );
  const { verdict, reason } = resultOf(outcome, 'RATE-5') ?? {};
  expect(verdict).toBe('inconclusive');
  expect(reason).toMatch(/A limit of 1000000 is not used up/);
  expect(count.arrivals.filter(({ key }) => key === spareKey).length).toBeLessThan(10);
});

test('every list fails -> no wait with the other key', async () => {
  const patch = editReply({ operation: 'listPets', status: 200 }, (reply) => ({ ...reply, status: 500 }));
  const setup: ServerSetup = { keys: ['business', 'free'], patch, plansKnown: true };
  const { tookMs } = await judgeWith(setup, { budget: null, only: ['RATE-9'] });
  expect(tookMs).toBeLessThan(130_000);
});
