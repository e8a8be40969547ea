import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createServerClock } from './server-clock.ts';

const start = 1_790_000_000_000;
/** A response in local time. `part`: when in its duration the server wrote the Date. */
const response = fc.record({
  sentAt: fc.integer({ min: start, max: start + 600_000 }),
  tookMs: fc.nat({ max: 5_000 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
});
const aheadMs = fc.integer({ min: -7_200_000, max: 7_200_000 });

test('any clocks and latencies -> a server time is never reached too early', () => {
  fc.assert(
    fc.property(aheadMs, fc.array(response, { minLength: 1 }), (ahead, responses) => {
      const clock = createServerClock();
      for (const { sentAt, tookMs, part } of responses) {
        const date = Math.floor((sentAt + part * tookMs + ahead) / 1_000) * 1_000;
        clock.observe(date, sentAt, sentAt + tookMs);
        expect(clock.surelyAfter(start + ahead)).toBeGreaterThanOrEqual(start);
        expect(clock.latest(start)).toBeLessThanOrEqual(start + ahead);
      }
      expect(clock.known()).toBe(true);
    }),
  );
});

test('no Date yet -> the local time', () => {
  const clock = createServerClock();
  expect(clock.known()).toBe(false);
  expect([clock.surelyAfter(start), clock.latest(start)]).toEqual([start, start]);
});

test('server clock was set -> the new time', () => {
  const clock = createServerClock();
  clock.observe(start, start, start + 10);
  clock.observe(start + 3_600_000, start, start + 10);
  expect(clock.surelyAfter(start + 3_600_000)).toBe(start + 10);
  clock.observe(start, start + 20, start + 30);
  expect(clock.surelyAfter(start)).toBe(start + 30);
});
