import { expect, test } from 'vitest';
import { createDoubt, type Despite } from './doubt.ts';

const empty = { limit: 60, remaining: 0 };
const longWait = 60_000;

/** Whether a request may find out, after these answers. */
const asksAfter = (
  answers: readonly (Despite | null)[],
  { slot = 'main' as 'main' | 'anonymous', sharedKey = false, headers = empty } = {},
): boolean => {
  const doubt = createDoubt(slot, () => sharedKey);
  for (const despite of answers) doubt.heard(200, headers, despite);
  return doubt.mayAsk(longWait);
};

test('a first Remaining of 0 is in doubt without a key, and believed with one', () => {
  expect(asksAfter([null], { slot: 'anonymous' })).toBe(true);
  expect(asksAfter([null, null, null])).toBe(false);
});

test('with a key it is in doubt when two long waits were each good for one request', () => {
  const afterLongWait = 'renewal after a long wait';
  expect(asksAfter([afterLongWait])).toBe(false);
  expect(asksAfter([afterLongWait, afterLongWait])).toBe(true);
  expect(asksAfter([afterLongWait, null, afterLongWait])).toBe(false);
  expect(asksAfter([afterLongWait, afterLongWait], { sharedKey: true })).toBe(false);
  expect(asksAfter([afterLongWait, afterLongWait], { headers: { limit: 2, remaining: 0 } })).toBe(false);
});

test('what was left once is believed when it is used up', () => {
  const doubt = createDoubt('anonymous', () => false);
  doubt.heard(200, { limit: 60, remaining: 1 }, null);
  doubt.heard(200, empty, null);
  expect(doubt.mayAsk(longWait)).toBe(false);
});

test('a short wait is not worth a doubt, until there have been several', () => {
  const doubt = createDoubt('anonymous', () => false);
  doubt.heard(200, empty, null);
  expect(doubt.mayAsk(1_000)).toBe(false);
  doubt.heard(200, empty, 'renewal');
  doubt.heard(200, empty, 'renewal');
  expect(doubt.mayAsk(1_000)).toBe(true);
});

test('the request that finds out confirms it, or refutes it for good', () => {
  for (const [status, isConfirmed] of [
    [200, true],
    [429, false],
  ] as const) {
    const doubt = createDoubt('anonymous', () => false);
    doubt.heard(200, empty, null);
    doubt.heard(status, empty, 'doubt');
    doubt.heard(200, empty, null);
    expect(doubt.isConfirmed()).toBe(isConfirmed);
    expect(doubt.mayAsk(longWait)).toBe(false);
  }
});
