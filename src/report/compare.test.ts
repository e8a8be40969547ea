import { expect, test } from 'vitest';
import { changesText, compareReports } from './compare.ts';
import { toReport } from './conformance.ts';
import { brokenOutcome, failure, outcomeOf } from './testing.ts';

const good = toReport(outcomeOf());
const broken = toReport(brokenOutcome());
const ofKind = (kind: string, changes = compareReports(good, broken)) =>
  changes.filter((change) => change.kind === kind).map(({ text }) => text.split(' ')[0]);

test('a report and itself have no difference', () => {
  expect(compareReports(broken, broken)).toEqual([]);
  expect(changesText([])).toBe('Nothing changed.\n');
});

test('newly failing is what did not fail before, known failures aside', () => {
  expect(ofKind('newly failing')).toEqual(['GEN-4', 'CREATE-9']);
  expect(ofKind('verdict')).toEqual(['AUTH-6', 'LIST-2', 'LIST-6', 'RATE-5', 'RATE-6']);
});

test('newly passing is the same the other way round', () => {
  expect(ofKind('newly passing', compareReports(broken, good))).toEqual(['GEN-4', 'CREATE-9']);
  expect(ofKind('newly failing', compareReports(broken, good))).toEqual([]);
});

test('what failed and could not be decided any more does not pass', () => {
  const undecided = toReport(
    outcomeOf({ results: { 'CREATE-9': { verdict: 'inconclusive', reason: 'No chance.' } } }),
  );
  expect(ofKind('newly passing', compareReports(broken, undecided))).not.toContain('CREATE-9');
});

test('a requirement that is new and fails is newly failing, one that is gone is named', () => {
  const fewer = { ...good, requirements: good.requirements.filter(({ id }) => id !== 'CREATE-9') };
  expect(ofKind('newly failing', compareReports(fewer, broken))).toContain('CREATE-9');
  expect(compareReports(broken, fewer)).toContainEqual({
    kind: 'verdict',
    text: 'CREATE-9 is no longer in the report',
  });
});

test('observations are compared by subject, in any order', () => {
  const observations = [...good.observations].reverse();
  expect(compareReports(good, { ...good, observations })).toEqual([]);
  const changed = observations.map((seen) => (seen.subject === 'order' ? { ...seen, value: 'none' } : seen));
  expect(compareReports(good, { ...good, observations: changed })).toEqual([
    { kind: 'observation', text: 'LIST-10 order: by id, ascending, now none' },
  ]);
});

test('only a notable change of latency counts, and only where enough answers tell', () => {
  const withP90 = (p90: number, seen = 20) => ({
    ...good,
    traffic: { ...good.traffic, latency: { listPets: { p50: 1, p90, p99: 900, max: 900 } } },
    coverage: [
      { operation: 'listPets', status: '200', seen, headers: {}, documented: true },
      { operation: 'getPet', status: '200', seen: 90, headers: {}, documented: true },
    ],
  });
  expect(compareReports(withP90(13), withP90(3.9))).toEqual([]);
  expect(compareReports(withP90(20), withP90(119))).toEqual([]);
  expect(compareReports(withP90(300), withP90(500))).toEqual([]);
  expect(compareReports(withP90(100, 19), withP90(200))).toEqual([]);
  expect(compareReports(withP90(100), withP90(200, 19))).toEqual([]);
  expect(compareReports(withP90(100), withP90(200))).toEqual([
    { kind: 'latency', text: 'listPets: 90 % within 200 ms, was 100 ms' },
  ]);
});

test('where no verdict changed, that is said first', () => {
  expect(changesText([{ kind: 'latency', text: 'listPets: 90 % within 200 ms, was 100 ms' }])).toBe(
    'No verdict changed.\n\nLatency\n  listPets: 90 % within 200 ms, was 100 ms\n',
  );
  expect(changesText(compareReports(good, broken))).not.toContain('No verdict changed');
});

test('another target is said, another port of the reference server is not', () => {
  const at = (baseUrl: string, reference: boolean) => toReport(outcomeOf({ target: { baseUrl, reference } }));
  const [a, b] = ['http://127.0.0.1:1/v1', 'http://127.0.0.1:2/v1'];
  expect(compareReports(at(a, true), at(b, true))).toEqual([]);
  expect(ofKind('target', compareReports(at(a, false), at(b, false)))).toEqual(['target:']);
});

test('after a fix the text has at most 20 lines: ids of what passes, numbers of what else changed', () => {
  const failures = [failure()];
  const results = Object.fromEntries(
    outcomeOf()
      .requirements.slice(0, 12)
      .map(({ id }) => [id, { verdict: 'failed' as const, failures }]),
  );
  const before = toReport(outcomeOf({ verdict: 'nonconformant', results }));
  const observations = Array.from({ length: 40 }, (_, index) => ({
    ...{ id: 'CREATE-11', subject: `name ${index}`, value: 'accepted' },
  }));
  const undecided = { verdict: 'inconclusive', reason: 'No chance.' } as const;
  const after = toReport(outcomeOf({ results: { 'GEN-1': undecided, 'GET-1': undecided } }));
  const changes = compareReports(before, { ...after, observations });
  const text = changesText(changes);
  expect(text.split('\n').length).toBeLessThanOrEqual(20);
  expect(text).toMatch(/Newly passing\n {2}GEN-2, GEN-3, /);
  expect(text).toContain('43 more (--verbose)');
  expect(changesText(changes, true).split('\n').length).toBeGreaterThan(50);
});

test('the text groups changes and gives the reason', () => {
  const text = changesText(
    compareReports(
      good,
      toReport(
        outcomeOf({
          verdict: 'nonconformant',
          results: { 'GEN-1': { verdict: 'failed', failures: [failure()] } },
        }),
      ),
    ),
  );
  expect(text).toBe(
    'Newly failing\n  GEN-1 failed (was passed): The categoryId came back rounded: its last digits are not those that were sent.\n',
  );
});
