import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Header } from '../http/exchange.ts';
import { createPacer } from './pacer.ts';
import type { PacerOptions } from './pacer-state.ts';
import { anyKind, pacerOptions } from './pacer-testing.ts';

const start = 1_790_000_000_000;
const make = (options: Partial<PacerOptions> = {}) =>
  createPacer({ ...pacerOptions, maxWaitMs: 600_000, ...options });
const refuse = (pace: ReturnType<typeof make>, now: number, retryAfter: string | null): void => {
  const headers: Header[] = [['Date', new Date(now).toUTCString()]];
  if (retryAfter !== null) headers.push(['Retry-After', retryAfter]);
  pace.answered(pace.sent(now, anyKind), 429, headers, now);
};
const waitOf = (pace: ReturnType<typeof make>, now: number): number => {
  const permission = pace.ask(now);
  return permission.kind === 'wait' ? permission.untilMs - now : 0;
};

test('nothing is sent until Retry-After has passed, in either form, by the server’s clock', () => {
  const inSeconds = make();
  refuse(inSeconds, start, '30');
  expect(waitOf(inSeconds, start)).toBeGreaterThanOrEqual(30_000);
  expect(waitOf(inSeconds, start)).toBeLessThan(32_000);
  expect(inSeconds.ask(start + 32_000).kind).toBe('go');
  const behind = make();
  const serverNow = start - 3_600_000;
  const date = new Date(serverNow).toUTCString();
  const until = new Date(serverNow + 30_000).toUTCString();
  behind.answered(
    behind.sent(start, anyKind),
    429,
    [
      ['Date', date],
      ['Retry-After', until],
    ],
    start,
  );
  expect(waitOf(behind, start)).toBeGreaterThanOrEqual(30_000);
  expect(waitOf(behind, start)).toBeLessThan(33_000);
});

test.each([
  ['Retry-After', [['Retry-After', '10']], 10_000, 1_050],
  ['Reset', [['X-RateLimit-Reset', `${start / 1_000 + 10}`]], 10_000, 1_050],
  ['nothing at all', [], 0, 5_000],
] as const)(
  'repeated 429s with %s add waits that grow by half at least, and end the use of the key',
  (_, headers, asked, first) => {
    const jitters = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(jitters, (jitter) => {
        let turn = 0;
        const pace = make({ random: () => jitter[turn++ % 4] ?? 0 });
        const waits: number[] = [];
        for (const round of [0, 1, 2]) {
          pace.answered(pace.sent(start, anyKind), 429, headers, start);
          waits.push(waitOf(pace, start) - asked);
          expect(pace.ask(start + asked + (waits[round] ?? 0)).kind).toBe('go');
        }
        expect(waits[0]).toBe(first);
        expect(waits[1]).toBeGreaterThanOrEqual(1.5 * first);
        expect(waits[2]).toBeGreaterThanOrEqual(1.5 * (waits[1] ?? 0));
        pace.answered(pace.sent(start, anyKind), 429, headers, start);
        expect(pace.ask(start)).toMatchObject({ kind: 'ended', end: { detail: 'banned', waits: 3 } });
      }),
    );
  },
);

test('429s that were wanted -> the longest wait is kept, none is added, and the key is not banned', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 500 }), { minLength: 1 }), (waits) => {
      const pace = make();
      for (const seconds of waits)
        pace.answered(pace.sent(start, anyKind, true), 429, [['Retry-After', `${seconds}`]], start);
      expect(waitOf(pace, start)).toBe(1_000 * Math.max(...waits) + 1_050);
    }),
  );
});

