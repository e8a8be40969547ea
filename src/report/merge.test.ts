import { expect, test } from 'vitest';
import { reasonText } from '../finding/reason.ts';
import { isOfServer, type Outcome } from '../run/outcome.ts';
import { toReport } from './conformance.ts';
import { mergeShards as merge, type Shard } from './merge.ts';
import { whyNotOneRun } from './one-run.ts';
import { brokenOutcome, failure, outcomeOf, type Scenario } from './testing.ts';

const shard = (outcome: Outcome): Shard => ({ report: toReport(outcome), exchanges: outcome.exchanges });
const of = (scenario: Scenario = {}): Shard => shard(outcomeOf(scenario));
const mergeShards = (...shards: Parameters<typeof merge>) => merge(...shards).outcome;
const result = (outcome: Outcome, id: string) =>
  outcome.requirements.find((candidate) => candidate.id === id);

test('mergeShards: a single shard -> the same outcome without timeline, command, and settings', () => {
  const { timeline, command, settings, ...same } = brokenOutcome();
  expect(mergeShards(shard(brokenOutcome()))).toEqual(same);
});

test('mergeShards: different verdicts -> the worst, in any order of shards', () => {
  const order = ['failed', 'error', 'warned', 'passed', 'inconclusive', 'skipped'] as const;
  for (const [index, worse] of order.entries()) {
    for (const better of order.slice(index)) {
      const [a, b] = [worse, better].map((verdict) => of({ results: { 'GEN-1': { verdict } } })) as [
        Shard,
        Shard,
      ];
      expect(result(mergeShards(a, b), 'GEN-1')?.verdict).toBe(worse);
      expect(result(mergeShards(b, a), 'GEN-1')?.verdict).toBe(worse);
    }
  }
});

test('mergeShards: a reason -> kept only with its verdict', () => {
  const open = of({ results: { 'GEN-1': { verdict: 'inconclusive', reason: 'No chance.' } } });
  expect(result(mergeShards(open, of()), 'GEN-1')).toMatchObject({
    verdict: 'passed',
    reason: null,
    checks: 24,
  });
  expect(result(mergeShards(open, open), 'GEN-1')?.reason).toBe('No chance.');
});

test('mergeShards: the same failure in several shards -> one failure', () => {
  const failed = of({
    verdict: 'nonconformant',
    results: { 'GEN-1': { verdict: 'failed', failures: [failure()] } },
  });
  const other = of({
    verdict: 'nonconformant',
    results: { 'GEN-1': { verdict: 'failed', failures: [failure({ variant: 'another cause' })] } },
  });
  const merged = mergeShards(failed, failed, other);
  expect(result(merged, 'GEN-1')?.failures.map(({ occurrences }) => occurrences)).toEqual([10, 5]);
  expect(merged.verdict).toBe('nonconformant');
});

test('mergeShards: inputs of one failure in several shards -> all of them, failing and passing', () => {
  const parts = ['limit=0', 'limit=101'].map((input) => {
    const failures = [failure({ inputs: [input], passed: [`not ${input}`] })];
    return of({ verdict: 'nonconformant', results: { 'GEN-1': { verdict: 'failed', failures } } });
  });
  const [first, ...rest] = parts as [Shard, ...Shard[]];
  expect(result(mergeShards(first, ...rest), 'GEN-1')?.failures).toMatchObject([
    { inputs: ['limit=0', 'limit=101'], passed: ['not limit=0', 'not limit=101'] },
  ]);
});

test('mergeShards: failures of one rule -> another variant stays, another message is merged', () => {
  type VariantAndMessage = readonly [variant: string, message: string];
  const messagesAfter = (...shards: readonly (readonly VariantAndMessage[])[]) => {
    const [first = of(), ...rest] = shards.map((pairs) => {
      const failures = pairs.map(([variant, message]) => failure({ rule: 'status', variant, message }));
      return of({ verdict: 'nonconformant', results: { 'GEN-1': { verdict: 'failed', failures } } });
    });
    return result(mergeShards(first, ...rest), 'GEN-1')?.failures.map(({ message }) => message);
  };
  const five: VariantAndMessage = ['400, 500', 'limit=7: expected 400, got 500'];
  const one: VariantAndMessage = ['400, 501', 'limit=7: expected 400, got 501'];
  const again: VariantAndMessage = ['400, 501', 'limit=9: expected 400, got 501'];
  expect(messagesAfter([five, one], [again])).toEqual([five[1], one[1]]);
});

