import { expect, test } from 'vitest';
import type { Call } from '../../src/reference/parts.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { compose, replace } from '../../src/reference/patch-kit/core.ts';
import { showCounts } from '../../src/reference/patch-kit/rate-limits.ts';
import { mainKey } from '../support/counting-server.ts';
import { judgeOn } from '../support/paced-run.ts';
import { alarms } from '../support/run-in-words.ts';

/** Shows Reset in another form than a Unix time in seconds, from its time and the time until it, in milliseconds. */
const showReset = (reset: (at: number, toGo: number) => number): Patch =>
  replace('rateLimitHeaders', (before) => (standing, call) => ({
    ...before(standing, call),
    'x-ratelimit-reset': `${Math.ceil(reset(standing.resetAt, standing.resetAt - call.at))}`,
  }));

const callerIs = (caller: (call: Call, known: string) => string): Patch =>
  replace('caller', (before) => (call) => caller(call, before(call)));

const carriesKey = ({ request: { url, headers } }: Call): boolean =>
  [url, headers.get('authorization'), headers.get('x-api-key')].join(' ').includes(mainKey);

const creationsCostTwo: Patch = replace('admit', (admit) => (call) => {
  const decision = admit(call);
  const isTwo = call.grant !== null && call.request.method === 'POST';
  return isTwo && decision.verdict === 'admitted' ? admit(call) : decision;
});

/** A server, the maximal minutes of a default run with a Free key on the virtual clock, and the failed requirements. */
test.each<readonly [name: string, patch: Patch, minutes: number, failed: readonly string[]]>([
  ['a plain server', compose(), 12, []],
  [
    'Remaining counts up',
    showCounts(({ window, remaining }) => ({ remaining: window.limit - remaining })),
    12,
    ['RATE-4'],
  ],
  ['Reset in milliseconds to go', showReset((_, toGo) => toGo), 13.6, ['RATE-2']],
  ['Reset in milliseconds since the epoch', showReset((at) => at), 12, ['RATE-2']],
  ['requests counted by address', callerIs(() => 'an address'), 14, []],
  [
    'the key charged in any place of the request',
    callerIs((call) => (carriesKey(call) ? 'the key' : 'nobody')),
    13,
    [],
  ],
  ['a counter for each operation', callerIs(({ route }, known) => `${known} ${route.operation}`), 12, []],
  ['creations cost two', creationsCostTwo, 18, []],
])('a default run with a Free key: %s', async (_name, patch, minutes, failed) => {
  const { outcome, tookMs, count } = await judgeOn({ keys: ['free'], patch });
  expect(alarms(outcome).map((alarm) => alarm.split(':')[0])).toEqual(failed);
  expect([outcome.traffic.rateLimitedUnasked, count.refused(mainKey)]).toEqual([0, 0]);
  // A short run must not be one that ended early.
  expect(outcome.traffic.requests).toBeGreaterThan(800);
  expect(tookMs / 60_000).toBeLessThan(minutes);
  expect(outcome.observations.filter(({ subject }) => subject === 'other clients')).toEqual([]);
});

test('Remaining counts up, but a gateway with a limit of its own counts down -> no wait at the end of a window', async () => {
  let made = 0;
  const patch = showCounts((_, { request: { method } }) => {
    made += 1;
    return ['GET', 'POST'].includes(method) ? { remaining: made } : { limit: 10_000, remaining: 9_999 };
  });
  const startsAt = Date.parse('2026-06-01T12:00:55.300Z');
  const { outcome, tookMs, count } = await judgeOn(
    { keys: ['business'], patch },
    { budget: 300 },
    { startsAt },
  );
  expect(alarms(outcome).map((alarm) => alarm.split(':')[0])).toEqual(['RATE-4']);
  expect(count.refused(mainKey)).toBe(0);
  expect(tookMs).toBeLessThan(30_000);
});
