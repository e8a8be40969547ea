import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createWindow,
  inFlight,
  recordLost,
  recordNotCharged,
  recordResponse,
  recordSent,
  remainingIn,
  type Sequence,
  type WindowReading,
} from './window.ts';

const reading = (remaining: number | null, changes: Partial<WindowReading> = {}): WindowReading => ({
  limit: 100,
  remaining,
  resetAt: 60_000,
  renewsAt: 61_050,
  at: 0,
  withKey: true,
  ...changes,
});

/** Events: a request is sent, counted by the server, or returns. `which` selects the request. */
const steps = fc.array(
  fc.record({ what: fc.constantFrom('send', 'count', 'land'), which: fc.nat({ max: 20 }) }),
  { maxLength: 150 },
);

describe('remainingIn', () => {
  test('requests and responses in any order -> never more than the server certainly serves', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const window = createWindow(() => true);
        const [sent, counted]: [Sequence[], { tick: Sequence; remaining: number }[]] = [[], []];
        let remaining = 100;
        const take = <Item>(from: Item[], which: number) =>
          from.splice(which % Math.max(1, from.length), 1)[0];
        for (const { what, which } of all) {
          if (what === 'send') sent.push(recordSent(window));
          if (what === 'count') {
            const tick = take(sent, which);
            remaining -= tick === undefined ? 0 : 1;
            if (tick !== undefined) counted.push({ tick, remaining });
          }
          const back = what === 'land' ? take(counted, which) : undefined;
          if (back !== undefined) recordResponse(window, back.tick, reading(back.remaining));
          expect(inFlight(window)).toBe(sent.length + counted.length);
          expect(remainingIn(window) ?? 0).toBeLessThanOrEqual(Math.max(0, remaining - sent.length));
        }
      }),
    );
  });

  test('request without a response -> one less, request not charged -> the same', () => {
    const window = createWindow(() => true);
    recordResponse(window, recordSent(window), reading(9));
    recordNotCharged(window, recordSent(window));
    expect(remainingIn(window)).toBe(9);
    recordLost(window, recordSent(window));
    expect(remainingIn(window)).toBe(8);
  });
});

test('second response to a request -> throws', () => {
  const window = createWindow(() => true);
  const sent = recordSent(window);
  recordResponse(window, sent, reading(9));
  expect(() => recordLost(window, sent)).toThrow('came back before');
  expect(inFlight(window)).toBe(0);
});
