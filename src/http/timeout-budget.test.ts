import { expect, test } from 'vitest';
import { createTimeoutBudget } from './timeout-budget.ts';

const maxTotalMs = 30_000;

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
