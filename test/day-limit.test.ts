import { expect, test } from 'vitest';
import { replace } from '../src/reference/patch-kit/core.ts';
import type { ServerSetup } from './support/counting-server.ts';
import { judgeOn } from './support/paced-run.ts';
import { alarms, verdictOf } from './support/run-in-words.ts';

const spare = 'spare-key-of-these-tests';
const ofFreeKey: ServerSetup['grants'] = {
  main: { key: 'main-key-of-these-tests', plan: 'business' },
  'rate-limit': { key: spare, plan: 'free' },
};

const wholeDay = { only: ['RATE'], exhaustDaily: true };

test.each(['', 'headers-of-the-day', 'sliding-window', 'token-bucket', 'token-by-token'])(
  'the limit of the day is met at its figure: %s',
  async (dialect) => {
    const dialects = dialect === '' ? [] : [dialect];
    const { outcome, count } = await judgeOn({ grants: ofFreeKey, dialects, plansTold: true }, wholeDay);
    expect(alarms(outcome)).toEqual([]);
    expect(verdictOf(outcome, 'RATE-11')?.verdict).toBe('passed');
    expect(count.duringRetryAfter(spare)).toBe(0);
    expect(count.bans()).toBe(0);
  },
);

test('a day that others have used before is not asked for again in the wait of its 429', async () => {
  const usedBefore = replace('limiter', (before) => (window) => {
    const limiter = before(window);
    let used = window.limit === 1_000 && window.seconds > 60 ? 770 : 0;
    const windowState = (now: number) => {
      for (; used > 0; used -= 1) limiter.spend(now);
      return limiter.windowState(now);
    };
    return { ...limiter, windowState };
  });
  const { outcome, count } = await judgeOn(
    { grants: ofFreeKey, dialects: ['headers-of-the-minute'], patch: usedBefore, plansTold: true },
    wholeDay,
    { latencyMs: 0 },
  );
  expect(alarms(outcome)).toEqual([]);
  expect(verdictOf(outcome, 'RATE-11')?.verdict).toBe('passed');
  expect(count.duringRetryAfter(spare)).toBe(0);
});

test.each(['23:50:17', '23:57:50'])(
  'no day that begins meanwhile is held against a server: %s',
  async (time) => {
    const startsAt = Date.parse(`2026-06-01T${time}Z`);
    const { outcome, count } = await judgeOn({ grants: ofFreeKey, plansTold: true }, wholeDay, { startsAt });
    expect(alarms(outcome)).toEqual([]);
    expect(count.served(spare).length).toBeGreaterThan(1_000);
  },
);
