import { expect, test } from 'vitest';
import { replace } from '../../src/reference/patch-kit/core.ts';
import { spareKey } from '../support/counting-server.ts';
import { judgeOn } from '../support/paced-run.ts';
import { alarms, resultOf } from '../support/run-in-words.ts';

/** A business key, and a rate limit key of the Free plan. */
const keys = ['business', 'free'] as const;

const wholeDay = { only: ['RATE'], exhaustDaily: true };

test.each(['', 'headers-of-the-day', 'sliding-window', 'token-bucket', 'token-by-token'])(
  '%s -> the daily limit is reached at its figure',
  async (dialect) => {
    const dialects = dialect === '' ? [] : [dialect];
    const { outcome, count } = await judgeOn({ keys, dialects, plansKnown: true }, wholeDay);
    expect(alarms(outcome)).toEqual([]);
    expect(resultOf(outcome, 'RATE-11')?.verdict).toBe('passed');
    expect(count.duringRetryAfter(spareKey)).toBe(0);
    expect(count.bans()).toBe(0);
  },
);

test('daily limit partly used by others -> no request while the 429 says to wait', async () => {
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
    { keys, dialects: ['headers-of-the-minute'], patch: usedBefore, plansKnown: true },
    wholeDay,
    { latencyMs: 0 },
  );
  expect(alarms(outcome)).toEqual([]);
  expect(resultOf(outcome, 'RATE-11')?.verdict).toBe('passed');
  expect(count.duringRetryAfter(spareKey)).toBe(0);
});

test.each(['23:50:17', '23:57:50'])(
  '%s -> a day that starts during the run causes no alarm',
  async (time) => {
    const startsAt = Date.parse(`2026-06-01T${time}Z`);
    const { outcome, count } = await judgeOn({ keys, plansKnown: true }, wholeDay, { startsAt });
    expect(alarms(outcome)).toEqual([]);
    expect(count.served(spareKey).length).toBeGreaterThan(1_000);
  },
);
