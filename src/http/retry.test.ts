import { expect, test } from 'vitest';
import { list } from './client-testing.ts';
import type { Exchange, TransportFailure } from './exchange.ts';
import { decideRetry, noRetries, type RetryContext, type RetryDecision } from './retry.ts';

const sent = {
  id: 1,
  request: list(),
  wire: { method: 'GET', url: 'http://target.invalid/v1/pets', headers: [], body: null },
  startedAt: 0,
  durationMs: 5,
};
const answered = (status: number): Exchange => ({
  ...sent,
  response: { status, headers: [], body: new Uint8Array() },
  failure: null,
});
const failed = (kind: TransportFailure['kind'], durationMs = 5): Exchange => ({
  ...sent,
  durationMs,
  response: null,
  failure: { kind, message: 'why', reused: false },
});

const usual: RetryContext = {
  expects429: false,
  reused: false,
  hasResponded: true,
  isUnreachable: false,
  timeoutMs: 1_000,
};

/** What is done about the same thing again and again, until it is no longer sent. */
const course = (exchange: Exchange, changes: Partial<RetryContext> = {}): readonly RetryDecision[] => {
  const all = [decideRetry(exchange, noRetries, { ...usual, ...changes })];
  for (let next = all[0]; next?.kind === 'again' && all.length < 20; next = all.at(-1))
    all.push(decideRetry(exchange, next.retries, { ...usual, ...changes }));
  return all;
};
const waits = (all: readonly RetryDecision[]) =>
  all.map((next) => (next.kind === 'again' ? next.waitMs : next.kind));

test('a 429 that nobody asked for is sent again four times', () => {
  const all = course(answered(429));
  expect(waits(all)).toEqual([0, 0, 0, 0, 'not-decided']);
  expect(all.at(-1)).toMatchObject({ reason: { code: 'rate-limit', times: 5 } });
  expect(waits(course(answered(429), { expects429: true }))).toEqual(['done']);
});

test('a connection that was reset in its second use is excused once, on a fresh one', () => {
  const all = course(failed('reset'), { reused: true });
  expect(waits(all)).toEqual([0, 'done']);
  expect(all[0]).toMatchObject({ fresh: true });
  expect(waits(course(failed('reset')))).toEqual(['done']);
});

test('a target that refuses connections is waited for, and then dead', () => {
  for (const kind of ['refused', 'unreachable'] as const) {
    const all = course(failed(kind));
    expect(waits(all)).toEqual([100, 300, 700, 1_200, 2_000, 3_000, 3_000, 'done']);
    expect(all.at(-1)).toMatchObject({ unreachableReason: { code: 'target-gone', detail: 'gone' } });
  }
  expect(course(failed('refused'), { isUnreachable: true })).toMatchObject([{ kind: 'done' }]);
});

test('one that never answered is dead at once', () => {
  expect(course(failed('refused'), { hasResponded: false })).toEqual([
    { kind: 'done', unreachableReason: { code: 'target-gone', detail: 'no-connection', failure: 'why' } },
  ]);
});

test('what hangs is neither sent again nor dead, and what the run has ended decides nothing', () => {
  for (const hanging of [failed('timeout', 1_000), failed('unreachable', 1_000)])
    expect(course(hanging)).toEqual([{ kind: 'done', unreachableReason: null }]);
  expect(course(failed('aborted'))).toMatchObject([{ kind: 'not-decided' }]);
});

test.each([200, 201, 400, 401, 500])('an answer of %i is one, whoever it is bad for', (status) => {
  expect(course(answered(status))).toEqual([{ kind: 'done', unreachableReason: null }]);
});
