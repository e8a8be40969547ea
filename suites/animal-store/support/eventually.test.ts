import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/time/clock.ts';
import { runContextOf } from '../../../test/support/build.ts';
import { addFailure, eventually, retryUntil, untilKnown } from './eventually.ts';

/** A clock that starts at 0 and only advances by sleeping. */
const clockOf = (): Clock => {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms;
    },
  };
};

/** A lookup that takes this long, on a target that shows the animal from a certain time on. */
const lookups = (clock: Clock, { shownFrom, takes }: { shownFrom: number; takes: number }) => {
  const startedAt: number[] = [];
  const look = async () => {
    startedAt.push(clock.now());
    const isShown = clock.now() >= shownFrom;
    await clock.sleep(takes);
    return isShown ? 'seen' : null;
  };
  return { startedAt, look };
};

describe('animal that a replica may lack', () => {
  test('never found -> looked up again for 2 s', async () => {
    const clock = clockOf();
    const { startedAt, look } = lookups(clock, { shownFrom: Number.POSITIVE_INFINITY, takes: 1 });
    expect(await retryUntil(clock, 0, look)).toBeNull();
    expect(startedAt.at(-1)).toBeGreaterThan(2_000);
    expect(startedAt.at(-1)).toBeLessThan(2_200);
  });

  test('slow responses that show an old state -> found anyway', async () => {
    for (const takes of [300, 900, 1_900, 5_000]) {
      const clock = clockOf();
      const { look } = lookups(clock, { shownFrom: 2_000, takes });
      expect(await retryUntil(clock, 0, look), `${takes} ms`).toBe('seen');
    }
  });

  test('not found -> failed once, then not looked up again', async () => {
    const clock = clockOf();
    const context = { ...clock, run: runContextOf() };
    const lookupCount = async (shownFrom: number) => {
      const since = clock.now();
      const { startedAt, look } = lookups(clock, { shownFrom: since + shownFrom, takes: 1 });
      await eventually(context, 'LIST-8', since, look);
      return startedAt.length;
    };
    const never = Number.POSITIVE_INFINITY;
    expect(await lookupCount(never)).toBeGreaterThan(4);
    addFailure(context, 'GET-1');
    expect(await lookupCount(never)).toBeGreaterThan(4);
    addFailure(context, 'LIST-8');
    expect(await lookupCount(0)).toBe(0);
  });

  test('waits only while a replica may lack it', async () => {
    const clock = clockOf();
    expect(await untilKnown(clock, [])).toBe(false);
    expect(await untilKnown(clock, [{ at: -500 }, { at: -3_000 }])).toBe(true);
    expect(clock.now()).toBeGreaterThan(1_500);
    expect(await untilKnown(clock, [{ at: -500 }])).toBe(false);
  });

  test('the request started while a replica may have lacked it, late response -> waits', async () => {
    const clock = clockOf();
    await clock.sleep(3_000);
    expect(await untilKnown(clock, [{ at: 0 }], 1_000)).toBe(true);
    expect(await untilKnown(clock, [{ at: 0 }], 2_500)).toBe(false);
    expect(clock.now()).toBe(3_000);
  });
});
