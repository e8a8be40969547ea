import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixed, type Limiter } from './limiters-testing.ts';
import { createMinInterval } from './min-interval.ts';
import { simulate, steady, worldOf } from './pacer-testing.ts';

const start = 1_790_000_000_000;
const aSecond = { retryAfter: { kind: 'after', ms: 1_000 }, date: null } as const;

/** A limit per minute that headers show, and a gateway's limit per second that they do not. */
const withGateway = (perSecond: number): Limiter => {
  const minute = fixed(1_000, 60_000, 0);
  const gateway = fixed(perSecond, 1_000, 0);
  let shown = minute(0);
  return (now) => {
    const decision = gateway(now);
    if (!decision.served) return { ...shown, served: false, resetAt: decision.resetAt };
    shown = minute(now);
    return shown;
  };
};

test('hidden limit per second -> a few 429s, then none', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 16 }),
      (perSecond, concurrency) => {
        const world = worldOf(withGateway(perSecond), { ...steady, concurrency }, 300);
        const { unexpected429s, endReason } = simulate(world);
        expect(endReason).toBeNull();
        // At each interval, all requests in flight may get 429.
        expect(unexpected429s).toBeLessThanOrEqual(concurrency + 8);
      },
    ),
  );
});

test('no 429 -> full speed', () => {
  const { tookMs } = simulate(worldOf(withGateway(1_000), steady, 300));
  expect(tookMs).toBeLessThan(3_000);
});

describe('interval', () => {
  const intervalAfter = (
    ...waits: readonly Parameters<ReturnType<typeof createMinInterval>['limited']>[2][]
  ) => {
    const minInterval = createMinInterval();
    let now = start;
    for (const wait of waits) {
      now += 2_000;
      minInterval.sent(now);
      minInterval.limited(now, now + 20, wait);
    }
    return minInterval.intervalMs();
  };

  test('each 429 -> longer, up to one second', () => {
    const intervals = [1, 2, 3, 4, 5, 6].map((count) => intervalAfter(...Array(count).fill(aSecond)));
    expect(intervals).toEqual([60, 120, 250, 500, 1_000, 1_000]);
  });

  test('429 with a date or without a time -> longer', () => {
    const date = start + 60_000;
    expect(intervalAfter({ retryAfter: { kind: 'at', at: date + 3_000 }, date })).toBe(60);
    expect(intervalAfter({ retryAfter: null, date })).toBe(60);
  });

  test('429 with a long wait -> unchanged, because it belongs to a window', () => {
    expect(intervalAfter({ retryAfter: { kind: 'after', ms: 6_000 }, date: null })).toBe(0);
    expect(intervalAfter({ retryAfter: { kind: 'at', at: start + 9_000 }, date: start })).toBe(0);
  });

  test('429 to a request in flight at the last 429 -> unchanged', () => {
    const minInterval = createMinInterval();
    minInterval.sent(start);
    expect(minInterval.limited(start, start + 20, aSecond)).toBe(16);
    expect(minInterval.limited(start + 10, start + 30, aSecond)).toBeNull();
    expect(minInterval.intervalMs()).toBe(60);
  });

  test('429 after some seconds at an interval -> unchanged', () => {
    const minInterval = createMinInterval();
    minInterval.sent(start);
    minInterval.limited(start, start, aSecond);
    for (let now = start + 2_000; now <= start + 7_000; now += 100) minInterval.sent(now);
    expect(minInterval.limited(start + 7_000, start + 7_000, aSecond)).toBeNull();
    expect(minInterval.intervalMs()).toBe(60);
    expect(minInterval.opensAt()).toBe(start + 7_060);
  });
});
