import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';
import { type RateLimit, readRateLimit } from './headers.ts';
import { createServerClock } from './server-clock.ts';

const now = 1_790_000_000_000;
const none = readRateLimit([], now);
const asking = (ms: number): RateLimit => ({ ...none, retryAfter: { kind: 'after', ms } });
const made = (random = () => 0, countsDenials = true) =>
  createBackoff({ server: createServerClock(), random, countsDenials });

describe('silence after a 429', () => {
  test('lasts for as long as Retry-After asks, and for what is left of its last second', () => {
    const backoff = made();
    backoff.limited(0, 1, asking(30_000), now, false);
    expect(backoff.quietUntil()).toBe(now + 31_050);
  });

  test('is never cut short by a later answer that asks for less', () => {
    const wait = fc.nat({ max: 600_000 });
    fc.assert(
      fc.property(fc.array(wait, { minLength: 1 }), (waits) => {
        const backoff = made();
        for (const [index, ms] of waits.entries())
          backoff.limited(2 * index, 2 * index + 1, asking(ms), now, true);
        expect(backoff.quietUntil()).toBe(now + Math.max(...waits) + 1_050);
      }),
    );
  });

  test.each([
    ['Retry-After', asking(2_000), 2_000, 1_050],
    ['Reset', { ...none, resetAt: now + 7_000 }, 7_000, 1_050],
    ['nothing at all', none, 0, 5_000],
  ])(
    'grows by half and more each time that it was in vain, beyond what %s asks',
    (_, headers, asked, first) => {
      const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
      fc.assert(
        fc.property(fc.infiniteStream(jitter), (jitters) => {
          const backoff = made(() => jitters.next().value);
          const beyond = [2, 4, 6].map((sent) => {
            backoff.limited(sent, sent + 1, headers, now, false);
            return backoff.quietUntil() - now - asked;
          });
          expect(beyond[0]).toBe(first);
          expect(beyond[1]).toBeGreaterThanOrEqual(1.5 * first);
          expect(beyond[2]).toBeGreaterThanOrEqual(1.5 * (beyond[1] ?? 0));
        }),
      );
    },
  );
});

describe('a key', () => {
  test('is banned once a 429 has followed on each of three waits', () => {
    const backoff = made();
    for (const sent of [0, 2, 4, 6]) {
      expect(backoff.banReason()).toBeNull();
      backoff.limited(sent, sent + 1, none, now, false);
    }
    expect(backoff.banReason()).toEqual({ waits: 3 });
  });

  test('is not banned for 429s that came at once, or were asked for', () => {
    const [atOnce, asked] = [made(), made()];
    for (const sent of [0, 1, 2, 3, 4]) atOnce.limited(sent, 5, none, now, false);
    for (const sent of [0, 2, 4, 6, 8]) asked.limited(sent, sent + 1, none, now, true);
    expect([atOnce.banReason(), asked.banReason()]).toEqual([null, null]);
  });

  test('is good again once a request sent after the 429 is served', () => {
    const backoff = made();
    for (const sent of [0, 2, 4]) backoff.limited(sent, sent + 1, none, now, false);
    backoff.answered(6, 200);
    backoff.limited(7, 8, none, now, false);
    expect(backoff.banReason()).toBeNull();
  });

  test('is banned where it is denied ever since a 429, but not where there is none to deny', () => {
    const [keyed, keyless] = [made(), made(undefined, false)];
    for (const backoff of [keyed, keyless]) {
      backoff.limited(0, 1, none, now, false);
      for (const [sent, status] of [401, 403, 401].entries()) backoff.answered(sent + 2, status);
    }
    expect(keyed.banReason()).toEqual({ waits: null });
    expect(keyless.banReason()).toBeNull();
  });
});
