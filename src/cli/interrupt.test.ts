import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruptible } from './interrupt.ts';

const setUp = () => {
  const source = new EventEmitter();
  const calls: string[] = [];
  const clock = { ms: 1_000 };
  const interrupt = interruptible(
    source,
    () => calls.push('killed'),
    () => clock.ms,
  );
  return { source, calls, interrupt, clock };
};

describe('interruptible', () => {
  it('a first signal -> an abort; a later one -> a kill', () => {
    const { source, calls, interrupt, clock } = setUp();
    expect(interrupt.signal.aborted).toBe(false);
    source.emit('SIGINT', 'SIGINT');
    expect(interrupt.signal.aborted).toBe(true);
    expect(calls).toEqual([]);
    clock.ms += 500;
    source.emit('SIGTERM', 'SIGTERM');
    expect(calls).toEqual(['killed']);
  });
  it('a second signal within 500 ms -> no kill', () => {
    const { source, calls, clock } = setUp();
    source.emit('SIGINT', 'SIGINT');
    clock.ms += 499;
    source.emit('SIGINT', 'SIGINT');
    expect(calls).toEqual([]);
  });
  it('several SIGHUP -> an abort and no kill; SIGINT after them -> a kill', () => {
    const { source, calls, interrupt, clock } = setUp();
    for (let time = 0; time < 3; time += 1) source.emit('SIGHUP', 'SIGHUP');
    expect(interrupt.signal.aborted).toBe(true);
    expect(calls).toEqual([]);
    clock.ms += 500;
    source.emit('SIGINT', 'SIGINT');
    expect(calls).toEqual(['killed']);
  });
  it('release -> no handlers', () => {
    const { source, interrupt } = setUp();
    interrupt.release();
    expect(source.eventNames()).toEqual([]);
  });
});
