import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breachesIn, causesIn, now, parsedResponse, today } from '../../../test/support/build.ts';
import { listOrders, listPets } from '../../check/requests.ts';
import { anonymous, bearer } from '../../http/credentials.ts';
import { createWindowMonitor } from './window.ts';

interface Came {
  /** In the order of sending. */
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

/** What the watch finds in the last of these answers; a request takes 5 ms, and one is sent each 10 ms. */
const found = (answers: readonly Came[], { ours = true, other = false } = {}) => {
  const otherLimit = { mayExplain: () => other };
  const rates = createWindowMonitor({ isOursAlone: () => ours, otherLimit, concurrency });
  const all = answers.map((came) => {
    const { id, status = 200, remaining = 50, reset = 60, headers, operation = listPets } = came;
    const probe = operation({
      credential: came.credential ?? bearer('main'),
      inputSpace: came.inputSpace ?? 'documented',
    });
    const shown = {
      'X-RateLimit-Remaining': `${remaining}`,
      'X-RateLimit-Reset': `${now + reset}`,
      ...headers,
    };
    const times = { id, startedAt: today + 10 * id, durationMs: 5 };
    return rates.observe(parsedResponse(probe, { status, headers: shown }, times), probe);
  });
  return all.at(-1) ?? [];
};

/** The causes of it. */
const watched = (answers: readonly Came[], conditions = {}) => causesIn(found(answers, conditions));

describe('RATE-6', () => {
  const refused = { status: 429, id: 10, remaining: 0 };
  const breached = ['RATE-6: 429-while-remaining'];

  test('a 429 while requests remain is a breach', () => {
    expect(watched([{ id: 1 }, refused])).toEqual(breached);
  });

  test('tells when the first one came, and what remained', () => {
    const [breach] = breachesIn(
      found([
        { id: 1, remaining: 49 },
        { ...refused, id: 7, operation: listOrders },
        { ...refused, id: 31 },
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

  test('what may have been sent in between, and what was under way, is allowed for', () => {
    const mayCount = refused.id - 1 + 2 * concurrency;
    expect(watched([{ id: 1, remaining: mayCount }, refused])).toEqual(breached);
    expect(watched([{ id: 1, remaining: mayCount - 1 }, refused])).toEqual([]);
    expect(watched([{ id: 1, remaining: 0 }, refused])).toEqual([]);
  });

  test('a 429 to a request that may have been sent before that answer came is none', () => {
    expect(watched([{ id: 1 }, { ...refused, id: 1 + concurrency }])).toEqual([]);
    expect(watched([{ id: 1 }, { ...refused, id: 2 + concurrency }])).toEqual(breached);
  });

  test.each<[string, readonly Came[]]>([
    ['nothing is known of what remained', [refused]],
    ['what remained cannot be read', [{ id: 1, headers: { 'X-RateLimit-Remaining': 'many' } }, refused]],
    ['another operation said so', [{ id: 1, operation: listOrders }, refused]],
    ['the window ends', [{ id: 1, reset: 1 }, refused]],
    ["the server's clock is not known", [{ id: 1 }, { ...refused, headers: { Date: null } }]],
    ["it speaks of the day's limit", [{ id: 1 }, { ...refused, headers: { 'Retry-After': '121' } }]],
    [
      'no key was sent',
      [
        { id: 1, credential: anonymous },
        { ...refused, credential: anonymous },
      ],
    ],
  ])('a 429 is no breach where %s', (_, answers) => {
    expect(watched(answers)).toEqual([]);
  });

  test('a 429 to what may be refused in front of authentication is none', () => {
    expect(watched([{ id: 1 }, { ...refused, inputSpace: 'undocumented' }])).toEqual([]);
    const another = { ...refused, remaining: 49, inputSpace: 'undocumented' as const };
    expect(watched([{ id: 1 }, { ...another, reset: 30 }])).toEqual([]);
    expect(watched([{ id: 1 }, { ...another, headers: { 'X-RateLimit-Limit': '7' } }])).toEqual([]);
  });

  test('a plan has two limits: inconclusive if the one that is not shown may explain the 429', () => {
    const ofDay = [{ id: 1, reset: 3_600 }, refused];
    expect(watched(ofDay)).toEqual(breached);
    expect(found(ofDay, { other: true })).toEqual([
      {
        kind: 'inconclusive',
        requirement: 'RATE-6',
        reason: { code: 'other-limit', detail: 'plan' },
      },
    ]);
  });

  test('a 429 that says itself that the key has requests left is a breach, whatever was sent', () => {
    expect(watched([{ id: 1 }, { ...refused, remaining: 49, inputSpace: 'undocumented' }])).toEqual(breached);
  });

  test('nothing is judged of a key that others use', () => {
    expect(watched([{ id: 1 }, refused], { ours: false })).toEqual([]);
  });
});

describe('RATE-4', () => {
  const low = { id: 1, remaining: 50 };
  const high = { id: 10, remaining: 900 };
  const back = { id: 20, remaining: 45 };

  test('Remaining that rises and falls back in one window comes from several counters', () => {
    expect(watched([low, high, back])).toEqual(['RATE-4: counter-jumps']);
  });

  test('so does a window that is shown again after another one', () => {
    expect(watched([low, { ...high, reset: 67 }, back])).toEqual(['RATE-4: counter-jumps']);
  });

  test('what a caller is told who is refused, or whose request no route takes, is not of the key', () => {
    expect(watched([low, { ...high, status: 401 }, back])).toEqual([]);
    expect(watched([low, { ...high, status: 403 }, back])).toEqual([]);
    expect(watched([low, { ...high, status: 500 }, back])).toEqual([]);
    expect(watched([low, { ...high, status: 400, inputSpace: 'undocumented' }, back])).toEqual([]);
    expect(watched([low, { ...high, inputSpace: 'undocumented' }, back])).toEqual(['RATE-4: counter-jumps']);
    expect(watched([low, { ...high, status: 404 }, back])).toEqual([]);
    expect(watched([low, { ...high, status: 400 }, back])).toEqual(['RATE-4: counter-jumps']);
  });

  test('Remaining that falls, as fast as it may, is what it should be', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 30 }), (falls) => {
        let remaining = 1_000;
        const answers = falls.map((fall, index) => {
          remaining -= fall;
          return { id: index + 1, remaining: Math.max(0, remaining) };
        });
        expect(watched(answers)).toEqual([]);
      }),
    );
  });

  test('a rise alone, a moved window and a fall that was sent are fine', () => {
    expect(watched([low, high])).toEqual([]);
    expect(watched([low, { ...high, reset: 90 }, { ...back, reset: 90 }])).toEqual([]);
    expect(watched([{ ...low, reset: 30 }, high, back])).toEqual([]);
    expect(watched([low, { ...high, headers: { 'X-RateLimit-Limit': '2000' } }, back])).toEqual([]);
    expect(watched([low, { ...high, remaining: 55 }, back])).toEqual([]);
    expect(watched([{ ...low, remaining: 40 }, high, back])).toEqual([]);
    expect(watched([low, high, back], { ours: false })).toEqual([]);
  });
});

describe('RATE-2', () => {
  const reset = (id: number, seconds: number, limit = '1000') => ({
    id,
    reset: seconds,
    headers: { 'X-RateLimit-Limit': limit },
  });

  test('a Reset that falls, and falls again, is no time at which a limit resets', () => {
    expect(watched([reset(1, 60_000), reset(10, 59_900), reset(20, 59_800)])).toEqual([
      'RATE-2: reset-moves-back',
    ]);
  });

  test('it takes two falls of one limit, one after the other, of more than a minute each', () => {
    expect(watched([reset(1, 60_000), reset(10, 40_000)])).toEqual([]);
    expect(watched([reset(1, 100), reset(10, 80), reset(20, 45)])).toEqual([]);
    expect(watched([reset(1, 60_000), reset(2, 59_900), reset(3, 59_800)])).toEqual([]);
    expect(watched([reset(1, 86_000), reset(10, 4_000, '60'), reset(20, 30, '60')])).toEqual([]);
  });

  test('it may come nearer from the end of a day to that of a minute, and from there to the next slot', () => {
    expect(watched([reset(1, 60_000), reset(10, 59), reset(20, 3)])).toEqual([]);
  });

  test('a Reset that stands or moves on is one, whatever it is rounded to', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 90 }), { minLength: 2, maxLength: 30 }), (steps) => {
        let seconds = 60;
        const answers = steps.map((step, index) => {
          seconds += Math.max(0, step);
          return reset(5 * index + 1, seconds + Math.min(step, 0));
        });
        expect(watched(answers)).toEqual([]);
      }),
    );
  });
});
