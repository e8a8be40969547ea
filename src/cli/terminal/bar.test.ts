import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProgressState } from './bar.ts';
import { progressLine, renderBar, share, wallTime } from './bar.ts';

const noon = new Date(2026, 2, 1, 12, 0, 0).getTime();
const standing = (changes: Partial<ProgressState> = {}): ProgressState => ({
  done: 123,
  planned: 482,
  failures: 2,
  remainingMs: 42_000,
  check: 'LIST-3 limit is honoured',
  waiting: null,
  ...changes,
});
const standings = fc.record({
  done: fc.nat(),
  planned: fc.nat(),
  failures: fc.nat(),
  remainingMs: fc.option(fc.nat()),
  check: fc.string({ unit: 'binary' }),
  waiting: fc.option(fc.record({ reason: fc.string({ unit: 'binary' }), untilMs: fc.nat() })),
});

describe('renderBar', () => {
  it('never takes more columns than there are, nor anything but printable ASCII', () => {
    fc.assert(
      fc.property(standings, fc.integer({ min: 1, max: 200 }), (given, width) => {
        const line = renderBar(given, width, noon);
        expect(line.length).toBeLessThanOrEqual(width);
        expect(line).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });
  it('shows everything where there is room', () => {
    expect(renderBar(standing(), 90, noon)).toBe(
      `[######${'-'.repeat(16)}] 123/482  2 failed  42.0 s left  LIST-3 limit is honoured`,
    );
  });
  it('keeps the count and the failures in 20 columns', () => {
    expect(renderBar(standing(), 20, noon)).toBe('123/482 2 failed');
  });
  it('says until when it waits and why, the former in 20 columns too', () => {
    const waiting = { reason: 'the next window', untilMs: noon + 61_000 };
    expect(renderBar(standing({ waiting }), 120, noon)).toMatch(
      /waiting until 12:01:01 {2}123\/482 {2}2 failed {2}42\.0 s left {2}the next window$/,
    );
    expect(renderBar(standing({ waiting, done: 9, planned: 50 }), 19, noon)).toBe('till 12:01:01 9/50');
  });
});

describe('share', () => {
  it('stays between 0 and 1, also where more is sent than was planned', () => {
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
  it('names the day where it is another one', () => {
    expect(wallTime(noon + 1000, noon)).toBe('12:00:01');
    expect(wallTime(noon + 86_400_000, noon)).toBe('2026-03-02 12:00:00');
  });
});

describe('progressLine', () => {
  it('is a plain sentence', () => {
    expect(progressLine(standing())).toBe('123/482 requests (25 %), 2 failed, 42.0 s left');
    expect(progressLine(standing({ remainingMs: null }))).toBe('123/482 requests (25 %), 2 failed');
  });
});
