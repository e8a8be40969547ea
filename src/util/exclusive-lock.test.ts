import { expect, test } from 'vitest';
import { createExclusiveLock, type ExclusiveLock } from './exclusive-lock.ts';

/** Lets pending promises settle. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const acquire = (lock: ExclusiveLock, exclusive: boolean) => {
  const state = { held: false, release: () => {} };
  lock.acquire(exclusive).then((release) => Object.assign(state, { held: true, release }));
  return state;
};

test('shared requests -> several hold the lock at once', async () => {
  const lock = createExclusiveLock();
  const both = [acquire(lock, false), acquire(lock, false)];
  await settled();
  expect(both.map(({ held }) => held)).toEqual([true, true]);
});

test('exclusive request -> waits for current holders, comes before later shared requests', async () => {
  const lock = createExclusiveLock();
  const all = [acquire(lock, false), acquire(lock, true), acquire(lock, true), acquire(lock, false)];
  const held = async () => {
    await settled();
    return all.map((each) => each.held);
  };
  expect(await held()).toEqual([true, false, false, false]);
  all[0]?.release();
  expect(await held()).toEqual([true, true, false, false]);
  all[1]?.release();
  expect(await held()).toEqual([true, true, true, false]);
  all[2]?.release();
  expect(await held()).toEqual([true, true, true, true]);
});
