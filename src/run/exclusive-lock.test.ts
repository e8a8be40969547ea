import { expect, test } from 'vitest';
import { createGate } from './exclusive-lock.ts';

/** Lets all that can go on go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const enter = (gate: ReturnType<typeof createGate>, alone: boolean) => {
  const state = { passed: false, leave: () => {} };
  gate.enter(alone).then((leave) => Object.assign(state, { passed: true, leave }));
  return state;
};

test('requests pass side by side', async () => {
  const gate = createGate();
  const [one, two] = [enter(gate, false), enter(gate, false)];
  await settled();
  expect([one.passed, two.passed]).toEqual([true, true]);
});

test('one that wants to be alone waits for those under way, and keeps later ones waiting', async () => {
  const gate = createGate();
  const [before, alone, after] = [enter(gate, false), enter(gate, true), enter(gate, false)];
  await settled();
  expect([before.passed, alone.passed, after.passed]).toEqual([true, false, false]);
  before.leave();
  await settled();
  expect([alone.passed, after.passed]).toEqual([true, false]);
  alone.leave();
  await settled();
  expect(after.passed).toBe(true);
});

test('two that want to be alone pass one after the other', async () => {
  const gate = createGate();
  const [first, second, other] = [enter(gate, true), enter(gate, true), enter(gate, false)];
  await settled();
  expect([first.passed, second.passed]).toEqual([true, false]);
  first.leave();
  await settled();
  expect([second.passed, other.passed]).toEqual([true, false]);
  second.leave();
  await settled();
  expect(other.passed).toBe(true);
});
