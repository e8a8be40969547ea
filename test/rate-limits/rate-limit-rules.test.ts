import { expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { compose, replace, withState } from '../../src/reference/patch-kit/core.ts';
import { changeDecision, refusal, showCounts } from '../../src/reference/patch-kit/rate-limits.ts';
import { setHeader } from '../../src/reference/patch-kit/responses.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { countingServer, mainKey, type ServerSetup } from '../support/counting-server.ts';
import { judge } from '../support/paced-run.ts';
import { alarms, resultOf } from '../support/run-in-words.ts';

/** Each of these full runs fails without one rule of pacing. The rules for headers are in pacing.test.ts. */
const startsAt = Date.parse('2026-06-01T12:00:17.300Z');
const noHeaders = replace('rateLimitHeaders', () => () => ({}));
const lists: Partial<RunSettings> = { only: ['LIST'], runs: 5 };

const setUp = (setup: Partial<ServerSetup>) => {
  const clock = createVirtualClock(startsAt);
  return { clock, ...countingServer({ keys: ['free'], ...setup }, clock, 20) };
};

/** The reasons of requirements without a result. */
const reasons = (outcome: Awaited<ReturnType<typeof judge>>['outcome']): readonly string[] =>
  outcome.requirements.flatMap(({ reason }) => (reason === null ? [] : [reason]));

/** Every 429 says to wait one second. */
const limitedWhile = (isLimited: (at: number, requests: number) => boolean): Patch =>
  withState(() => {
    let requests = 0;
    return changeDecision((decision, { at }) => {
      requests += 1;
      return isLimited(at, requests) ? refusal(decision.windowState, at + 1_000, { remaining: 0 }) : decision;
    });
  });

test('Retry-After ends 7 s early -> waits double until requests succeed', async () => {
  const patch = limitedWhile((at) => at < startsAt + 8_000);
  const { clock, target, count } = setUp({ patch });
  const { outcome } = await judge(target, clock, { only: ['LIST-1'], concurrency: 1 });
  expect(resultOf(outcome, 'LIST-1')?.verdict).toBe('passed');
  expect([count.refused(mainKey), count.duringRetryAfter(mainKey)]).toEqual([3, 0]);
});

test('429 after every wait -> the key is not used after the fourth', async () => {
  const { clock, target, count } = setUp({ patch: limitedWhile((_, requests) => requests > 20) });
  const { outcome } = await judge(target, clock, { ...lists, concurrency: 1 });
  expect(reasons(outcome)).toContainEqual(expect.stringContaining('it seems to be banned'));
  expect([count.refused(mainKey), count.duringRetryAfter(mainKey)]).toEqual([4, 0]);
});

test('no headers and no plan, on a server that is not local -> 60 requests a minute', async () => {
  const { clock, target, count } = setUp({ patch: noHeaders });
  const remote = { ...target, baseUrl: 'http://store.example/v1' };
  const { outcome, tookMs } = await judge(remote, clock, { only: ['LIST', 'GET'], runs: 5 });
  expect([outcome.traffic.rateLimitedUnasked, count.refused(mainKey)]).toEqual([0, 0]);
  expect(tookMs).toBeGreaterThan(60_000);
});

test('the minute is shown and the day of the deduced plan is not -> the day is counted', async () => {
  const { clock, target, count } = setUp({ dialects: ['headers-of-the-minute'] });
  const { outcome } = await judge(target, clock, { only: ['LIST', 'GET-2'], runs: 3_000 });
  expect([outcome.traffic.rateLimitedUnasked, count.refused(mainKey)]).toEqual([0, 0]);
  expect(count.served(mainKey)).toHaveLength(1_000);
  expect(reasons(outcome)).toContainEqual(expect.stringContaining('the limit of the API key is used up'));
});

test('the reset is further away than --max-wait -> the key is not waited for', async () => {
  const window = { limit: 40, seconds: 600 };
  const { clock, target } = setUp({ keys: [{ plan: 'enterprise', window }] });
  const { outcome, tookMs } = await judge(target, clock, { ...lists, maxWait: 60 });
  expect(reasons(outcome)).toContainEqual(expect.stringContaining('the limit of the API key is used up'));
  expect(tookMs).toBeLessThan(10_000);
});

test('the clock of the server is an hour behind -> no 429', async () => {
  const hour = 3_600;
  const patch = compose(
    setHeader('date', (_, { at }) => new Date(at - 1_000 * hour).toUTCString()),
    setHeader('x-ratelimit-reset', (reset) => `${Number(reset) - hour}`),
  );
  const { clock, target, count } = setUp({ patch });
  const { outcome, tookMs } = await judge(target, clock, lists);
  expect([outcome.traffic.rateLimitedUnasked, count.refused(mainKey)]).toEqual([0, 0]);
  expect(tookMs).toBeGreaterThan(60_000);
});

test('others use the key without --shared-key -> noticed, and no alarm', async () => {
  const { clock, target, visit } = setUp({ keys: ['business'] });
  const ended = new AbortController();
  const visiting = visit(mainKey, 40, ended.signal);
  const { outcome } = await judge(target, clock, { only: ['LIST', 'RATE'], concurrency: 1 });
  ended.abort();
  await visiting;
  expect(outcome.observations.filter(({ subject }) => subject === 'other clients')).toHaveLength(1);
  expect(alarms(outcome)).toEqual([]);
});

test('Remaining is always 0 without a valid key, and not enforced -> it is ignored', async () => {
  const patch = replace(
    'rateLimitHeaders',
    (before) => (windowState, call) =>
      before(call.grant === null ? { ...windowState, remaining: 0 } : windowState, call),
  );
  const { clock, target } = setUp({ keys: ['business'], patch });
  const { tookMs } = await judge(target, clock, { only: ['AUTH'] });
  expect(tookMs).toBeLessThan(60_000);
});

test('Remaining is always 0 with a key, and not enforced -> keeps to the limit of the plan', async () => {
  const patch = showCounts(() => ({ remaining: 0 }));
  const { clock, target, count } = setUp({ patch });
  const { outcome, tookMs } = await judge(target, clock, { only: ['LIST'] });
  expect(count.refused(mainKey)).toBe(0);
  expect(tookMs / 60_000).toBeLessThan((1.2 * outcome.traffic.requests) / 60 + 3);
});

test('Remaining is always 0 and Reset always 2 s away, not enforced -> waits half a minute', async () => {
  const patch = compose(
    showCounts(() => ({ remaining: 0 })),
    setHeader('x-ratelimit-reset', (_, { at }) => String(Math.floor(at / 1_000) + 2)),
  );
  const { clock, target, count } = setUp({ keys: ['business'], patch });
  const { tookMs } = await judge(target, clock, { only: ['LIST-3'] });
  expect(count.refused(mainKey)).toBe(0);
  expect(tookMs).toBeLessThan(30_000);
});

test('a bucket of 1 request in 2 s, nearly empty at first -> no 429', async () => {
  const { clock, target, count } = setUp({
    keys: [{ plan: 'enterprise', window: { limit: 30, seconds: 60 } }],
    dialects: ['token-bucket'],
  });
  const url = `${target.baseUrl}/pets`;
  const headers = [['Authorization', `Bearer ${mainKey}`] as const];
  for (let sent = 0; sent < 29; sent += 1)
    await target.transport.send({ method: 'GET', url, headers, body: null }, { timeoutMs: 1_000 });
  const { outcome } = await judge(target, clock, { only: ['LIST-1'] });
  expect(outcome.traffic.rateLimitedUnasked).toBe(0);
  expect(count.refused(mainKey)).toBe(0);
});

test('a limit of 1 request in 2 s -> Remaining 0 is correct, and no wait gets longer', async () => {
  const { clock, target, count } = setUp({
    keys: [{ plan: 'enterprise', window: { limit: 1, seconds: 2 } }],
  });
  const { outcome, tookMs } = await judge(target, clock, { only: ['LIST-1'] });
  expect([outcome.traffic.rateLimitedUnasked, count.refused(mainKey)]).toEqual([0, 0]);
  // A window, and a tolerance for different clocks.
  expect(tookMs).toBeLessThan(3_500 * outcome.traffic.requests);
});

test('no --plan -> the report names none, although the headers show the limit of one', async () => {
  const { clock, target } = setUp({ keys: ['business'] });
  const { outcome } = await judge(target, clock, { only: ['LIST-1'] });
  expect(outcome.target.plan).toBeNull();
});
