import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createVirtualClock } from './virtual-clock.ts';

const year = 365 * 24 * 3_600_000;

test('sleep of one year -> no real time passes', async () => {
  const clock = createVirtualClock(1_000);
  await clock.sleep(year);
  expect(clock.now()).toBe(1_000 + year);
});

test('several sleepers -> wake at their time, in the order of the calls if it is the same', async () => {
  const clock = createVirtualClock(0);
  const woken: string[] = [];
  const sleeper = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push(`${name}@${clock.now()}`);
  };
  await Promise.all([sleeper('late', 30), sleeper('first', 10), sleeper('second', 10), sleeper('zero', 0)]);
  expect(woken).toEqual(['zero@0', 'first@10', 'second@10', 'late@30']);
});

test('a sleeper wakes -> its work runs before the next one wakes', async () => {
  const clock = createVirtualClock(0);
  const seen: number[] = [];
  const chain = async () => {
    for (let step = 0; step < 3; step += 1) {
      await clock.sleep(5);
      seen.push(clock.now());
    }
  };
  await Promise.all([chain(), clock.sleep(12).then(() => seen.push(-12))]);
  expect(seen).toEqual([5, 10, -12, 15]);
});

test('hold -> time stops until the release', async () => {
  const clock = createVirtualClock(0);
  const release = clock.hold();
  const order: string[] = [];
  const slept = clock.sleep(5_000).then(() => order.push(`slept until ${clock.now()}`));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  order.push(`worked at ${clock.now()}`);
  release();
  await slept;
  expect(order).toEqual(['worked at 0', 'slept until 5000']);
});

test('sleep inside a hold -> time moves on during the sleep', async () => {
  const clock = createVirtualClock(0);
  const release = clock.hold();
  for (let step = 0; step < 100; step += 1) await clock.inside.sleep(year);
  release();
  expect(clock.now()).toBe(100 * year);
});

test('hold without a release -> time moves on after a while', async () => {
  const clock = createVirtualClock(0);
  clock.hold();
  await clock.sleep(10_000);
  expect(clock.now()).toBe(10_000);
});

test('aborted sleep -> rejects with the reason, other sleepers keep their time', async () => {
  const clock = createVirtualClock(0);
  const controller = new AbortController();
  const aborted = clock.sleep(1_000, controller.signal).catch((reason: unknown) => reason);
  const other = clock.sleep(50);
  controller.abort('enough');
  expect(await aborted).toBe('enough');
  await other;
  expect(clock.now()).toBe(50);
  await expect(clock.sleep(1, controller.signal)).rejects.toBe('enough');
});

test('real work longer than a stuck hold -> time stops until it ends', async () => {
  const clock = createVirtualClock(0);
  const release = clock.hold();
  const work = new Promise<number>((resolve) => setTimeout(() => resolve(clock.now()), 80));
  const asleep = clock.sleep(10_000).then(() => 'woken');
  expect(await Promise.race([clock.during(work), asleep])).toBe(0);
  release();
  expect(await asleep).toBe('woken');
});
