import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixed, type Limiter } from './limiters-testing.ts';
import { createMinInterval } from './min-interval.ts';
import { simulate, steady, worldOf } from './pacer-testing.ts';

const start = 1_790_000_000_000;
const aSecond = { retryAfter: { kind: 'after', ms: 1_000 }, date: null } as const;

/** A limit per minute that the headers show, behind one per second that they do not. */
const behindAGateway = (perSecond: number): Limiter => {
  const minute = fixed(1_000, 60_000, 0);
  const gateway = fixed(perSecond, 1_000, 0);
  let shown = minute(0);
  return (now) => {
    const said = gateway(now);
    if (!said.served) return { ...shown, served: false, resetAt: said.resetAt };
    shown = minute(now);
    return shown;
  };
};

test('a limit per second that no header shows is met a few times, then no more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 16 }),
      (perSecond, concurrency) => {
        const world = worldOf(behindAGateway(perSecond), { ...steady, concurrency }, 300);
        const { unasked, endedBecause } = simulate(world);
        expect(endedBecause).toBeNull();
        // At each distance what is under way at once may be refused.
        expect(unasked).toBeLessThanOrEqual(concurrency + 8);
      },
    ),
  );
});

test('where no 429 comes nothing is sent apart', () => {
  const { tookMs } = simulate(worldOf(behindAGateway(1_000), steady, 300));
  expect(tookMs).toBeLessThan(3_000);
});

describe('requests go further apart', () => {
  const refused = (...waits: readonly Parameters<ReturnType<typeof createMinInterval>['limited']>[2][]) => {
    const spacing = createMinInterval();
    let now = start;
    for (const wait of waits) {
      now += 2_000;
      spacing.sent(now);
      spacing.limited(now, now + 20, wait);
    }
    return spacing.intervalMs();
  };

  test('by each 429, down to one a second', () => {
    const distances = [1, 2, 3, 4, 5, 6].map((count) => refused(...Array(count).fill(aSecond)));
    expect(distances).toEqual([60, 120, 250, 500, 1_000, 1_000]);
  });

  test('by one that gives a date, or no time', () => {
    const date = start + 60_000;
    expect(refused({ retryAfter: { kind: 'at', at: date + 3_000 }, date })).toBe(60);
    expect(refused({ retryAfter: null, date })).toBe(60);
  });

  test('not by one that asks for a long wait: it speaks of a window', () => {
    expect(refused({ retryAfter: { kind: 'after', ms: 6_000 }, date: null })).toBe(0);
    expect(refused({ retryAfter: { kind: 'at', at: start + 9_000 }, date: start })).toBe(0);
  });

  test('not by what was under way when the last one came', () => {
    const spacing = createMinInterval();
    spacing.sent(start);
    expect(spacing.limited(start, start + 20, aSecond)).toBe(16);
    expect(spacing.limited(start + 10, start + 30, aSecond)).toBeNull();
    expect(spacing.intervalMs()).toBe(60);
  });

  test('not where the distance has done well for some seconds', () => {
    const spacing = createMinInterval();
    spacing.sent(start);
    spacing.limited(start, start, aSecond);
    for (let now = start + 2_000; now <= start + 7_000; now += 100) spacing.sent(now);
    expect(spacing.limited(start + 7_000, start + 7_000, aSecond)).toBeNull();
    expect(spacing.intervalMs()).toBe(60);
    expect(spacing.opensAt()).toBe(start + 7_060);
  });
});
