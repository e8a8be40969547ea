import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWindowView, type Heard, type Tick } from './window-view.ts';

const heard = (remaining: number | null, changes: Partial<Heard> = {}): Heard => ({
  limit: 100,
  remaining,
  resetAt: 60_000,
  renewsAt: 61_050,
  at: 0,
  withKey: true,
  ...changes,
});

/** What may happen next: a request is sent, is counted by the server, or comes back; by its place among those it may happen to. */
const steps = fc.array(
  fc.record({ what: fc.constantFrom('send', 'count', 'land'), which: fc.nat({ max: 20 }) }),
  { maxLength: 150 },
);

describe('what is left', () => {
  test('is never more than the server is sure to serve, in whatever order requests and answers arrive', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const view = createWindowView({ ours: () => true });
        const [sent, counted]: [Tick[], { tick: Tick; remaining: number }[]] = [[], []];
        let remaining = 100;
        const take = <Item>(from: Item[], which: number) =>
          from.splice(which % Math.max(1, from.length), 1)[0];
        for (const { what, which } of all) {
          if (what === 'send') sent.push(view.sent());
          if (what === 'count') {
            const tick = take(sent, which);
            remaining -= tick === undefined ? 0 : 1;
            if (tick !== undefined) counted.push({ tick, remaining });
          }
          const back = what === 'land' ? take(counted, which) : undefined;
          if (back !== undefined) view.answered(back.tick, heard(back.remaining));
          expect(view.inFlight()).toBe(sent.length + counted.length);
          expect(view.left() ?? 0).toBeLessThanOrEqual(Math.max(0, remaining - sent.length));
        }
      }),
    );
  });

  test('is what the last answer said where nothing else is under way', () => {
    const view = createWindowView({ ours: () => true });
    expect(view.left()).toBeNull();
    for (const remaining of [9, 8, 7]) view.answered(view.sent(), heard(remaining));
    expect(view.left()).toBe(7);
    expect(view.renewsAt()).toBe(61_050);
  });

  test('is one less for a request of which no answer came, and none the less for one that was not counted', () => {
    const view = createWindowView({ ours: () => true });
    view.answered(view.sent(), heard(9));
    view.spared(view.sent());
    expect(view.left()).toBe(9);
    view.lost(view.sent());
    expect(view.left()).toBe(8);
  });

  test('is not known any more once it is forgotten', () => {
    const view = createWindowView({ ours: () => true });
    view.answered(view.sent(), heard(9));
    view.forget();
    expect(view.left()).toBeNull();
    expect(view.inFlight()).toBe(0);
  });

  test('is the least of several limits', () => {
    const view = createWindowView({ ours: () => true });
    view.answered(view.sent(), heard(5));
    view.answered(view.sent(), heard(900, { limit: 1_000, resetAt: 86_400_000, renewsAt: 86_401_050 }));
    expect(view.left()).toBe(4);
  });
});

test('a request that comes back twice is a fault of ours', () => {
  const view = createWindowView({ ours: () => true });
  const sent = view.sent();
  view.answered(sent, heard(9));
  expect(() => view.lost(sent)).toThrow('came back before');
  expect(view.inFlight()).toBe(0);
});
