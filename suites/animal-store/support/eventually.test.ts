import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/time/clock.ts';
import { runContextOf } from '../../../test/support/build.ts';
import { eventually, retryUntil, untilKnown } from './eventually.ts';

/** A clock that only sleeping moves, from 0 on. */
const clockOf = (): Clock => {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms;
    },
  };
};

/** What a look tells that takes so long, at a target that shows everything from a certain time on. */
const looksOf = (clock: Clock, { shownFrom, takes }: { shownFrom: number; takes: number }) => {
  const began: number[] = [];
  const look = async () => {
    began.push(clock.now());
    const isShown = clock.now() >= shownFrom;
    await clock.sleep(takes);
    return isShown ? 'seen' : null;
  };
  return { began, look };
};

describe('what a replica may still miss', () => {
  test('is looked for again for two seconds, and then no more', async () => {
    const clock = clockOf();
    const { began, look } = looksOf(clock, { shownFrom: Number.POSITIVE_INFINITY, takes: 1 });
    expect(await retryUntil(clock, 0, look)).toBeNull();
    expect(began.at(-1)).toBeGreaterThan(2_000);
    expect(began.at(-1)).toBeLessThan(2_200);
  });

  test('is found although answers are so slow that one which comes late tells of what was before', async () => {
    for (const takes of [300, 900, 1_900, 5_000]) {
      const clock = clockOf();
      const { look } = looksOf(clock, { shownFrom: 2_000, takes });
      expect(await retryUntil(clock, 0, look), `${takes} ms`).toBe('seen');
    }
  });

  test('is looked for once where nothing was seen three times in a row, and again where something was', async () => {
    const clock = clockOf();
    const { state } = runContextOf();
    const context = { ...clock, state };
    const looksNeeded = async (shownFrom: number) => {
      const since = clock.now();
      const { began, look } = looksOf(clock, { shownFrom: since + shownFrom, takes: 1 });
      await eventually(context, 'list', since, look);
      return began.length;
    };
    const never = Number.POSITIVE_INFINITY;
    for (let vain = 0; vain < 3; vain += 1) expect(await looksNeeded(never)).toBeGreaterThan(4);
    expect(await looksNeeded(never)).toBe(1);
    expect(await looksNeeded(0)).toBe(1);
    expect(await looksNeeded(never)).toBeGreaterThan(4);
  });

  test('is waited for only while a replica may lack it', async () => {
    const clock = clockOf();
    expect(await untilKnown(clock, [])).toBe(false);
    expect(await untilKnown(clock, [{ at: -500 }, { at: -3_000 }])).toBe(true);
    expect(clock.now()).toBeGreaterThan(1_500);
    expect(await untilKnown(clock, [{ at: -500 }])).toBe(false);
  });

  test('is waited for if a request started while a replica may have lacked it, however late its response', async () => {
    const clock = clockOf();
    await clock.sleep(3_000);
    expect(await untilKnown(clock, [{ at: 0 }], 1_000)).toBe(true);
    expect(await untilKnown(clock, [{ at: 0 }], 2_500)).toBe(false);
    expect(clock.now()).toBe(3_000);
  });
});
