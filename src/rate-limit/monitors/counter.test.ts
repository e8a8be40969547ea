import { describe, expect, test } from 'vitest';
import { now, parsedResponse, today } from '../../../test/support/build.ts';
import { getPet, listOrders, listPets } from '../../check/requests.ts';
import { anonymous, bearer } from '../../http/credentials.ts';
import { createCounterMonitor } from './counter.ts';

interface Came {
  /** In the order of sending. */
  readonly id: number;
  /** The newest that was on the wire when it came; absent: itself. */
  readonly sent?: number;
  readonly remaining?: number;
  readonly limit?: number;
  /** Seconds from now. */
  readonly reset?: number;
  readonly status?: number;
  /** Milliseconds after the first; absent: none. */
  readonly at?: number;
  readonly probe?: ReturnType<typeof listPets>;
}

/** A watch with a client that has so many requests under way at the most. */
const watchOf = (answers: readonly Came[], concurrency = 1) => {
  let newest = 0;
  const counters = createCounterMonitor(() => newest, concurrency);
  for (const came of answers) {
    const { id, at = 0, status = 200, probe = listPets({}), limit = 1_000, remaining = 900 } = came;
    newest = Math.max(newest, came.sent ?? id);
    const headers = {
      Date: new Date(today + at).toUTCString(),
      'X-RateLimit-Limit': `${limit}`,
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${now + (came.reset ?? 40)}`,
    };
    const times = { id, startedAt: today + at, durationMs: 0 };
    counters.observe(parsedResponse(probe, { status, headers }, times), probe);
  }
  return counters;
};

/** How Remaining is seen to move with lists. */
const moved = (answers: readonly Came[], operation = 'listPets') =>
  watchOf(answers).counterTrend(operation).trend;

describe('with the requests that are made anyway', () => {
  test('Remaining stands where two more are served and none says less', () => {
    expect(moved([{ id: 1 }, { id: 2 }, { id: 3 }])).toBe('constant');
    expect(moved([{ id: 1 }, { id: 2, remaining: 901 }, { id: 3, remaining: 902 }])).toBe('constant');
    expect(moved([{ id: 1 }, { id: 2 }])).toBe('unknown');
    expect(moved([])).toBe('unknown');
  });

  test('Remaining falls where one of them says less', () => {
    expect(moved([{ id: 1 }, { id: 2, remaining: 899 }])).toBe('decreasing');
    expect(moved([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4, remaining: 899 }])).toBe('decreasing');
  });

  test('what was under way already says nothing', () => {
    expect(moved([{ id: 2, sent: 4 }, { id: 1, remaining: 899 }, { id: 3 }, { id: 4 }])).toBe('unknown');
  });

  test.each<[string, readonly Came[]]>([
    ['another window', [{ id: 1 }, { id: 2, reset: 41 }, { id: 3, reset: 42 }]],
    ['another limit', [{ id: 1 }, { id: 2, limit: 300 }, { id: 3, limit: 10_000 }]],
    ['a bucket that refills meanwhile', [{ id: 1 }, { id: 2 }, { id: 3, at: 100 }]],
    ['a refusal that may not count', [{ id: 1 }, { id: 2, status: 404 }, { id: 3, status: 404 }]],
    ['nobody’s key', [1, 2, 3].map((id) => ({ id, probe: listPets({ credential: anonymous }) }))],
    ['another key', [1, 2, 3].map((id) => ({ id, probe: listPets({ credential: bearer('rate-limit') }) }))],
    ['another operation', [1, 2, 3].map((id) => ({ id, probe: getPet('1') }))],
  ])('it is unknown with %s', (_, answers) => {
    expect(moved(answers)).toBe('unknown');
  });

  test('as much as a bucket may have refilled has to be made up for', () => {
    const soon = [{ id: 1 }, { id: 2, at: 100 }, { id: 3, at: 100 }];
    expect(moved(soon)).toBe('unknown');
    expect(moved([...soon, { id: 4, at: 100 }])).toBe('constant');
    const slow = [1, 2, 3].map((id) => ({ id, limit: 60, at: 10 * id }));
    expect(moved(slow)).toBe('constant');
    const ofDay = [1, 2, 3].map((id) => ({ id, limit: 100_000, reset: 40_000, at: 200 * id }));
    expect(moved(ofDay)).toBe('constant');
    expect(moved(ofDay.map((each) => ({ ...each, limit: 1_000 })))).toBe('constant');
    expect(moved(ofDay.map((each) => ({ ...each, reset: 40 })))).toBe('unknown');
    const unknown = [1, 2, 3].map((id) => ({ id, limit: 77, reset: 1, at: 50 * id }));
    expect(moved(unknown)).toBe('unknown');
  });

  test('a count of what was used is no fall where the window is renewed', () => {
    expect(
      moved([
        { id: 1, reset: 2 },
        { id: 2, reset: 62, at: 2_000, remaining: 1 },
      ]),
    ).toBe('unknown');
    expect(
      moved([
        { id: 1, reset: 2 },
        { id: 2, reset: 3, remaining: 899 },
      ]),
    ).toBe('decreasing');
  });

  test('whatever orders are answered with, they were asked for with the key', () => {
    const orders = (status: number) => [1, 2, 3].map((id) => ({ id, status, probe: listOrders() }));
    expect(moved(orders(403), 'listOrders')).toBe('constant');
    expect(moved(orders(200), 'listOrders')).toBe('constant');
    expect(moved(orders(401), 'listOrders')).toBe('unknown');
  });
});

describe('an operation among others', () => {
  const counted = (answers: readonly Came[], concurrency = 1) =>
    watchOf(answers, concurrency).isCounted('listPets');

  test('is counted where Remaining falls by more than the others sent meanwhile', () => {
    expect(counted([{ id: 1 }, { id: 2, remaining: 899 }])).toBe(true);
    expect(counted([{ id: 1 }, { id: 4, remaining: 897 }])).toBe(true);
    expect(counted([{ id: 1 }, { id: 4, remaining: 898 }])).toBe(false);
    expect(counted([{ id: 1 }, { id: 2 }])).toBe(false);
  });

  test('may not be, where others under way are as many', () => {
    expect(counted([{ id: 1 }, { id: 2, sent: 3, remaining: 899 }])).toBe(false);
    expect(counted([{ id: 1 }, { id: 2, remaining: 899 }], 2)).toBe(false);
    expect(counted([{ id: 1 }, { id: 2, status: 404, remaining: 899 }])).toBe(false);
    expect(counted([{ id: 1 }, { id: 2, remaining: 899 }, { id: 3, remaining: 898 }], 2)).toBe(true);
  });
});
