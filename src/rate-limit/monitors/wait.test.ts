import { describe, expect, test } from 'vitest';
import { causesIn, parsedResponse, today } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import { anonymous, bearer } from '../../http/credentials.ts';
import { createRetryAfterMonitor } from './wait.ts';

interface ResponseSpec {
  /** Seconds after the first request. A response takes 5 ms. */
  readonly at: number;
  readonly status?: number;
  /** Seconds, or the text of the header. */
  readonly wait?: number | string | null;
  readonly expects429?: boolean;
  readonly credential?: typeof anonymous;
  readonly date?: string | null;
}

const dateAfter = (seconds: number): string => new Date(today + seconds * 1000).toUTCString();

/** Returns the causes of all findings. */
const causesOf = (responses: readonly ResponseSpec[], { isExclusive = true, other = false } = {}) => {
  const otherLimit = { mayExplain: () => other };
  const waits = createRetryAfterMonitor({ isExclusive: () => isExclusive, otherLimit });
  return responses.flatMap(({ at, status = 429, wait = 10, expects429 = false, credential, date }, id) => {
    const probe = listPets({ credential: credential ?? bearer('main') });
    const headers = {
      ...(status === 429 ? { 'Retry-After': wait === null ? null : String(wait) } : {}),
      Date: date === undefined ? dateAfter(Math.floor(at)) : date,
    };
    const times = { id, startedAt: today + at * 1000, durationMs: 5 };
    return causesIn(waits.observe(parsedResponse(probe, { status, headers }, times), probe, { expects429 }));
  });
};

const breach = ['RATE-8: refused-after-wait'];
const afterEachWait: readonly ResponseSpec[] = [{ at: 0 }, { at: 12 }, { at: 24 }, { at: 40 }];

describe('RATE-8', () => {
  test('429 after each of three waits -> breach', () => {
    expect(causesOf(afterEachWait)).toEqual(breach);
    expect(causesOf(afterEachWait.slice(0, -1))).toEqual([]);
  });

  test('Retry-After as dates -> compared with Date, without Date nothing', () => {
    const byDate = afterEachWait.map(({ at }) => ({ at, wait: dateAfter(Math.floor(at) + 10) }));
    expect(causesOf(byDate)).toEqual(breach);
    expect(causesOf(byDate.map((each) => ({ ...each, date: null })))).toEqual([]);
  });

  test('request in flight at the first 429 -> does not end the wait', () => {
    expect(causesOf([...afterEachWait.slice(0, 1), { at: 0.004 }, ...afterEachWait.slice(1)])).toEqual(
      breach,
    );
  });

  test('request served -> waits are counted anew', () => {
    const [first, second, third, fourth] = afterEachWait;
    const all = [first, second, { at: 13, status: 200 }, third, fourth].filter((each) => each !== undefined);
    expect(causesOf(all)).toEqual([]);
    expect(causesOf([...all, { at: 60 }])).toEqual([]);
    expect(causesOf([...all, { at: 60 }, { at: 75 }])).toEqual(breach);
  });

  test.each<[string, readonly ResponseSpec[]]>([
    ['a request during a wait', [{ at: 0 }, { at: 5 }, { at: 20 }, { at: 40 }, { at: 60 }, { at: 80 }]],
    ['an expected 429', afterEachWait.map((spec, index) => ({ ...spec, expects429: index === 0 }))],
    ['no Retry-After', afterEachWait.map((spec) => ({ ...spec, wait: null }))],
    [
      'a wait for the daily limit',
      afterEachWait.map((spec, index) => ({ ...spec, wait: index === 3 ? 121 : 10 })),
    ],
    ['no key', afterEachWait.map((spec) => ({ ...spec, credential: anonymous }))],
  ])('%s -> nothing', (_, responses) => {
    expect(causesOf(responses)).toEqual([]);
  });

  test('other limit of the plan may explain the 429 -> nothing', () => {
    expect(causesOf(afterEachWait, { other: true })).toEqual([]);
  });

  test('other clients use the key -> nothing', () => {
    expect(causesOf(afterEachWait, { isExclusive: false })).toEqual([]);
  });
});
