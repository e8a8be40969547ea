import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breachesIn, causesIn, now, parsedResponse, today } from '../../../test/support/build.ts';
import { listOrders, listPets } from '../../check/requests.ts';
import { anonymous, bearer } from '../../http/credentials.ts';
import { createWindowMonitor } from './window.ts';

interface ResponseSpec {
  /** Number in the order of sending. */
  readonly id: number;
  readonly status?: number;
  readonly remaining?: number;
  /** Seconds from now. */
  readonly reset?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly credential?: typeof anonymous;
  readonly operation?: typeof listPets | typeof listOrders;
  readonly inputSpace?: 'undocumented';
}

const concurrency = 2;

/** Returns the findings of the last response. A request takes 5 ms, and one is sent every 10 ms. */
const findingsOf = (responses: readonly ResponseSpec[], { isExclusive = true, other = false } = {}) => {
  const otherLimit = { mayExplain: () => other };
  const monitor = createWindowMonitor({ isExclusive: () => isExclusive, otherLimit, concurrency });
  const all = responses.map((spec) => {
    const { id, status = 200, remaining = 50, reset = 60, headers, operation = listPets } = spec;
    const probe = operation({
      credential: spec.credential ?? bearer('main'),
      inputSpace: spec.inputSpace ?? 'documented',
    });
    const shown = {
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${now + reset}`,
      ...headers,
    };
    const times = { id, startedAt: today + 10 * id, durationMs: 5 };
    return monitor.observe(parsedResponse(probe, { status, headers: shown }, times), probe);
  });
  return all.at(-1) ?? [];
};

const causesOf = (responses: readonly ResponseSpec[], conditions = {}) =>
  causesIn(findingsOf(responses, conditions));

describe('RATE-6', () => {
  const limited = { status: 429, id: 10, remaining: 0 };
  const breach429 = ['RATE-6: 429-while-remaining'];

  test('429 while requests remain -> breach', () => {
    expect(causesOf([{ id: 1 }, limited])).toEqual(breach429);
  });

  test('several 429s -> the problem has the time of the first one, and what remained', () => {
    const [breach] = breachesIn(
      findingsOf([
        { id: 1, remaining: 49 },
        { ...limited, id: 7, operation: listOrders },
        { ...limited, id: 31 },
      ]),
    );
    expect(breach?.problem).toMatchObject({
      rule: '429-while-remaining',
      slot: 'main',
      before: 49,
      remaining: '0',
      first: { request: 7, afterMs: 60 },
    });
  });

  test('requests sent since and in flight -> subtracted from Remaining', () => {
    const mayCount = limited.id - 1 + 2 * concurrency;
    expect(causesOf([{ id: 1, remaining: mayCount }, limited])).toEqual(breach429);
    expect(causesOf([{ id: 1, remaining: mayCount - 1 }, limited])).toEqual([]);
    expect(causesOf([{ id: 1, remaining: 0 }, limited])).toEqual([]);
  });

  test('429 to a request that may have been sent before the earlier response -> nothing', () => {
    expect(causesOf([{ id: 1 }, { ...limited, id: 1 + concurrency }])).toEqual([]);
    expect(causesOf([{ id: 1 }, { ...limited, id: 2 + concurrency }])).toEqual(breach429);
  });

  test.each<[string, readonly ResponseSpec[]]>([
    ['no earlier response', [limited]],
    ['unreadable Remaining', [{ id: 1, headers: { 'X-RateLimit-Remaining': 'many' } }, limited]],
    ['Remaining of another operation', [{ id: 1, operation: listOrders }, limited]],
    ['end of the window', [{ id: 1, reset: 1 }, limited]],
    ['no Date', [{ id: 1 }, { ...limited, headers: { Date: null } }]],
    ['wait for the daily limit', [{ id: 1 }, { ...limited, headers: { 'Retry-After': '121' } }]],
    [
      'no key',
      [
        { id: 1, credential: anonymous },
        { ...limited, credential: anonymous },
      ],
    ],
  ])('429, %s -> no breach', (_, responses) => {
    expect(causesOf(responses)).toEqual([]);
  });

  test('429 that may come before authentication -> nothing', () => {
    expect(causesOf([{ id: 1 }, { ...limited, inputSpace: 'undocumented' }])).toEqual([]);
    const another = { ...limited, remaining: 49, inputSpace: 'undocumented' as const };
    expect(causesOf([{ id: 1 }, { ...another, reset: 30 }])).toEqual([]);
    expect(causesOf([{ id: 1 }, { ...another, headers: { 'X-RateLimit-Limit': '7' } }])).toEqual([]);
  });

  test('hidden limit of the plan may explain the 429 -> inconclusive', () => {
    const ofDay = [{ id: 1, reset: 3_600 }, limited];
    expect(causesOf(ofDay)).toEqual(breach429);
    expect(findingsOf(ofDay, { other: true })).toEqual([
      {
        kind: 'inconclusive',
        requirement: 'RATE-6',
        reason: { code: 'other-limit', detail: 'plan' },
      },
    ]);
  });

  test('429 that shows remaining requests in the same window -> breach for any request', () => {
    expect(causesOf([{ id: 1 }, { ...limited, remaining: 49, inputSpace: 'undocumented' }])).toEqual(
      breach429,
    );
  });

  test('other clients use the key -> nothing', () => {
    expect(causesOf([{ id: 1 }, limited], { isExclusive: false })).toEqual([]);
  });
});

describe('RATE-4', () => {
  const low = { id: 1, remaining: 50 };
  const high = { id: 10, remaining: 900 };
  const back = { id: 20, remaining: 45 };

  test('Remaining rises and falls back in one window -> breach', () => {
    expect(causesOf([low, high, back])).toEqual(['RATE-4: counter-jumps']);
  });

  test('old window shown again after another one -> breach', () => {
    expect(causesOf([low, { ...high, reset: 67 }, back])).toEqual(['RATE-4: counter-jumps']);
  });

  test('responses that may be counted by address -> ignored', () => {
    expect(causesOf([low, { ...high, status: 401 }, back])).toEqual([]);
    expect(causesOf([low, { ...high, status: 403 }, back])).toEqual([]);
    expect(causesOf([low, { ...high, status: 500 }, back])).toEqual([]);
    expect(causesOf([low, { ...high, status: 400, inputSpace: 'undocumented' }, back])).toEqual([]);
    expect(causesOf([low, { ...high, inputSpace: 'undocumented' }, back])).toEqual(['RATE-4: counter-jumps']);
    expect(causesOf([low, { ...high, status: 404 }, back])).toEqual([]);
    expect(causesOf([low, { ...high, status: 400 }, back])).toEqual(['RATE-4: counter-jumps']);
  });

  test('Remaining falls at any speed -> no breach', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 30 }), (falls) => {
        let remaining = 1_000;
        const responses = falls.map((fall, index) => {
          remaining -= fall;
          return { id: index + 1, remaining: Math.max(0, remaining) };
        });
        expect(causesOf(responses)).toEqual([]);
      }),
    );
  });

  test('only a rise, a new window, or a fall that requests explain -> no breach', () => {
    expect(causesOf([low, high])).toEqual([]);
    expect(causesOf([low, { ...high, reset: 90 }, { ...back, reset: 90 }])).toEqual([]);
    expect(causesOf([{ ...low, reset: 30 }, high, back])).toEqual([]);
    expect(causesOf([low, { ...high, headers: { 'X-RateLimit-Limit': '2000' } }, back])).toEqual([]);
    expect(causesOf([low, { ...high, remaining: 55 }, back])).toEqual([]);
    expect(causesOf([{ ...low, remaining: 40 }, high, back])).toEqual([]);
    expect(causesOf([low, high, back], { isExclusive: false })).toEqual([]);
  });
});

describe('RATE-2', () => {
  const reset = (id: number, seconds: number, limit = '1000') => ({
    id,
    reset: seconds,
    headers: { 'X-RateLimit-Limit': limit },
  });

  test('Reset moves back twice -> breach', () => {
    expect(causesOf([reset(1, 60_000), reset(10, 59_900), reset(20, 59_800)])).toEqual([
      'RATE-2: reset-moves-back',
    ]);
  });

  test('Reset moves back once, by less than a minute, or for another limit -> no breach', () => {
    expect(causesOf([reset(1, 60_000), reset(10, 40_000)])).toEqual([]);
    expect(causesOf([reset(1, 100), reset(10, 80), reset(20, 45)])).toEqual([]);
    expect(causesOf([reset(1, 60_000), reset(2, 59_900), reset(3, 59_800)])).toEqual([]);
    expect(causesOf([reset(1, 86_000), reset(10, 4_000, '60'), reset(20, 30, '60')])).toEqual([]);
  });

  test('Reset moves from the end of a day to a minute to the next request -> no breach', () => {
    expect(causesOf([reset(1, 60_000), reset(10, 59), reset(20, 3)])).toEqual([]);
  });

  test('constant or growing Reset with any rounding -> no breach', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 90 }), { minLength: 2, maxLength: 30 }), (steps) => {
        let seconds = 60;
        const responses = steps.map((step, index) => {
          seconds += Math.max(0, step);
          return reset(5 * index + 1, seconds + Math.min(step, 0));
        });
        expect(causesOf(responses)).toEqual([]);
      }),
    );
  });
});
