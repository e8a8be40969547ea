import { describe, expect, test } from 'vitest';
import { causesIn, now, parsedResponse, today } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import type { Finding } from '../../finding/finding.ts';
import { anonymous, bearer, lowerCaseBearer } from '../../http/credentials.ts';
import { createResetMonitor } from './reset.ts';

interface ResponseSpec {
  /** Seconds after the first request. A response takes 5 ms. */
  readonly at: number;
  readonly status?: number;
  readonly remaining?: number;
  /** Seconds after the first request. */
  readonly reset?: number;
  /** Seconds. */
  readonly wait?: number;
  readonly credential?: typeof anonymous;
  readonly inputSpace?: 'undocumented';
  readonly date?: null;
}

const findingsOf = (
  responses: readonly ResponseSpec[],
  { isExclusive = true, other = false, maxWaitMs = 120_000 } = {},
): readonly Finding[] => {
  const otherLimit = { mayExplain: () => other };
  const resets = createResetMonitor({ isExclusive: () => isExclusive, otherLimit, maxWaitMs });
  return responses.flatMap(
    ({ at, status = 200, remaining = 0, reset = 20, wait, inputSpace, ...spec }, id) => {
      const probe = listPets({
        credential: spec.credential ?? bearer('main'),
        inputSpace: inputSpace ?? 'documented',
      });
      const headers = {
        'X-RateLimit-Limit': '60',
        'X-RateLimit-Remaining': `${remaining}`,
        'X-RateLimit-Reset': `${now + reset}`,
        ...(status === 429 ? { 'Retry-After': `${wait ?? 5}` } : {}),
        Date: spec.date === null ? null : new Date(today + Math.floor(at) * 1000).toUTCString(),
      };
      const times = { id, startedAt: today + at * 1000, durationMs: 5 };
      return resets.observe(parsedResponse(probe, { status, headers }, times), probe);
    },
  );
};

const last: ResponseSpec = { at: 0.5 };
const limited: ResponseSpec = { at: 22, status: 429, reset: 30 };
const breach = ['RATE-13: refused-after-reset'];
const causes = (...args: Parameters<typeof findingsOf>) => causesIn(findingsOf(...args));

describe('RATE-13', () => {
  test('no request between Remaining 0 and Reset: next request served -> passed, 429 -> breach', () => {
    expect(findingsOf([last, { at: 22, remaining: 59, reset: 80 }])).toEqual([
      { kind: 'passed', requirement: 'RATE-13' },
    ]);
    expect(causes([last, limited])).toEqual(breach);
  });

  test('429 later than one second after Reset -> breach, earlier -> nothing', () => {
    expect(causes([last, { ...limited, at: 21.6 }])).toEqual(breach);
    expect(findingsOf([last, { ...limited, at: 20.9 }])).toEqual([]);
  });

  test('429 after Reset but before the end of Retry-After -> nothing', () => {
    const over = { at: 1, status: 429, wait: 30 };
    expect(findingsOf([last, over, { ...limited, at: 28 }])).toEqual([]);
    expect(causes([last, over, { ...limited, at: 33 }])).toEqual(breach);
  });

  test('request in flight at Remaining 0 -> the wait goes on until its Reset', () => {
    const inFlight = { at: 0.502, reset: 25 };
    expect(causes([last, inFlight, { ...limited, at: 27 }])).toEqual(breach);
    expect(findingsOf([last, inFlight, { ...limited, at: 24 }])).toEqual([]);
  });

  test.each<[string, readonly ResponseSpec[]]>([
    ['requests remain', [{ ...last, remaining: 1 }, limited]],
    ['a request during the wait', [last, { at: 10, remaining: 1 }, limited]],
    ['another request sent first', [last, { at: 21.9, remaining: 0, reset: 50 }, limited]],
    ['no Date', [{ ...last, date: null }, limited]],
    [
      'wait longer than --max-wait',
      [
        { ...last, reset: 130 },
        { ...limited, at: 140 },
      ],
    ],
    ['key rejected for another reason', [last, { at: 22, status: 403 }]],
    ['request may be counted by address', [last, { ...limited, inputSpace: 'undocumented' }]],
    [
      'scheme in lower case, which may be another caller',
      [last, { ...limited, credential: lowerCaseBearer }],
    ],
    [
      'no key',
      [
        { ...last, credential: anonymous },
        { ...limited, credential: anonymous },
      ],
    ],
  ])('%s -> no breach', (_, responses) => {
    expect(causes(responses)).toEqual([]);
  });

  test('possible ban, or 429 that the other limit may explain -> inconclusive', () => {
    const early = [
      { at: 1, status: 429, wait: 20 },
      { at: 5, status: 429, wait: 20 },
    ];
    const reasonsOf = (findings: readonly Finding[]) =>
      findings.flatMap((finding) => (finding.kind === 'inconclusive' ? [finding.reason.code] : []));
    expect(reasonsOf(findingsOf([...early, { ...limited, at: 27 }]))).toEqual(['rate-limit']);
    expect(reasonsOf(findingsOf([last, limited], { other: true }))).toEqual(['other-limit']);
  });

  test('other clients use the key -> nothing', () => {
    expect(findingsOf([last, limited], { isExclusive: false })).toEqual([]);
  });
});
