import { expect, test } from 'vitest';
import { onAbort } from './abort.ts';

test('abort -> each action runs once, except cancelled ones', () => {
  const controller = new AbortController();
  const calls: string[] = [];
  onAbort(controller.signal, () => calls.push('first'));
  onAbort(controller.signal, () => calls.push('cancelled'))();
  onAbort(controller.signal, () => calls.push('second'));
  controller.abort();
  controller.abort();
  expect(calls).toEqual(['first', 'second']);
});

test('an action cancels a later one -> the later one does not run', () => {
  const controller = new AbortController();
  const calls: string[] = [];
  onAbort(controller.signal, () => {
    calls.push('first');
    cancel();
  });
  const cancel = onAbort(controller.signal, () => calls.push('second'));
  controller.abort();
  expect(calls).toEqual(['first']);
});
