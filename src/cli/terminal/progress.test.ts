import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../run/run-deps.ts';
import type { Clock } from '../../time/clock.ts';
import { createProgress, type KnownFailureSet } from './progress.ts';

const erase = '\r\u001b[K';
const start = new Date(2026, 2, 1, 12, 0, 0).getTime();

const setUp = (
  live: boolean,
  width = 80,
  knownFailures: KnownFailureSet = { warnings: new Set(), known: new Set() },
) => {
  let now = start;
  let written = '';
  const clock: Clock = { now: () => now, sleep: () => Promise.resolve() };
  const screen = {
    write: (text: string) => {
      written += text;
    },
    columns: () => width,
    live,
    color: false,
  };
  return {
    progress: createProgress(screen, clock, knownFailures),
    pass: (ms: number) => {
      now += ms;
    },
    /** Returns what was written since the last call. */
    takeOutput: () => {
      const text = written;
      written = '';
      return text;
    },
  };
};
const failed = (requirement: string): RunEvent => ({ kind: 'failed', requirement });
const blocked = (requirement: string): RunEvent => ({ kind: 'blocked', requirement });
const at = (done: number, planned = 100): Extract<RunEvent, { kind: 'progress' }> => ({
  kind: 'progress',
  done,
  planned,
  failures: 0,
  remainingMs: null,
  check: 'LIST-1',
});
const waiting = (untilMs: number): Extract<RunEvent, { kind: 'waiting' }> => ({
  kind: 'waiting',
  reason: { kind: 'limit', slot: 'main', limit: 60 },
  untilMs,
});

