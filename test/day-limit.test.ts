import { expect, test } from 'vitest';
import { replace } from '../src/reference/patch-kit/core.ts';
import { createVirtualClock } from '../src/time/virtual-clock.ts';
import { countingServer, type Recipe } from './support/counting-server.ts';
import { judge } from './support/paced-run.ts';
import { alarms, verdictOf } from './support/run-in-words.ts';

const startsAt = Date.parse('2026-06-01T12:00:17.300Z');
const spare = 'spare-key-of-these-tests';
const ofFreeKey: Recipe['grants'] = {
  main: { key: 'main-key-of-these-tests', plan: 'business' },
  'rate-limit': { key: spare, plan: 'free' },
};

test.each(['', 'headers-of-the-day', 'sliding-window', 'token-bucket', 'token-by-token'])(
  'the limit of the day is met at its figure: %s',
  async (dialect) => {
    const clock = createVirtualClock(startsAt);
    const dialects = dialect === '' ? [] : [dialect];
    const { target, count } = countingServer({ grants: ofFreeKey, dialects, plansTold: true }, clock, 20);
    const { outcome } = await judge(target, clock, { only: ['RATE'], exhaustDaily: true });
    expect(alarms(outcome)).toEqual([]);
    expect(verdictOf(outcome, 'RATE-11')?.verdict).toBe('passed');
    expect(count.duringRetryAfter(spare)).toBe(0);
    expect(count.bans()).toBe(0);
  },
);

test('a day that others have used before is not asked for again in the wait of its 429', async () => {
  const clock = createVirtualClock(startsAt);
  const usedBefore = replace('limiter', (before) => (window) => {
    const limiter = before(window);
    let used = window.limit === 1_000 && window.seconds > 60 ? 770 : 0;
    const standing = (now: number) => {
      for (; used > 0; used -= 1) limiter.spend(now);
      return limiter.standing(now);
    };
    return { ...limiter, standing };
  });
  const { target, count } = countingServer(
    { grants: ofFreeKey, dialects: ['headers-of-the-minute'], patch: usedBefore, plansTold: true },
    clock,
  );
  const { outcome } = await judge(target, clock, { only: ['RATE'], exhaustDaily: true });
  expect(alarms(outcome)).toEqual([]);
  expect(verdictOf(outcome, 'RATE-11')?.verdict).toBe('passed');
  expect(count.duringRetryAfter(spare)).toBe(0);
});

test.each(['23:50:17', '23:57:50'])(
  'no day that begins meanwhile is held against a server: %s',
  async (time) => {
    const clock = createVirtualClock(Date.parse(`2026-06-01T${time}Z`));
    const { target, count } = countingServer({ grants: ofFreeKey, plansTold: true }, clock, 20);
    const { outcome } = await judge(target, clock, { only: ['RATE'], exhaustDaily: true });
    expect(alarms(outcome)).toEqual([]);
    expect(count.served(spare).length).toBeGreaterThan(1_000);
  },
);