test('mergeShards: traffic, coverage, and created animals -> added up', () => {
  const merged = mergeShards(of(), of());
  expect(merged.traffic.requests).toBe(2 * 665);
  expect(merged.traffic.byStatus).toEqual({ 200: 706, 201: 240, 400: 192, 401: 192 });
  expect(merged.coverage[0]).toMatchObject({ seen: 620, headers: { 'content-type': 620 } });
  expect(merged.created).toHaveLength(3);
  expect(mergeShards(of(), of({ created: 5 })).created).toHaveLength(5);
  expect(merged.observations).toEqual(outcomeOf().observations);
});

test('mergeShards: requests without a response -> added up', () => {
  const outcome = outcomeOf();
  const unanswered = { refused: 2, timeout: 1 };
  const withoutResponses = shard({ ...outcome, traffic: { ...outcome.traffic, unanswered } });
  const merged = mergeShards(withoutResponses, withoutResponses, shard(outcome));
  expect(merged.traffic.unanswered).toEqual({ refused: 4, timeout: 2 });
});

test('mergeShards: observations with several values of one subject -> one observation with each value once', () => {
  const withObservations = (...observations: Outcome['observations']): Shard =>
    shard({ ...outcomeOf(), observations });
  const of = (id: string, subject: string, ...values: readonly string[]) => ({
    id,
    subject,
    value: values.join(', '),
    values,
  });
  const merged = mergeShards(
    withObservations(of('LIST-10', 'order', 'by id, ascending'), of('LIST-5', 'status', '400')),
    withObservations(
      of('LIST-5', 'status', '200', '400'),
      of('LIST-5', 'limit', '422'),
      of('LIST-10', 'order', 'no recognizable order'),
    ),
  );
  expect(merged.observations).toEqual([
    of('LIST-5', 'limit', '422'),
    of('LIST-5', 'status', '200', '400'),
    of('LIST-10', 'order', 'by id, ascending', 'no recognizable order'),
  ]);
});

test('mergeShards: failures -> point to their own exchanges', () => {
  const merged = mergeShards(shard(brokenOutcome()), shard(brokenOutcome()));
  const ids = merged.exchanges.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, failures } of merged.requirements) {
    for (const { exchange } of failures.filter(isOfServer)) {
      expect(merged.exchanges.find((candidate) => candidate.id === exchange)?.breaches).toContain(id);
    }
  }
});

test('mergeShards: times -> from the first start to the last end', () => {
  const later = outcomeOf();
  const report = { ...toReport(later), startedAt: '2026-01-01T00:00:10.000Z', durationMs: 1_000 };
  const merged = mergeShards({ report, exchanges: [] }, of());
  expect([merged.startedAt, merged.durationMs]).toEqual(['2026-01-01T00:00:00.000Z', 11_000]);
});

test('mergeShards: a known failure -> conformant; warnings -> nonconformant if a shard was strict', () => {
  const known = { 'GEN-1': { verdict: 'failed', known: 'for now', failures: [failure()] } } as const;
  expect(mergeShards(of({ results: known }), of({ results: known })).verdict).toBe('conformant');
  const warned = { 'AUTH-6': { verdict: 'warned' } } as const;
  expect(mergeShards(of({ results: warned }), of()).verdict).toBe('conformant');
  expect(mergeShards(of({ verdict: 'nonconformant', results: warned }), of()).verdict).toBe('nonconformant');
});

test('mergeShards: a known failure -> passed if no shard found it, otherwise failed', () => {
  const notFound = of({
    results: {
      'GEN-1': {
        verdict: 'inconclusive',
        reason: reasonText({ code: 'not-met-in-shard' }),
        reasonCode: 'not-met-in-shard',
        known: 'for now',
      },
    },
  });
  expect(result(mergeShards(notFound, notFound), 'GEN-1')).toMatchObject({
    verdict: 'passed',
    reason: null,
    known: 'for now',
  });
  const found = of({ results: { 'GEN-1': { verdict: 'failed', known: 'for now', failures: [failure()] } } });
  expect(result(mergeShards(notFound, found), 'GEN-1')).toMatchObject({
    verdict: 'failed',
    known: 'for now',
  });
});

