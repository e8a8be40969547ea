import { describe, expect, test } from 'vitest';
import { type WindowState, waitFor } from './estimate.ts';

/** A window by the clock, 30 s before its end. */
const standing = (changes: Partial<WindowState> = {}): WindowState => ({
  limit: 60,
  perWindow: 60,
  left: 58,
  windowMs: 60_000,
  untilRenewal: 31_000,
  margin: 1_000,
  quietPeriod: null,
  ...changes,
});

describe('how long requests wait for the limit', () => {
  test('not at all while some are left', () => {
    expect(waitFor(58, standing())).toBe(0);
    expect(waitFor(0, standing({ left: 0 }))).toBe(0);
  });

  test('in windows by the clock, until this one ends and for each whole one after it', () => {
    expect(waitFor(59, standing())).toBe(31_000);
    expect(waitFor(58 + 60, standing())).toBe(31_000);
    expect(waitFor(58 + 61, standing())).toBe(91_000);
  });

  test('in windows that begin with a request, later each time', () => {
    const begun = standing({ untilRenewal: 60_000 });
    expect(waitFor(59, begun)).toBe(60_000);
    expect(waitFor(58 + 121, begun)).toBe(60_000 + 2 * 61_750);
  });

  test('in a bucket, until it is full again each time', () => {
    const bucket = standing({ untilRenewal: 3_000 });
    expect(waitFor(59, bucket)).toBe(61_750);
    expect(waitFor(58 + 61, bucket)).toBe(2 * 61_750);
  });

  test('beside neighbours, as long as our own quietPeriod lasts', () => {
    expect(waitFor(58 + 54, standing({ perWindow: 54, quietPeriod: 64_000 }))).toBe(64_000);
  });
});