describe('createProgress in a log', () => {
  it('30 s of progress -> 3 lines', () => {
    const { progress, pass, takeOutput } = setUp(false);
    for (let second = 0; second < 30; second++) {
      pass(1000);
      progress.watch(at(1, 10_000));
    }
    expect(takeOutput().trimEnd().split('\n')).toHaveLength(3);
  });
  it('a long wait -> one line; a short wait -> none', () => {
    const { progress, takeOutput } = setUp(false);
    progress.watch(waiting(start + 500));
    expect(takeOutput()).toBe('');
    for (let request = 0; request < 5; request++) progress.watch(waiting(start + 60_000 + request));
    expect(takeOutput()).toBe(
      'Waiting until 12:01:00 (1 min 0 s): rate limit of 60 requests reached (API key)\n',
    );
  });
  it('waits for the same reason -> one line a minute; for another reason -> a line at once', () => {
    const { progress, pass, takeOutput } = setUp(false);
    for (let seconds = 0; seconds < 90; seconds += 3) {
      progress.watch(waiting(start + 3_000 * (seconds / 3 + 1)));
      progress.watch(at(1, 10_000));
      pass(3_000);
    }
    const waits = takeOutput()
      .split('\n')
      .filter((line) => line.startsWith('Waiting'));
    expect(waits).toEqual([
      'Waiting until 12:00:03 (3.0 s): rate limit of 60 requests reached (API key)',
      'Waiting until 12:01:03 (3.0 s): rate limit of 60 requests reached (API key)',
    ]);
    progress.watch({ ...waiting(start + 200_000), reason: { kind: 'after-429', slot: 'main' } });
    expect(takeOutput()).toContain('after a 429 (API key)');
  });
  it('the end of a wait -> one line', () => {
    const { progress, pass, takeOutput } = setUp(false);
    progress.watch(waiting(start + 5_000));
    progress.watch(at(1, 10_000));
    pass(5_000);
    progress.watch(at(2, 10_000));
    progress.watch(at(3, 10_000));
    expect(takeOutput()).toBe(
      'Waiting until 12:00:05 (5.0 s): rate limit of 60 requests reached (API key)\nContinuing after 5.0 s\n',
    );
  });
  it('control characters in messages -> not written', () => {
    const { progress, takeOutput } = setUp(false);
    progress.watch({ kind: 'note', note: { kind: 'not-found', baseUrl: 'http://a\u001b[2J\r\nb/v1' } });
    progress.stop();
    const text = takeOutput();
    for (const control of ['\u001b', '\u0007', '\r']) expect(text).not.toContain(control);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('createProgress on a terminal', () => {
  it('progress -> the bar is redrawn in place, at most every 100 ms', () => {
    const { progress, pass, takeOutput } = setUp(true);
    progress.watch(at(1));
    progress.watch(at(2));
    expect(takeOutput().split(erase)).toHaveLength(2);
    pass(100);
    progress.watch(at(3));
    expect(takeOutput()).toMatch(/3\/100/);
  });
  it('a note, or the end -> the bar is removed first, once', () => {
    const { progress, takeOutput } = setUp(true);
    progress.watch(at(1));
    takeOutput();
    progress.watch({ kind: 'note', note: { kind: 'server-back', afterMs: 2_000 } });
    expect(takeOutput()).toBe(`${erase}The server accepts connections again after 2.0 s\n`);
    progress.watch(at(2));
    takeOutput();
    progress.stop();
    expect(takeOutput()).toBe(erase);
    progress.stop();
    expect(takeOutput()).toBe('');
  });
  it('a full line -> the last column stays free', () => {
    const { progress, takeOutput } = setUp(true, 20);
    progress.watch(waiting(start + 60_000));
    progress.watch(at(1));
    for (const frame of takeOutput().split(erase)) expect(frame.length).toBeLessThan(20);
  });
  it('a wait -> shown at once', () => {
    const { progress, takeOutput } = setUp(true);
    progress.watch(at(1));
    takeOutput();
    progress.watch(waiting(start + 60_000));
    expect(takeOutput()).toContain('waiting until 12:01:00');
  });
});

describe('createProgress on both', () => {
  it.each([true, false])('a plan -> its requests and waits (live: %s)', (live) => {
    const { progress, takeOutput } = setUp(live);
    progress.watch({
      kind: 'planned',
      requests: 482,
      creations: 0,
      estimateMs: 0,
      longestMs: 0,
      leftToday: null,
      basis: { kind: 'none' },
      day: null,
      usesUpLimit: 'no',
    });
    expect(takeOutput()).toBe(
      '482 requests planned, no wait for a rate limit (no rate limit detected; failures are sent again, which adds requests)\n',
    );
  });
  it('a plan with long waits -> advice on a faster run', () => {
    const { progress, takeOutput } = setUp(false);
    progress.watch({
      kind: 'planned',
      requests: 482,
      creations: 90,
      estimateMs: 480_000,
      longestMs: 480_000,
      leftToday: null,
      basis: { kind: 'evenly', limit: 60 },
      day: { plan: 'free', requests: 1_000 },
      usesUpLimit: 'known',
    });
    const [plan, advice] = takeOutput().split('\n');
    expect(plan).toBe(
      '482 requests planned, about 8 min 0 s (60 requests a minute, sent evenly; about 90 creations; the free plan allows 1,000 a day; includes using up the limit of the rate-limit key; failures are sent again, which adds requests)',
    );
    expect(advice).toMatch(/^Faster: raise the rate limit .*--budget 300.*--only CREATE/);
  });
  it('a plan with long waits and few requests -> no advice to send fewer', () => {
    const { progress, takeOutput } = setUp(false);
    const time = { estimateMs: 180_000, longestMs: 180_000, leftToday: null, day: null };
    const basis = { kind: 'evenly', limit: 60 } as const;
    progress.watch({ kind: 'planned', requests: 199, creations: 0, ...time, basis, usesUpLimit: 'no' });
    expect(takeOutput()).toMatch(/\nFaster: raise the rate limit on a test server\n$/);
  });
  it('the first requests wait long -> no estimate by their pace, nor by the longest wait for one response', () => {
    const { progress, pass, takeOutput } = setUp(false);
    progress.watch(at(0, 800));
    pass(12_000);
    progress.watch(at(20, 800));
    expect(takeOutput()).toBe('20/800 requests (2 %), 0 failed\n');
    pass(5_000);
    progress.watch(at(399, 800));
    pass(9_000);
    progress.watch(at(400, 800));
    expect(takeOutput()).toBe('400/800 requests (50 %), 0 failed, 17.0 s left\n');
  });
  it('the time left -> by the pace so far, or by the rate limit if that is longer', () => {
    const { progress, pass, takeOutput } = setUp(false);
    progress.watch(at(0));
    pass(10_000);
    progress.watch(at(20));
    expect(takeOutput()).toBe('20/100 requests (20 %), 0 failed, 40.0 s left\n');
    pass(10_000);
    progress.watch({ ...at(40), remainingMs: 60_000 });
    expect(takeOutput()).toBe('40/100 requests (40 %), 0 failed, 1 min 0 s left\n');
  });
  it('failures, warnings, and known failures -> each named once, in a line every ten seconds, only failures counted', () => {
    const knownFailures = { warnings: new Set(['AUTH-6']), known: new Set(['LIST-4']) };
    const { progress, pass, takeOutput } = setUp(false, 80, knownFailures);
    for (const requirement of ['LIST-1', 'LIST-1', 'AUTH-6', 'LIST-4', 'GEN-3'])
      progress.watch(failed(requirement));
    expect(takeOutput()).toBe('');
    pass(10_000);
    progress.watch(at(90));
    expect(takeOutput()).toBe(
      '90/100 requests (90 %), 2 failed\n✕ Failed so far: LIST-1, GEN-3 ! Warned so far: AUTH-6 ✕ Known failures: LIST-4\n',
    );
    progress.watch(failed('GET-2'));
    progress.watch(at(95));
    expect(takeOutput()).toBe('');
  });
  it('a failure that is blocked later -> neither counted nor named any more', () => {
    const { progress, pass, takeOutput } = setUp(false);
    for (const requirement of ['GET-2', 'GET-1']) progress.watch(failed(requirement));
    progress.watch(blocked('GET-2'));
    pass(10_000);
    progress.watch(at(90));
    expect(takeOutput()).toBe('90/100 requests (90 %), 1 failed\n✕ Failed so far: GET-1\n');
  });
  it.each([true, false])('failures -> named before a wait, not in a quick run (live: %s)', (live) => {
    const { progress, takeOutput } = setUp(live);
    progress.watch(failed('LIST-1'));
    progress.stop();
    expect(takeOutput()).toBe('');
    progress.watch(waiting(start + 60_000));
    expect(takeOutput()).toContain('✕ Failed so far: LIST-1\n');
  });
});
