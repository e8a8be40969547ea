import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Header } from '../http/exchange.ts';
import type { PaceNote } from '../http/pacing-types.ts';
import { readRateLimit } from './headers.ts';
import { createPacer } from './pacer.ts';
import type { PacerOptions } from './pacer-state.ts';
import { anyKind, pacerOptions } from './pacer-testing.ts';

const start = 1_790_000_000_000;
const pacerWith = (options: Partial<PacerOptions> = {}) =>
  createPacer({ ...pacerOptions, maxWaitMs: 600_000, ...options });
const respond429 = (pacer: ReturnType<typeof pacerWith>, now: number, retryAfter: string | null): void => {
  const headers: Header[] = [['Date', new Date(now).toUTCString()]];
  if (retryAfter !== null) headers.push(['Retry-After', retryAfter]);
  pacer.responded(pacer.sent(now, anyKind), 429, readRateLimit(headers, now), now);
};
const waitOf = (pacer: ReturnType<typeof pacerWith>, now: number): number => {
  const permission = pacer.ask(now);
  return permission.kind === 'wait' ? permission.untilMs - now : 0;
};

test('429 with Retry-After in seconds or as a date -> nothing is sent until then, by the server’s clock', () => {
  const inSeconds = pacerWith();
  respond429(inSeconds, start, '30');
  expect(waitOf(inSeconds, start)).toBeGreaterThanOrEqual(30_000);
  expect(waitOf(inSeconds, start)).toBeLessThan(32_000);
  expect(inSeconds.ask(start + 32_000).kind).toBe('go');
  const behind = pacerWith();
  const serverNow = start - 3_600_000;
  const date = new Date(serverNow).toUTCString();
  const until = new Date(serverNow + 30_000).toUTCString();
  behind.responded(
    behind.sent(start, anyKind),
    429,
    readRateLimit(
      [
        ['Date', date],
        ['Retry-After', until],
      ],
      start,
    ),
    start,
  );
  expect(waitOf(behind, start)).toBeGreaterThanOrEqual(30_000);
  expect(waitOf(behind, start)).toBeLessThan(33_000);
});

test.each([
  ['Retry-After', [['Retry-After', '10']], 10_000, 1_050],
  ['no time', [], 0, 2_000],
] as const)(
  'repeated 429s with %s -> added waits grow by half at least, then the key is no longer used',
  (_, headers, requested, first) => {
    const jitters = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(jitters, (jitter) => {
        let turn = 0;
        const pacer = pacerWith({ random: () => jitter[turn++ % 4] ?? 0 });
        const waits: number[] = [];
        for (const round of [0, 1, 2]) {
          pacer.responded(pacer.sent(start, anyKind), 429, readRateLimit(headers, start), start);
          waits.push(waitOf(pacer, start) - requested);
          expect(pacer.ask(start + requested + (waits[round] ?? 0)).kind).toBe('go');
        }
        expect(waits[0]).toBe(first);
        expect(waits[1]).toBeGreaterThanOrEqual(1.5 * first);
        expect(waits[2]).toBeGreaterThanOrEqual(1.5 * (waits[1] ?? 0));
        pacer.responded(pacer.sent(start, anyKind), 429, readRateLimit(headers, start), start);
        expect(pacer.ask(start)).toMatchObject({ kind: 'ended', end: { detail: 'banned', waits: 3 } });
      }),
    );
  },
);

test('repeated 429s without Retry-After -> the first wait ends at Reset, and later ones are short', () => {
  const pacer = pacerWith();
  const refusedAt = (ms: number): number => {
    const headers = [['X-RateLimit-Reset', `${(start + ms) / 1_000 + 50}`]] as const;
    pacer.responded(pacer.sent(start + ms, anyKind), 429, readRateLimit(headers, start + ms), start + ms);
    return waitOf(pacer, start + ms);
  };
  expect(refusedAt(0)).toBe(51_050);
  expect(refusedAt(52_000)).toBeLessThanOrEqual(5_000);
  expect(refusedAt(60_000)).toBeLessThanOrEqual(10_000);
});

test('expected 429s -> the longest wait, nothing added, no ban', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 500 }), { minLength: 1 }), (waits) => {
      const pacer = pacerWith();
      for (const seconds of waits)
        pacer.responded(
          pacer.sent(start, anyKind, true),
          429,
          readRateLimit([['Retry-After', `${seconds}`]], start),
          start,
        );
      expect(waitOf(pacer, start)).toBe(1_000 * Math.max(...waits) + 1_050);
    }),
  );
});

