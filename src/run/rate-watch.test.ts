import { expect, test } from 'vitest';
import { causesIn, now, readingOf, today } from '../../test/support/judging.ts';
import { bearer, noCredential } from '../client/credentials.ts';
import { listPets } from './probes.ts';
import { createRateWatch } from './rate-watch.ts';

interface Came {
  readonly status?: number;
  /** Milliseconds since the first request. */
  readonly at: number;
  readonly remaining?: number;
  /** Seconds from now. */
  readonly reset?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly credential?: typeof noCredential;
}

/** What the watch finds in the last of these answers. */
const watched = (answers: readonly Came[], { ours = true, concurrency = 2 } = {}) => {
  const rates = createRateWatch(() => ours, concurrency);
  const found = answers.map(({ status = 200, at, remaining = 50, reset = 60, headers, credential }) => {
    const probe = listPets({ credential: credential ?? bearer('main') });
    const shown = {
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${now + reset}`,
      ...headers,
    };
    const times = { startedAt: today + at, durationMs: 5 };
    return causesIn(rates.watch(readingOf(probe, { status, headers: shown }, times), probe));
  });
  return found.at(-1);
};
const refused = { status: 429, at: 100, remaining: 0 };
const breached = ['RATE-6: 429 while requests remain'];

test('a 429 while requests remain is a breach', () => {
  expect(watched([{ at: 0 }, refused])).toEqual(breached);
});

test('a 429 is none', () => {
  // Nothing is known of what remained.
  expect(watched([refused])).toEqual([]);
  expect(watched([{ at: 0, headers: { 'X-RateLimit-Remaining': 'many' } }, refused])).toEqual([]);
  // Nothing remained, or what remained may have been used by requests under way.
  expect(watched([{ at: 0, remaining: 0 }, refused])).toEqual([]);
  expect(watched([{ at: 0, remaining: 2 }, refused])).toEqual([]);
  expect(watched([{ at: 0, remaining: 3 }, refused])).toEqual(breached);
  expect(
    watched([{ at: 0, remaining: 4 }, { at: 10, headers: { 'X-RateLimit-Remaining': null } }, refused]),
  ).toEqual(breached);
  // The answer before it came only after it was sent.
  expect(watched([{ at: 98 }, refused])).toEqual([]);
  // The window has moved, or is about to.
  expect(watched([{ at: 0, reset: 1 }, refused])).toEqual([]);
  // The server's clock is not known.
  expect(watched([{ at: 0 }, { ...refused, headers: { Date: null } }])).toEqual([]);
  // It speaks of the day's limit.
  expect(watched([{ at: 0 }, { ...refused, headers: { 'Retry-After': '3600' } }])).toEqual([]);
  expect(watched([{ at: 0 }, { ...refused, headers: { 'Retry-After': '120' } }])).toEqual(breached);
  // Others use the key too, or it was no key.
  expect(watched([{ at: 0 }, refused], { ours: false })).toEqual([]);
  expect(
    watched([
      { at: 0, credential: noCredential },
      { ...refused, credential: noCredential },
    ]),
  ).toEqual([]);
});

test('what was sent since counts', () => {
  const since = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      at: 10 + index,
      headers: { 'X-RateLimit-Remaining': null },
    }));
  expect(watched([{ at: 0, remaining: 10 }, ...since(7), refused])).toEqual(breached);
  expect(watched([{ at: 0, remaining: 10 }, ...since(8), refused])).toEqual([]);
});

test('no other answer is judged', () => {
  expect(watched([{ at: 0 }, { at: 100 }, { at: 200, remaining: 70 }])).toEqual([]);
});
