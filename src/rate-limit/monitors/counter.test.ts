import { describe, expect, test } from 'vitest';
import { now, parsedResponse, today } from '../../../test/support/build.ts';
import { getPet, listOrders, listPets } from '../../check/requests.ts';
import { anonymous, bearer } from '../../http/credentials.ts';
import { createCounterMonitor } from './counter.ts';

interface ResponseSpec {
  /** Number in the order of sending. */
  readonly id: number;
  /** The latest request sent before the response; absent: this one. */
  readonly sent?: number;
  readonly remaining?: number;
  readonly limit?: number;
  /** Seconds from now. */
  readonly reset?: number;
  readonly status?: number;
  /** Milliseconds after the first request; absent: 0. */
  readonly at?: number;
  readonly probe?: ReturnType<typeof listPets>;
}

/** A monitor after these responses. */
const monitorOf = (responses: readonly ResponseSpec[], concurrency = 1) => {
  let newest = 0;
  const counters = createCounterMonitor(() => newest, concurrency);
  for (const spec of responses) {
    const { id, at = 0, status = 200, probe = listPets({}), limit = 1_000, remaining = 900 } = spec;
    newest = Math.max(newest, spec.sent ?? id);
    const headers = {
      Date: new Date(today + at).toUTCString(),
      'X-RateLimit-Limit': `${limit}`,
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${now + (spec.reset ?? 40)}`,
    };
    const times = { id, startedAt: today + at, durationMs: 0 };
    counters.observe(parsedResponse(probe, { status, headers }, times), probe);
  }
  return counters;
};

/** Returns the trend of Remaining. */
const trendOf = (responses: readonly ResponseSpec[], operation = 'listPets') =>
  monitorOf(responses).counterTrend(operation).trend;

describe('trend of an operation', () => {
  test('two more requests served, Remaining never lower -> constant', () => {
    expect(trendOf([{ id: 1 }, { id: 2 }, { id: 3 }])).toBe('constant');
    expect(trendOf([{ id: 1 }, { id: 2, remaining: 901 }, { id: 3, remaining: 902 }])).toBe('constant');
    expect(trendOf([{ id: 1 }, { id: 2 }])).toBe('unknown');
    expect(trendOf([])).toBe('unknown');
  });

  test('one response shows less -> decreasing', () => {
    expect(trendOf([{ id: 1 }, { id: 2, remaining: 899 }])).toBe('decreasing');
    expect(trendOf([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4, remaining: 899 }])).toBe('decreasing');
  });

  test('request sent before the first response -> ignored', () => {
    expect(trendOf([{ id: 2, sent: 4 }, { id: 1, remaining: 899 }, { id: 3 }, { id: 4 }])).toBe('unknown');
  });

  test.each<[string, readonly ResponseSpec[]]>([
    ['another window', [{ id: 1 }, { id: 2, reset: 41 }, { id: 3, reset: 42 }]],
    ['another limit', [{ id: 1 }, { id: 2, limit: 300 }, { id: 3, limit: 10_000 }]],
    ['a bucket that refills', [{ id: 1 }, { id: 2 }, { id: 3, at: 100 }]],
    ['rejected requests that may not count', [{ id: 1 }, { id: 2, status: 404 }, { id: 3, status: 404 }]],
    ['no key', [1, 2, 3].map((id) => ({ id, probe: listPets({ credential: anonymous }) }))],
    ['another key', [1, 2, 3].map((id) => ({ id, probe: listPets({ credential: bearer('rate-limit') }) }))],
    ['another operation', [1, 2, 3].map((id) => ({ id, probe: getPet('1') }))],
  ])('%s -> unknown', (_, responses) => {
    expect(trendOf(responses)).toBe('unknown');
  });

  test('possible refill -> more requests needed for constant', () => {
    const soon = [{ id: 1 }, { id: 2, at: 100 }, { id: 3, at: 100 }];
    expect(trendOf(soon)).toBe('unknown');
    expect(trendOf([...soon, { id: 4, at: 100 }])).toBe('constant');
    const slow = [1, 2, 3].map((id) => ({ id, limit: 60, at: 10 * id }));
    expect(trendOf(slow)).toBe('constant');
    const ofDay = [1, 2, 3].map((id) => ({ id, limit: 100_000, reset: 40_000, at: 200 * id }));
    expect(trendOf(ofDay)).toBe('constant');
    expect(trendOf(ofDay.map((each) => ({ ...each, limit: 1_000 })))).toBe('constant');
    expect(trendOf(ofDay.map((each) => ({ ...each, reset: 40 })))).toBe('unknown');
    const unknown = [1, 2, 3].map((id) => ({ id, limit: 77, reset: 1, at: 50 * id }));
    expect(trendOf(unknown)).toBe('unknown');
  });

  test('lower value in a new window -> unknown', () => {
    expect(
      trendOf([
        { id: 1, reset: 2 },
        { id: 2, reset: 62, at: 2_000, remaining: 1 },
      ]),
    ).toBe('unknown');
    expect(
      trendOf([
        { id: 1, reset: 2 },
        { id: 2, reset: 3, remaining: 899 },
      ]),
    ).toBe('decreasing');
  });

  test('listOrders: any status but 401 -> counts as served', () => {
    const orders = (status: number) => [1, 2, 3].map((id) => ({ id, status, probe: listOrders() }));
    expect(trendOf(orders(403), 'listOrders')).toBe('constant');
    expect(trendOf(orders(200), 'listOrders')).toBe('constant');
    expect(trendOf(orders(401), 'listOrders')).toBe('unknown');
  });
});

describe('isCounted', () => {
  const counted = (responses: readonly ResponseSpec[], concurrency = 1) =>
    monitorOf(responses, concurrency).isCounted('listPets');

  test('Remaining falls by more than other requests explain -> true', () => {
    expect(counted([{ id: 1 }, { id: 2, remaining: 899 }])).toBe(true);
    expect(counted([{ id: 1 }, { id: 4, remaining: 897 }])).toBe(true);
    expect(counted([{ id: 1 }, { id: 4, remaining: 898 }])).toBe(false);
    expect(counted([{ id: 1 }, { id: 2 }])).toBe(false);
  });

  test('concurrent requests may explain the fall -> false', () => {
    expect(counted([{ id: 1 }, { id: 2, sent: 3, remaining: 899 }])).toBe(false);
    expect(counted([{ id: 1 }, { id: 2, remaining: 899 }], 2)).toBe(false);
    expect(counted([{ id: 1 }, { id: 2, status: 404, remaining: 899 }])).toBe(false);
    expect(counted([{ id: 1 }, { id: 2, remaining: 899 }, { id: 3, remaining: 898 }], 2)).toBe(true);
  });
});