test.each([
  ['refused since with 401 and 403', 'main', [401, 403, 401], 'ended'],
  ['served since', 'main', [200, 401, 401, 401], 'go'],
  ['none at all', 'anonymous', [401, 401, 401], 'go'],
] as const)('after a 429, a key that is %s', (_, slot, statuses, permission) => {
  const pace = make({ slot });
  refuse(pace, start, '1');
  for (const status of statuses) pace.answered(pace.sent(start + 5_000, anyKind), status, [], start + 5_000);
  expect(pace.ask(start + 6_000).kind).toBe(permission);
  if (permission === 'ended')
    expect(pace.ask(start + 6_000)).toMatchObject({ end: { detail: 'banned', waits: null } });
});

test('several 429s of one burst count once', () => {
  const pace = make();
  const burst = Array.from({ length: 8 }, () => pace.sent(start, anyKind));
  for (const ticket of burst) pace.answered(ticket, 429, [['Retry-After', '5']], start + 10);
  expect(waitOf(pace, start + 10)).toBe(6_050);
});

test('a request that was sent before the 429 is served after it: the next wait grows nevertheless', () => {
  const pace = make();
  const early = pace.sent(start, anyKind);
  refuse(pace, start, '10');
  pace.answered(early, 200, [], start);
  const later = start + 12_000;
  refuse(pace, later, '10');
  expect(waitOf(pace, later)).toBeGreaterThanOrEqual(10_000 + 1.5 * 1_050);
});

test('after a 429 that nothing foretold requests go apart, which is said; not after one that was asked for', () => {
  const notes: string[] = [];
  const pace = make({ note: (text) => notes.push(text) });
  const plenty = (now: number): Header[] => [
    ['X-RateLimit-Limit', '1000'],
    ['X-RateLimit-Remaining', '900'],
    ['X-RateLimit-Reset', `${Math.ceil(now / 1000) + 30}`],
  ];
  const serve = (now: number): void => pace.answered(pace.sent(now, anyKind), 200, plenty(now), now);
  pace.answered(pace.sent(start, anyKind, true), 429, [['Retry-After', '1']], start);
  serve(start + 3_000);
  expect(pace.ask(start + 3_000).kind).toBe('go');
  expect(notes).toEqual([]);
  refuse(pace, start + 4_000, '1');
  serve(start + 7_000);
  expect(waitOf(pace, start + 7_000)).toBe(60);
  expect(pace.ask(start + 7_060).kind).toBe('go');
  expect(pace.estimate(100, start + 7_060).ms).toBeGreaterThanOrEqual(6_000);
  expect(notes).toEqual(['the API key: unexpected 429: slowing down to 16 requests/s']);
});

test('a Retry-After longer than the longest wait ends the use of the key', () => {
  const pace = make();
  refuse(pace, start, '99999999');
  expect(pace.ask(start)).toMatchObject({
    kind: 'ended',
    end: { until: expect.stringMatching(/^2029-/) },
  });
});

test('a Retry-After beyond every date ends it as well', () => {
  for (const wait of ['1780315200000000', '1780315200000000000', '9'.repeat(400)]) {
    const pace = make();
    refuse(pace, start, wait);
    expect(pace.ask(start)).toMatchObject({
      kind: 'ended',
      end: { until: expect.stringMatching(/^\+275760-09-13/) },
    });
  }
});

test('a 401 to a request with the key shows the limit of callers without a key -> no wait for it', () => {
  const pace = make();
  const respond = (status: number, limit: number, remaining: number, now: number): void => {
    const headers: Header[] = [
      ['X-RateLimit-Limit', `${limit}`],
      ['X-RateLimit-Remaining', `${remaining}`],
      ['X-RateLimit-Reset', `${start / 1_000 + 60}`],
    ];
    pace.answered(pace.sent(now, anyKind), status, headers, now);
  };
  for (let served = 1; served <= 100; served += 1) respond(200, 1_000, 1_000 - served, start + 10 * served);
  respond(401, 60, 0, start + 1_010);
  expect(pace.ask(start + 1_020).kind).toBe('go');
  respond(200, 1_000, 899, start + 1_030);
  expect(pace.ask(start + 1_040).kind).toBe('go');
});
