import { describe, expect, it } from 'vitest';
import { breachOf } from '../../../test/support/build.ts';
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
/** A failure whose message is replaced by this text. */
const failed = (requirement: string, message: string): RunEvent => ({
  kind: 'failed',
  requirement,
  breach: breachOf(requirement),
  redact: () => message,
});
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
  reason: 'the next window',
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
    expect(takeOutput()).toBe('Waiting until 12:01:00 (1 min 0 s): the next window\n');
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
      'Waiting until 12:00:03 (3.0 s): the next window',
      'Waiting until 12:01:03 (3.0 s): the next window',
    ]);
    progress.watch({ ...waiting(start + 200_000), reason: 'a 429' });
    expect(takeOutput()).toContain('a 429');
  });
  it('the end of a wait -> one line', () => {
    const { progress, pass, takeOutput } = setUp(false);
    progress.watch(waiting(start + 5_000));
    progress.watch(at(1, 10_000));
    pass(5_000);
    progress.watch(at(2, 10_000));
    progress.watch(at(3, 10_000));
    expect(takeOutput()).toBe('Waiting until 12:00:05 (5.0 s): the next window\nContinuing after 5.0 s\n');
  });
  it('control characters in messages -> not written', () => {
    const { progress, pass, takeOutput } = setUp(false);
    progress.watch({ kind: 'note', text: 'plain\u001b[2J\r\nnot a line of its own' });
    progress.watch(failed('LIST-1', 'a title: \u001b]0;title\u0007'));
    pass(10_000);
    progress.watch(at(50));
    progress.stop();
    const text = takeOutput();
    for (const control of ['\u001b', '\u0007', '\r']) expect(text).not.toContain(control);
    expect(text.trimEnd().split('\n')).toHaveLength(3);
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
    progress.watch({ kind: 'note', text: 'a note' });
    expect(takeOutput()).toBe(`${erase}a note\n`);
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
    progress.watch({ kind: 'planned', requests: 482, estimateMs: 0, note: '1000 a minute' });
    expect(takeOutput()).toBe('482 requests planned, no wait for a rate limit (1000 a minute)\n');
  });
  it('a plan with long waits -> advice on a faster run', () => {
    const { progress, takeOutput } = setUp(false);
    progress.watch({ kind: 'planned', requests: 482, estimateMs: 480_000, note: '60 a minute' });
    const [plan, advice] = takeOutput().split('\n');
    expect(plan).toBe('482 requests planned, about 8 min 0 s (60 a minute)');
    expect(advice).toMatch(/^Faster: raise the rate limit .*--budget 300.*--only CREATE/);
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
  it('failures, warnings, and known failures -> each named once, only failures counted', () => {
    const knownFailures = { warnings: new Set(['AUTH-6']), known: new Set(['LIST-4']) };
    const { progress, pass, takeOutput } = setUp(false, 80, knownFailures);
    for (const requirement of ['LIST-1', 'LIST-1', 'AUTH-6', 'LIST-4', 'GEN-3'])
      progress.watch(failed(requirement, 'no'));
    expect(takeOutput()).toBe('');
    pass(10_000);
    progress.watch(at(100));
    expect(takeOutput()).toBe(
      '100/100 requests (100 %), 2 failed\n✕ LIST-1 no\n! AUTH-6 no\n✕ LIST-4 (known) no\n✕ GEN-3 no\n',
    );
  });
  it.each([true, false])('failures -> named before a wait, not in a quick run (live: %s)', (live) => {
    const { progress, takeOutput } = setUp(live);
    progress.watch(failed('LIST-1', 'one'));
    progress.stop();
    expect(takeOutput()).toBe('');
    progress.watch(waiting(start + 60_000));
    expect(takeOutput()).toContain('✕ LIST-1 one\n');
  });
});
