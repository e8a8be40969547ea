import { describe, expect, test } from 'vitest';
import { causesIn, now, parsedResponse, today } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import { anonymous, bearer, lowerCaseBearer } from '../../http/credentials.ts';
import type { Finding } from '../../oracle/finding.ts';
import { createResetMonitor } from './reset.ts';

interface Came {
  /** Seconds from the first request on; a response takes 5 ms. */
  readonly at: number;
  readonly status?: number;
  readonly remaining?: number;
  /** Seconds from the first request on. */
  readonly reset?: number;
  /** Seconds. */
  readonly wait?: number;
  readonly credential?: typeof anonymous;
  readonly inputSpace?: 'undocumented';
  readonly date?: null;
}

const watched = (
  responses: readonly Came[],
  { ours = true, other = false, maxWaitMs = 120_000 } = {},
): readonly Finding[] => {
  const otherLimit = { mayExplain: () => other };
  const resets = createResetMonitor({ isOursAlone: () => ours, otherLimit, maxWaitMs });
  return responses.flatMap(
    ({ at, status = 200, remaining = 0, reset = 20, wait, inputSpace, ...came }, id) => {
      const probe = listPets({
        credential: came.credential ?? bearer('main'),
        inputSpace: inputSpace ?? 'documented',
      });
      const headers = {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': `${remaining}`,
        'X-RateLimit-Reset': `${now + reset}`,
        ...(status === 429 ? { 'Retry-After': `${wait ?? 5}` } : {}),
        Date: came.date === null ? null : new Date(today + Math.floor(at) * 1000).toUTCString(),
      };
      const times = { id, startedAt: today + at * 1000, durationMs: 5 };
      return resets.observe(parsedResponse(probe, { status, headers }, times), probe);
    },
  );
};

const last: Came = { at: 0.5 };
const refused: Came = { at: 22, status: 429, reset: 30 };
const breached = ['RATE-13: refused-after-reset'];
const causes = (...of: Parameters<typeof watched>) => causesIn(watched(...of));

describe('RATE-13', () => {
  test('after Remaining 0 and silence until Reset, the next request is served', () => {
    expect(watched([last, { at: 22, remaining: 59, reset: 80 }])).toEqual([
      { kind: 'passed', requirement: 'RATE-13' },
    ]);
    expect(causes([last, refused])).toEqual(breached);
  });

  test('a second after Reset, by the clock of the server, is late enough', () => {
    expect(causes([last, { ...refused, at: 21.6 }])).toEqual(breached);
    expect(watched([last, { ...refused, at: 20.9 }])).toEqual([]);
  });

  test('after a 429 its Retry-After has to pass as well', () => {
    const over = { at: 1, status: 429, wait: 30 };
    expect(watched([last, over, { ...refused, at: 28 }])).toEqual([]);
    expect(causes([last, over, { ...refused, at: 33 }])).toEqual(breached);
  });

  test('a request that was in flight breaks no silence, and its Reset counts', () => {
    const inFlight = { at: 0.502, reset: 25 };
    expect(causes([last, inFlight, { ...refused, at: 27 }])).toEqual(breached);
    expect(watched([last, inFlight, { ...refused, at: 24 }])).toEqual([]);
  });

  test.each<[string, readonly Came[]]>([
    ['requests remained', [{ ...last, remaining: 1 }, refused]],
    ['a request was sent meanwhile', [last, { at: 10, remaining: 1 }, refused]],
    ['another request was sent first', [last, { at: 21.9, remaining: 0, reset: 50 }, refused]],
    ['the clock of the server is not known', [{ ...last, date: null }, refused]],
    [
      'the wait is longer than --max-wait',
      [
        { ...last, reset: 130 },
        { ...refused, at: 140 },
      ],
    ],
    ['the key is refused for another reason', [last, { at: 22, status: 403 }]],
    ['the request may be counted by address', [last, { ...refused, inputSpace: 'undocumented' }]],
    ['the scheme in lower case may be another caller', [last, { ...refused, credential: lowerCaseBearer }]],
    [
      'no key was sent',
      [
        { ...last, credential: anonymous },
        { ...refused, credential: anonymous },
      ],
    ],
  ])('nothing is refused after Reset where %s', (_, responses) => {
    expect(causes(responses)).toEqual([]);
  });

  test('inconclusive if the key may be banned, or the other limit may explain the 429', () => {
    const insistent = [
      { at: 1, status: 429, wait: 20 },
      { at: 5, status: 429, wait: 20 },
    ];
    const reasonsOf = (findings: readonly Finding[]) =>
      findings.flatMap((finding) => (finding.kind === 'inconclusive' ? [finding.reason.code] : []));
    expect(reasonsOf(watched([...insistent, { ...refused, at: 27 }]))).toEqual(['rate-limit']);
    expect(reasonsOf(watched([last, refused], { other: true }))).toEqual(['other-limit']);
  });

  test('nothing is judged of a key that others use', () => {
    expect(watched([last, refused], { ours: false })).toEqual([]);
  });
});
