import { expect, test } from 'vitest';
import type { Patch } from '../../src/reference/patch.ts';
import { replace } from '../../src/reference/patch-kit/core.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { countingServer } from '../support/counting-server.ts';
import { judge } from '../support/paced-run.ts';

/** Calls `action` at the first 429. */
const atFirst429 = (action: () => void): Patch => {
  let refused = false;
  return replace('rateLimited', (before) => (decision, call) => {
    if (!refused) action();
    refused = true;
    return before(decision, call);
  });
};

test('interrupted while a check waits for a limit -> ends at once, and sends nothing more', async () => {
  const clock = createVirtualClock(Date.parse('2026-06-01T12:00:17.300Z'));
  const interrupt = new AbortController();
  let interruptedAt = 0;
  const patch = atFirst429(() => {
    clock.after(5_000, () => {
      interruptedAt = clock.now();
      interrupt.abort(new Error('interrupted'));
    });
  });
  const { target, count } = countingServer({ keys: ['business', 'free'], patch }, clock, 20);
  const { outcome, exit } = await judge(target, clock, { only: ['RATE-5'] }, { signal: interrupt.signal });
  expect(exit).toBe(130);
  expect(outcome.endedCode).toBe('interrupted');
  expect(clock.now()).toBe(interruptedAt);
  expect(count.arrivals.at(-1)?.at).toBeLessThan(interruptedAt);
  expect(outcome.requirements.filter(({ verdict }) => ['failed', 'error'].includes(verdict))).toEqual([]);
});
