import { describe, expect, test } from 'vitest';
import { now, parsedResponse, today } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import { bearer } from '../../http/credentials.ts';
import type { Plan } from '../../openapi/plans.ts';
import { createOtherLimit } from './other-limit.ts';

const concurrency = 4;
const probe = listPets({ credential: bearer('main') });

interface Case {
  readonly plan: Plan | null;
  /** The limit in the headers. `reset`: seconds until it resets. */
  readonly limit: number;
  readonly reset?: number;
  readonly requests: number;
  /** Seconds from one request to the next. */
  readonly every?: number;
  /** Fall of Remaining for each request. */
  readonly charge?: number;
}

/** Tells whether the hidden limit may explain a 429 after these requests and one long before. */
const mayExplain = ({ plan, limit, reset = 30, requests, every = 0.1, charge = 1 }: Case): boolean => {
  const other = createOtherLimit({ main: plan, 'rate-limit': null }, concurrency);
  const state = { limit, remaining: limit, reset: now + reset, untilReset: reset };
  const respond = (count: number, at: number) => {
    const headers = {
      'X-RateLimit-Limit': `${limit}`,
      'X-RateLimit-Remaining': `${limit - charge * count}`,
    };
    other.observe(parsedResponse(probe, { headers }, { startedAt: at }), probe);
  };
  respond(0, today - 3_600_000);
  for (let count = 1; count <= requests; count += 1) respond(count, today + count * every * 1000);
  const remaining = limit - charge * requests;
  return other.mayExplain('main', { ...state, remaining }, today + requests * every * 1000);
};

describe('the headers show the limit of the day', () => {
  test.each<[string, Case, boolean]>([
    ['the minute of the plan is used up', { plan: 'free', limit: 1_000, requests: 60 }, true],
    ['requests in flight are counted', { plan: 'free', limit: 1_000, requests: 56 }, true],
    ['the minute of the plan has requests left', { plan: 'free', limit: 1_000, requests: 55 }, false],
    [
      'the requests were sent over more than a minute',
      { plan: 'free', limit: 1_000, requests: 60, every: 2 },
      false,
    ],
    ['a request is charged as two', { plan: 'free', limit: 1_000, requests: 30, charge: 2 }, true],
    ['the plan is larger', { plan: 'pro', limit: 10_000, requests: 60 }, false],
    ['unknown plan: limits of Free', { plan: null, limit: 7_777, reset: 3_600, requests: 60 }, true],
    ['Enterprise: limits of Free', { plan: 'enterprise', limit: 7_777, reset: 3_600, requests: 60 }, true],
    ['unknown plan, few requests', { plan: null, limit: 7_777, reset: 3_600, requests: 20 }, false],
    ['the last minute of the day', { plan: null, limit: 10_000, reset: 30, requests: 60 }, true],
  ])('%s', (_, spec, expected) => {
    expect(mayExplain(spec)).toBe(expected);
  });

  test('first minute of the run -> an earlier run may have used the limit', () => {
    const other = createOtherLimit({ main: 'free', 'rate-limit': null }, concurrency);
    const state = { limit: 1_000, remaining: 900, reset: now + 3_600, untilReset: 3_600 };
    other.observe(parsedResponse(probe, {}, { startedAt: today }), probe);
    expect(other.mayExplain('main', state, today + 30_000)).toBe(true);
    expect(other.mayExplain('main', state, today + 90_000)).toBe(false);
  });
});

describe('the headers show the limit of the minute', () => {
  test.each<[string, Case, boolean]>([
    ['the day of the plan is used up', { plan: 'free', limit: 60, requests: 1_000, every: 2 }, true],
    ['the day of the plan has requests left', { plan: 'free', limit: 60, requests: 900, every: 2 }, false],
    ['unknown plan: limits of Free', { plan: null, limit: 300, requests: 1_000 }, true],
    ['unknown plan, few requests', { plan: null, limit: 300, requests: 200 }, false],
  ])('%s', (_, spec, expected) => {
    expect(mayExplain(spec)).toBe(expected);
  });
});
