import { expect, test } from 'vitest';
import { createToday } from './today.ts';

const second = 1_000;

test('a setting decides, whatever the target tells', () => {
  const today = createToday(5, () => 70_000);
  today.learn(900_000);
  expect(today.now()).toBe(5);
});

test('until the target tells a time, the clock of the run does', () => {
  expect(createToday(null, () => 70_000).now()).toBe(70_000);
});

test('the time goes on from what the target told', () => {
  let now = 0;
  const today = createToday(null, () => now);
  today.learn(500 * second);
  now = 10 * second;
  expect(today.now()).toBe(510 * second);
});

test('of answers that were long on their way, the one that tells the latest time counts', () => {
  const today = createToday(null, () => 0);
  for (const told of [500, 503, 501]) today.learn(told * second);
  expect(today.now()).toBe(503 * second);
});

test('one Date that is far ahead of the others is not believed', () => {
  const today = createToday(null, () => 0);
  for (const told of [500, 90_000, 500]) today.learn(told * second);
  expect(today.now()).toBe(500 * second);
});
