import { expect, test } from 'vitest';
import { onAbort } from './abort.ts';

test('all who wait for a signal are told once, save those who have called it off', () => {
  const controller = new AbortController();
  const told: string[] = [];
  onAbort(controller.signal, () => told.push('first'));
  onAbort(controller.signal, () => told.push('called off'))();
  onAbort(controller.signal, () => told.push('second'));
  controller.abort();
  controller.abort();
  expect(told).toEqual(['first', 'second']);
});

test('whoever is told may call others off', () => {
  const controller = new AbortController();
  const told: string[] = [];
  onAbort(controller.signal, () => {
    told.push('first');
    callOff();
  });
  const callOff = onAbort(controller.signal, () => told.push('second'));
  controller.abort();
  expect(told).toEqual(['first']);
});