test('mergeShards: a shard without results -> judged by the others; an interrupted shard -> not judged', () => {
  const skipped = { verdict: 'skipped', reason: 'no case of it is in this part' } as const;
  const results = Object.fromEntries(outcomeOf().requirements.map(({ id }) => [id, skipped]));
  const idle = of({ verdict: 'not-judged', results });
  expect(mergeShards(idle, of()).verdict).toBe('conformant');
  expect(mergeShards(idle, idle).verdict).toBe('not-judged');
  expect(mergeShards(of({ verdict: 'not-judged', ended: 'interrupted' }), of()).verdict).toBe('not-judged');
});

test('mergeShards: a shard that could not test the server -> not judged, unless another found a failure', () => {
  const open = of({ verdict: 'not-judged', ended: 'Refused.' });
  expect(mergeShards(of(), open)).toMatchObject({ verdict: 'not-judged', ended: 'Refused.' });
  expect(mergeShards(open, shard(brokenOutcome())).verdict).toBe('nonconformant');
});

test('whyNotOneRun: different targets or seeds -> a sentence', () => {
  const at = (baseUrl: string, reference = false) => toReport(outcomeOf({ target: { baseUrl, reference } }));
  expect(whyNotOneRun([at('http://a/v1'), at('http://a/v1')])).toBeNull();
  expect(whyNotOneRun([at('http://a/v1', true), at('http://b/v1', true)])).toBeNull();
  expect(whyNotOneRun([at('http://a/v1'), at('http://b/v1')])).toContain('targets');
  const part = (index: number, baseUrl: string, reference = false) => ({
    ...at(baseUrl, reference),
    shard: { index, of: 2 },
  });
  expect(whyNotOneRun([part(1, 'http://a/v1'), part(2, 'http://b/v1')])).toBeNull();
  expect(whyNotOneRun([part(1, 'http://a/v1', true), part(2, 'http://b/v1')])).toContain('targets');
  expect(whyNotOneRun([at('http://a/v1'), { ...at('http://a/v1'), seed: 7 }])).toContain(
    'seeds differ (42, 7)',
  );
});

test('whyNotOneRun: shards that are missing, repeated, or of another split -> a sentence', () => {
  const part = (index: number, of = 3) => ({ ...toReport(outcomeOf()), shard: { index, of } });
  expect(whyNotOneRun([part(3), part(1), part(2)])).toBeNull();
  expect(whyNotOneRun([part(1), part(3)])).toBe(
    'Missing shards: 2/3. Run with --shard 2/3, then merge all reports.',
  );
  expect(whyNotOneRun([part(2)])).toContain('1/3, 3/3');
  expect(whyNotOneRun([part(1), part(2), part(2), part(3)])).toBe('Shard 2/3 is given 2 times.');
  expect(whyNotOneRun([part(1, 2), part(2)])).toContain('numbers of shards differ (2, 3)');
  expect(whyNotOneRun([part(1), toReport(outcomeOf())])).toContain('full reports');
});

test('mergeShards: most operations without a request in any shard -> not judged, unless the user left them out', () => {
  const part = (leftOut: number, ...operations: readonly string[]): Shard =>
    shard({
      ...outcomeOf(),
      coverage: operations.map((operation) => ({
        ...{ operation, status: '200', seen: 1, headers: {}, documented: true },
      })),
      operations: { all: 3, requested: operations.length, leftOut, notRequested: [] },
    });
  const merged = (...parts: Parameters<typeof merge>) => {
    const { outcome, exit } = merge(...parts);
    return [outcome.verdict, exit, outcome.operations?.requested];
  };
  expect(merged(part(0, 'a', 'b'), part(0, 'b', 'c'))).toEqual(['conformant', 0, 3]);
  expect(merged(part(0, 'a'), part(0, 'b'))).toEqual(['conformant', 0, 2]);
  expect(merged(part(0, 'a'), part(0, 'a'))).toEqual(['not-judged', 3, 1]);
  expect(merged(part(2, 'a'), part(2, 'a'))).toEqual(['conformant', 0, 1]);
});
