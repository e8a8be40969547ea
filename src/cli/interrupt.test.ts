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
    source.emit('SIGINT');
    expect(interrupt.signal.aborted).toBe(true);
    expect(told).toEqual([]);
    source.emit('SIGTERM');
    expect(told).toEqual(['killed']);
  });
  it('hands the signals back', () => {
    const { source, interrupt } = setUp();
    interrupt.release();
    expect(source.eventNames()).toEqual([]);
  });
});
