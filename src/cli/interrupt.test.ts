import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interruptible } from './interrupt.ts';

const setUp = () => {
  const source = new EventEmitter();
  const told: string[] = [];
  const interrupt = interruptible(source, () => told.push('killed'));
  return { source, told, interrupt };
};

describe('interruptible', () => {
  it('aborts at the first signal and kills at the second', () => {
    const { source, told, interrupt } = setUp();
    expect(interrupt.signal.aborted).toBe(false);
    source.emit('SIGINT', 'SIGINT');
    expect(interrupt.signal.aborted).toBe(true);
    expect(told).toEqual([]);
    source.emit('SIGTERM', 'SIGTERM');
    expect(told).toEqual(['killed']);
  });
  it('aborts where the terminal is closed, however often that is told', () => {
    const { source, told, interrupt } = setUp();
    for (let time = 0; time < 3; time += 1) source.emit('SIGHUP', 'SIGHUP');
    expect(interrupt.signal.aborted).toBe(true);
    expect(told).toEqual([]);
    source.emit('SIGINT', 'SIGINT');
    expect(told).toEqual(['killed']);
  });
  it('hands the signals back', () => {
    const { source, interrupt } = setUp();
    interrupt.release();
    expect(source.eventNames()).toEqual([]);
  });
});
