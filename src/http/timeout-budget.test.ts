import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimeoutBudget } from './timeout-budget.ts';

const allowanceMs = 30_000;

test('anything goes until the first time-out, however long it takes', () => {
  const watch = createTimeoutBudget(allowanceMs, 10_000);
  watch.started(1, 0);
  expect(watch.ask(1_000_000)).toBe('go');
  watch.ended(1, 1_000_000, false);
  expect(watch.ask(1_000_000)).toBe('go');
});

test('where all hangs, what is let go costs no more than is allowed, however much of it overlaps', () => {
  const gaps = fc.array(fc.nat({ max: 12_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 12_000 }), gaps, (timeoutMs, waits) => {
      const watch = createTimeoutBudget(allowanceMs, timeoutMs);
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
      expect(cost).toBeLessThanOrEqual(allowanceMs);
    }),
  );
});

test('what is in flight is waited for where it may use up the allowance, and counts no more once it is answered', () => {
  const watch = createTimeoutBudget(allowanceMs, 10_000);
  watch.started(1, 0);
  watch.ended(1, 10_000, true);
  watch.started(2, 20_000);
  watch.started(3, 30_000);
  expect(watch.ask(40_000)).toBe('response');
  watch.ended(2, 40_000, false);
  expect(watch.ask(40_000)).toBe('go');
});

test('time-outs that overlap are counted once', () => {
  const watch = createTimeoutBudget(allowanceMs, 10_000);
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];
  for (const id of ids) watch.started(id, 0);
  for (const id of ids) watch.ended(id, 10_000, true);
  expect(watch.ask(10_000)).toBe('go');
});

test('nothing goes once the allowance is spent', () => {
  const watch = createTimeoutBudget(allowanceMs, 10_000);
  for (const id of [1, 2, 3]) {
    watch.started(id, id * 20_000);
    watch.ended(id, id * 20_000 + 10_000, true);
  }
  expect(watch.ask(1_000_000)).toBe('refuse');
});
