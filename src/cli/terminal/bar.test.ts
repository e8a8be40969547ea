import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProgressState } from './bar.ts';
import { progressLine, renderBar, share, wallTime } from './bar.ts';

const noon = new Date(2026, 2, 1, 12, 0, 0).getTime();
const stateOf = (changes: Partial<ProgressState> = {}): ProgressState => ({
  done: 123,
  planned: 482,
  failures: 2,
  remainingMs: 42_000,
  check: 'LIST-3 limit is honored',
  waiting: null,
  ...changes,
});
const states = fc.record({
  done: fc.nat(),
  planned: fc.nat(),
  failures: fc.nat(),
  remainingMs: fc.option(fc.nat()),
  check: fc.string({ unit: 'binary' }),
  waiting: fc.option(fc.record({ reason: fc.string({ unit: 'binary' }), untilMs: fc.nat() })),
});

describe('renderBar', () => {
  it('any state, any width -> at most so many columns of printable ASCII', () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 1, max: 200 }), (state, width) => {
        const line = renderBar(state, width, noon);
        expect(line.length).toBeLessThanOrEqual(width);
        expect(line).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });
  it('90 columns -> all parts', () => {
    expect(renderBar(stateOf(), 90, noon)).toBe(
      `[######${'-'.repeat(16)}] 123/482  2 failed  42.0 s left  LIST-3 limit is honored`,
    );
  });
  it('20 columns -> the count and the failures', () => {
    expect(renderBar(stateOf(), 20, noon)).toBe('123/482 2 failed');
  });
  it('a wait -> its end and its reason; in few columns its end', () => {
    const waiting = { reason: 'the next window', untilMs: noon + 61_000 };
    expect(renderBar(stateOf({ waiting }), 120, noon)).toMatch(
      /waiting until 12:01:01 {2}123\/482 {2}2 failed {2}42\.0 s left {2}the next window$/,
    );
    expect(renderBar(stateOf({ waiting, done: 9, planned: 50 }), 19, noon)).toBe('till 12:01:01 9/50');
  });
});

describe('share', () => {
  it('any counts -> between 0 and 1', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (done, planned) => {
        const part = share({ done, planned });
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
      }),
    );
    expect(share({ done: 1, planned: 4 })).toBe(0.25);
  });
});

describe('wallTime', () => {
  it('another day -> its date and the time', () => {
    expect(wallTime(noon + 1000, noon)).toBe('12:00:01');
    expect(wallTime(noon + 86_400_000, noon)).toBe('2026-03-02 12:00:00');
  });
});

describe('progressLine', () => {
  it('a state -> count, percentage, failures, and the time left if it is known', () => {
    expect(progressLine(stateOf())).toBe('123/482 requests (25 %), 2 failed, 42.0 s left');
    expect(progressLine(stateOf({ remainingMs: null }))).toBe('123/482 requests (25 %), 2 failed');
  });
});
