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
    colour: false,
  };
  return {
    progress: createProgress(screen, clock, knownFailures),
    pass: (ms: number) => {
      now += ms;
    },
    /** What was written since the last look. */
    look: () => {
      const text = written;
      written = '';
      return text;
    },
  };
};
/** A failure with these words in place of its message. */
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

describe('in a log', () => {
  it('says a line every ten seconds', () => {
    const { progress, pass, look } = setUp(false);
    for (let second = 0; second < 30; second++) {
      pass(1000);
      progress.watch(at(1, 10_000));
    }
    expect(look().trimEnd().split('\n')).toHaveLength(3);
  });
  it('says once why it waits, and nothing about waits of a moment', () => {
    const { progress, look } = setUp(false);
    progress.watch(waiting(start + 500));
    expect(look()).toBe('');
    for (let request = 0; request < 5; request++) progress.watch(waiting(start + 60_000 + request));
    expect(look()).toBe('Waiting until 12:01:00 (1 min 0 s): the next window\n');
  });
  it('says again why it waits after a minute at the soonest, but another reason at once', () => {
    const { progress, pass, look } = setUp(false);
    for (let seconds = 0; seconds < 90; seconds += 3) {
      progress.watch(waiting(start + 3_000 * (seconds / 3 + 1)));
      progress.watch(at(1, 10_000));
      pass(3_000);
    }
    const waits = look()
      .split('\n')
      .filter((line) => line.startsWith('Waiting'));
    expect(waits).toEqual([
      'Waiting until 12:00:03 (3.0 s): the next window',
      'Waiting until 12:01:03 (3.0 s): the next window',
    ]);
    progress.watch({ ...waiting(start + 200_000), reason: 'silence' });
    expect(look()).toContain('silence');
  });
  it('says when a wait is over, once', () => {
    const { progress, pass, look } = setUp(false);
    progress.watch(waiting(start + 5_000));
    progress.watch(at(1, 10_000));
    pass(5_000);
    progress.watch(at(2, 10_000));
    progress.watch(at(3, 10_000));
    expect(look()).toBe('Waiting until 12:00:05 (5.0 s): the next window\nContinuing after 5.0 s\n');
  });
  it('never moves a cursor, whatever it is told', () => {
    const { progress, pass, look } = setUp(false);
    progress.watch({ kind: 'note', text: 'plain\u001b[2J\r\nnot a line of its own' });
    progress.watch(failed('LIST-1', 'answers \u001b]0;title\u0007'));
    pass(10_000);
    progress.watch(at(50));
    progress.stop();
    const text = look();
    for (const control of ['\u001b', '\u0007', '\r']) expect(text).not.toContain(control);
    expect(text.trimEnd().split('\n')).toHaveLength(3);
  });
});

describe('on a terminal', () => {
  it('draws the bar over itself, at most ten times a second', () => {
    const { progress, pass, look } = setUp(true);
    progress.watch(at(1));
    progress.watch(at(2));
    expect(look().split(erase)).toHaveLength(2);
    pass(100);
    progress.watch(at(3));
    expect(look()).toMatch(/3\/100/);
  });
  it('takes the bar away before anything else is written, and once for all in the end', () => {
    const { progress, look } = setUp(true);
    progress.watch(at(1));
    look();
    progress.watch({ kind: 'note', text: 'a note' });
    expect(look()).toBe(`${erase}a note\n`);
    progress.watch(at(2));
    look();
    progress.stop();
    expect(look()).toBe(erase);
    progress.stop();
    expect(look()).toBe('');
  });
  it('leaves the last column free, so that nothing wraps', () => {
    const { progress, look } = setUp(true, 20);
    progress.watch(waiting(start + 60_000));
    progress.watch(at(1));
    for (const frame of look().split(erase)) expect(frame.length).toBeLessThan(20);
  });
  it('shows at once that it waits', () => {
    const { progress, look } = setUp(true);
    progress.watch(at(1));
    look();
    progress.watch(waiting(start + 60_000));
    expect(look()).toContain('waiting until 12:01:00');
  });
});

describe('on both', () => {
  it.each([true, false])('says what is planned before anything is sent (live: %s)', (live) => {
    const { progress, look } = setUp(live);
    progress.watch({ kind: 'planned', requests: 482, estimateMs: 0, note: '1000 a minute' });
    expect(look()).toBe('482 requests planned, no wait for a rate limit (1000 a minute)\n');
  });
  it('says with a long plan what makes the run faster', () => {
    const { progress, look } = setUp(false);
    progress.watch({ kind: 'planned', requests: 482, estimateMs: 480_000, note: '60 a minute' });
    const [plan, advice] = look().split('\n');
    expect(plan).toBe('482 requests planned, about 8 min 0 s (60 a minute)');
    expect(advice).toMatch(/^Faster: raise the rate limit .*--budget 300.*--only CREATE/);
  });
  it('tells the time left by the pace so far, or by the limit where that takes longer', () => {
    const { progress, pass, look } = setUp(false);
    progress.watch(at(0));
    pass(10_000);
    progress.watch(at(20));
    expect(look()).toBe('20/100 requests (20 %), 0 failed, 40.0 s left\n');
    pass(10_000);
    progress.watch({ ...at(40), remainingMs: 60_000 });
    expect(look()).toBe('40/100 requests (40 %), 0 failed, 1 min 0 s left\n');
  });
  it('counts the requirements that fail, and tells them from those that warn or are known', () => {
    const knownFailures = { warnings: new Set(['AUTH-6']), known: new Set(['LIST-4']) };
    const { progress, pass, look } = setUp(false, 80, knownFailures);
    for (const requirement of ['LIST-1', 'LIST-1', 'AUTH-6', 'LIST-4', 'GEN-3'])
      progress.watch(failed(requirement, 'no'));
    expect(look()).toBe('');
    pass(10_000);
    progress.watch(at(100));
    expect(look()).toBe(
      '100/100 requests (100 %), 2 failed\n✕ LIST-1 no\n! AUTH-6 no\n✕ LIST-4 (known) no\n✕ GEN-3 no\n',
    );
  });
  it.each([true, false])('names failures before a wait, and none of a quick run (live: %s)', (live) => {
    const { progress, look } = setUp(live);
    progress.watch(failed('LIST-1', 'one'));
    progress.stop();
    expect(look()).toBe('');
    progress.watch(waiting(start + 60_000));
    expect(look()).toContain('✕ LIST-1 one\n');
  });
});
