import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruptible } from './interrupt.ts';

const setUp = () => {
  const source = new EventEmitter();
  const told: string[] = [];
  const clock = { ms: 1_000 };
  const interrupt = interruptible(
    source,
    () => told.push('killed'),
    () => clock.ms,
  );
  return { source, told, interrupt, clock };
};

describe('interruptible', () => {
  it('aborts at the first signal and kills at a later one', () => {
    const { source, told, interrupt, clock } = setUp();
    expect(interrupt.signal.aborted).toBe(false);
    source.emit('SIGINT', 'SIGINT');
    expect(interrupt.signal.aborted).toBe(true);
    expect(told).toEqual([]);
    clock.ms += 500;
    source.emit('SIGTERM', 'SIGTERM');
    expect(told).toEqual(['killed']);
  });
  it('takes a second signal within 500 ms for the first', () => {
    const { source, told, clock } = setUp();
    source.emit('SIGINT', 'SIGINT');
    clock.ms += 499;
    source.emit('SIGINT', 'SIGINT');
    expect(told).toEqual([]);
  });
  it('aborts where the terminal is closed, however often that is told', () => {
    const { source, told, interrupt, clock } = setUp();
    for (let time = 0; time < 3; time += 1) source.emit('SIGHUP', 'SIGHUP');
    expect(interrupt.signal.aborted).toBe(true);
    expect(told).toEqual([]);
    clock.ms += 500;
    source.emit('SIGINT', 'SIGINT');
    expect(told).toEqual(['killed']);
  });
  it('hands the signals back', () => {
    const { source, interrupt } = setUp();
    interrupt.release();
    expect(source.eventNames()).toEqual([]);
  });
});
