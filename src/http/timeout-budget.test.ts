import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimeoutBudget } from './timeout-budget.ts';

const maxTotalMs = 30_000;

test('no time-out yet -> go, however slow responses are', () => {
  const watch = createTimeoutBudget(maxTotalMs, 10_000);
  watch.started(1, 0);
  expect(watch.ask(1_000_000)).toBe('go');
  watch.ended(1, 1_000_000, false);
  expect(watch.ask(1_000_000)).toBe('go');
});

test('all requests hang -> the total with overlaps stays within the maximum', () => {
  const gaps = fc.array(fc.nat({ max: 12_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 12_000 }), gaps, (timeoutMs, waits) => {
      const watch = createTimeoutBudget(maxTotalMs, timeoutMs);
      watch.started(0, 0);
      watch.ended(0, timeoutMs, true);
      const hung = [0];
      let now = timeoutMs;
      for (const [index, gap] of waits.entries()) {
        now += gap;
        if (watch.ask(now) !== 'go') continue;
        watch.started(index + 1, now);
        watch.ended(index + 1, now + timeoutMs, true);
        hung.push(now);
      }
      const cost = hung.reduce(
        (sum, at, index) => sum + Math.min(timeoutMs, (hung[index + 1] ?? at + timeoutMs) - at),
        0,
      );
      expect(cost).toBeLessThanOrEqual(maxTotalMs);
    }),
  );
});

test('requests in flight may use up the budget -> wait for a response, then go', () => {
  const watch = createTimeoutBudget(maxTotalMs, 10_000);
  watch.started(1, 0);
  watch.ended(1, 10_000, true);
  watch.started(2, 20_000);
  watch.started(3, 30_000);
  expect(watch.ask(40_000)).toBe('response');
  watch.ended(2, 40_000, false);
  expect(watch.ask(40_000)).toBe('go');
});

test('overlapping time-outs -> counted once', () => {
  const watch = createTimeoutBudget(maxTotalMs, 10_000);
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const id of ids) watch.started(id, 0);
  for (const id of ids) watch.ended(id, 10_000, true);
  expect(watch.ask(10_000)).toBe('go');
});

test('budget used up -> refuse', () => {
  const watch = createTimeoutBudget(maxTotalMs, 10_000);
  for (const id of [1, 2, 3]) {
    watch.started(id, id * 20_000);
    watch.ended(id, id * 20_000 + 10_000, true);
  }
  expect(watch.ask(1_000_000)).toBe('refuse');
});
