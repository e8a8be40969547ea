import { describe, expect, test } from 'vitest';
import { causesIn, parsedResponse, today } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import { anonymous, bearer } from '../../http/credentials.ts';
import { createRetryAfterMonitor } from './wait.ts';

interface Came {
  /** Seconds from the first request on; an answer takes 5 ms. */
  readonly at: number;
  readonly status?: number;
  /** Seconds; a string stands as it is. */
  readonly wait?: number | string | null;
  readonly asked?: boolean;
  readonly credential?: typeof anonymous;
  readonly date?: string | null;
}

const dateAfter = (seconds: number): string => new Date(today + seconds * 1000).toUTCString();

/** What the watch finds in all of these answers. */
const watched = (answers: readonly Came[], { ours = true, other = false } = {}) => {
  const otherLimit = { mayExplain: () => other };
  const waits = createRetryAfterMonitor({ isOursAlone: () => ours, otherLimit });
  return answers.flatMap(({ at, status = 429, wait = 10, asked = false, credential, date }, id) => {
    const probe = listPets({ credential: credential ?? bearer('main') });
    const headers = {
      ...(status === 429 ? { 'Retry-After': wait === null ? null : String(wait) } : {}),
      Date: date === undefined ? dateAfter(Math.floor(at)) : date,
    };
    const times = { id, startedAt: today + at * 1000, durationMs: 5 };
    return causesIn(
      waits.observe(parsedResponse(probe, { status, headers }, times), probe, { expects429: asked }),
    );
  });
};

const breached = ['RATE-8: refused-after-wait'];
const patient: readonly Came[] = [{ at: 0 }, { at: 12 }, { at: 24 }, { at: 40 }];

describe('RATE-8', () => {
  test('a key that is refused again after each of three waits is not served in time', () => {
    expect(watched(patient)).toEqual(breached);
    expect(watched(patient.slice(0, -1))).toEqual([]);
  });

  test('dates are waited for by the clock of the server', () => {
    const byDate = patient.map(({ at }) => ({ at, wait: dateAfter(Math.floor(at) + 10) }));
    expect(watched(byDate)).toEqual(breached);
    expect(watched(byDate.map((each) => ({ ...each, date: null })))).toEqual([]);
  });

  test('requests that were under way at the first 429 break no wait', () => {
    expect(watched([...patient.slice(0, 1), { at: 0.004 }, ...patient.slice(1)])).toEqual(breached);
  });

  test('what has been served since ends the waits', () => {
    const [first, second, third, fourth] = patient;
    const all = [first, second, { at: 13, status: 200 }, third, fourth].filter((each) => each !== undefined);
    expect(watched(all)).toEqual([]);
    expect(watched([...all, { at: 60 }])).toEqual([]);
    expect(watched([...all, { at: 60 }, { at: 75 }])).toEqual(breached);
  });

  test.each<[string, readonly Came[]]>([
    [
      'a request was sent during a wait',
      [{ at: 0 }, { at: 5 }, { at: 20 }, { at: 40 }, { at: 60 }, { at: 80 }],
    ],
    ['a 429 was wanted', patient.map((came, index) => ({ ...came, asked: index === 0 }))],
    ['no time is given', patient.map((came) => ({ ...came, wait: null }))],
    [
      "one speaks of the day's limit",
      patient.map((came, index) => ({ ...came, wait: index === 3 ? 121 : 10 })),
    ],
    ['no key was sent', patient.map((came) => ({ ...came, credential: anonymous }))],
  ])('nothing is judged where %s', (_, answers) => {
    expect(watched(answers)).toEqual([]);
  });

  test('nothing is judged if the other limit of the plan may explain the 429', () => {
    expect(watched(patient, { other: true })).toEqual([]);
  });

  test('nothing is judged of a key that others use', () => {
    expect(watched(patient, { ours: false })).toEqual([]);
  });
});
