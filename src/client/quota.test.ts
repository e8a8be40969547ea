import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSendLog, type QuotaAnswer } from './quota.ts';

const windowMs = 60_000;
const limit = fc.integer({ min: 1, max: 30 });
/** Milliseconds on the way there and back. */
const ways = fc.array(fc.tuple(fc.nat({ max: 3_000 }), fc.nat({ max: 3_000 })), {
  minLength: 1,
  maxLength: 120,
});

/** Sends one after the other, each as soon as it may go; gives when each was served. */
const servedBy = (
  trips: readonly (readonly [number, number])[],
  ask: (log: ReturnType<typeof createSendLog>, now: number) => QuotaAnswer,
): readonly number[] => {
  const log = createSendLog();
  let now = 0;
  return trips.map(([there, back]) => {
    const answer = ask(log, now);
    if (typeof answer === 'object') now = answer.untilMs;
    expect(ask(log, now)).toBe('go');
    const request = log.sent(now);
    const served = now + there;
    now = served + back;
    log.answered(request, now);
    return served;
  });
};

/** No window, wherever it begins, holds more than the limit. */
const expectWithin = (served: readonly number[], most: number): void => {
  for (const [index, at] of served.entries()) {
    const beyond = served[index + most];
    if (beyond !== undefined) expect(beyond - at).toBeGreaterThanOrEqual(windowMs);
  }
};

test('no window of the server sees more than the limit, wherever it begins and however long requests take', () => {
  fc.assert(
    fc.property(limit, ways, (most, trips) => {
      expectWithin(
        servedBy(trips, (log, now) => log.ask(most, windowMs, now)),
        most,
      );
    }),
  );
});

test('where as many as the limit are on their way, their answers are waited for', () => {
  const log = createSendLog();
  const first = log.sent(0);
  log.sent(0);
  expect(log.ask(3, windowMs, 0)).toBe('go');
  expect(log.ask(2, windowMs, 0)).toBe('answer');
  log.answered(first, 100);
  expect(log.ask(2, windowMs, 100)).toEqual({ untilMs: 60_150 });
});

test('what is sent evenly stays below the limit in every window, and hardly wastes any of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 300 }), (most) => {
      const atOnce = Array.from({ length: 2 * most }, (): [number, number] => [0, 0]);
      const served = servedBy(atOnce, (log, now) => log.askEvenly(most, windowMs, now));
      expectWithin(served, most);
      expect(served.filter((at) => at < windowMs).length).toBeGreaterThan(0.9 * most - 1);
    }),
  );
});