test.each([
  ['rejected since with 401 and 403', 'main', [401, 403, 401], 'ended'],
  ['served since', 'main', [200, 401, 401, 401], 'go'],
  ['not valid', 'anonymous', [401, 401, 401], 'go'],
] as const)('after a 429, a key that is %s (slot %s, statuses %j) -> %s', (_, slot, statuses, permission) => {
  const pacer = pacerWith({ slot });
  respond429(pacer, start, '1');
  for (const status of statuses)
    pacer.responded(
      pacer.sent(start + 5_000, anyKind),
      status,
      readRateLimit([], start + 5_000),
      start + 5_000,
    );
  expect(pacer.ask(start + 6_000).kind).toBe(permission);
  if (permission === 'ended')
    expect(pacer.ask(start + 6_000)).toMatchObject({ end: { detail: 'banned', waits: null } });
});

test('several 429s of one burst -> counted once', () => {
  const pacer = pacerWith();
  const burst = Array.from({ length: 8 }, () => pacer.sent(start, anyKind));
  for (const ticket of burst)
    pacer.responded(ticket, 429, readRateLimit([['Retry-After', '5']], start + 10), start + 10);
  expect(waitOf(pacer, start + 10)).toBe(6_050);
});

test('request sent before a 429 and served after it -> the next wait still grows', () => {
  const pacer = pacerWith();
  const early = pacer.sent(start, anyKind);
  respond429(pacer, start, '10');
  pacer.responded(early, 200, readRateLimit([], start), start);
  const later = start + 12_000;
  respond429(pacer, later, '10');
  expect(waitOf(pacer, later)).toBeGreaterThanOrEqual(10_000 + 1.5 * 1_050);
});

test('unexpected 429 -> slower requests and a note, expected 429 -> neither', () => {
  const notes: PaceNote[] = [];
  const pacer = pacerWith({ note: (note) => notes.push(note) });
  const plenty = (now: number): Header[] => [
    ['X-RateLimit-Limit', '1000'],
    ['X-RateLimit-Remaining', '900'],
    ['X-RateLimit-Reset', `${Math.ceil(now / 1000) + 30}`],
  ];
  const serve = (now: number): void =>
    pacer.responded(pacer.sent(now, anyKind), 200, readRateLimit(plenty(now), now), now);
  pacer.responded(pacer.sent(start, anyKind, true), 429, readRateLimit([['Retry-After', '1']], start), start);
  serve(start + 3_000);
  expect(pacer.ask(start + 3_000).kind).toBe('go');
  expect(notes).toEqual([]);
  respond429(pacer, start + 4_000, '1');
  serve(start + 7_000);
  expect(waitOf(pacer, start + 7_000)).toBe(60);
  expect(pacer.ask(start + 7_060).kind).toBe('go');
  expect(pacer.estimate(100, start + 7_060).ms).toBeGreaterThanOrEqual(6_000);
  expect(notes).toEqual([{ kind: 'slowed-down', slot: 'main', perSecond: 16 }]);
});

test('Retry-After longer than the longest wait -> the key is no longer used', () => {
  const pacer = pacerWith();
  respond429(pacer, start, '99999999');
  expect(pacer.ask(start)).toMatchObject({
    kind: 'ended',
    end: { until: expect.stringMatching(/^2029-/) },
  });
});

test('Retry-After beyond every date -> the key is no longer used', () => {
  for (const wait of ['1780315200000000', '1780315200000000000', '9'.repeat(400)]) {
    const pacer = pacerWith();
    respond429(pacer, start, wait);
    expect(pacer.ask(start)).toMatchObject({
      kind: 'ended',
      end: { until: expect.stringMatching(/^\+275760-09-13/) },
    });
  }
});

test('401 with the key shows the limit of requests without a key -> no wait', () => {
  const pacer = pacerWith();
  const respond = (status: number, limit: number, remaining: number, now: number): void => {
    const headers: Header[] = [
      ['X-RateLimit-Limit', `${limit}`],
      ['X-RateLimit-Remaining', `${remaining}`],
      ['X-RateLimit-Reset', `${start / 1_000 + 60}`],
    ];
    pacer.responded(pacer.sent(now, anyKind), status, readRateLimit(headers, now), now);
  };
  for (let served = 1; served <= 100; served += 1) respond(200, 1_000, 1_000 - served, start + 10 * served);
  respond(401, 60, 0, start + 1_010);
  expect(pacer.ask(start + 1_020).kind).toBe('go');
  respond(200, 1_000, 899, start + 1_030);
  expect(pacer.ask(start + 1_040).kind).toBe('go');
});
