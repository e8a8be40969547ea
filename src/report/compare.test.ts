import { expect, test } from 'vitest';
import { changesText, compareReports } from './compare.ts';
import { toReport } from './conformance.ts';
import { brokenOutcome, failure, outcomeOf } from './testing.ts';

const good = toReport(outcomeOf());
const broken = toReport(brokenOutcome());
const ofKind = (kind: string, changes = compareReports(good, broken)) =>
  changes.filter((change) => change.kind === kind).map(({ text }) => text.split(' ')[0]);

test('compareReports: a report and itself -> no changes', () => {
  expect(compareReports(broken, broken)).toEqual([]);
  expect(changesText([])).toBe('Nothing changed.\n');
});

test('compareReports: a requirement that did not fail before -> newly failing, unless it is a known failure', () => {
  expect(ofKind('newly-failing')).toEqual(['GEN-4', 'CREATE-9']);
  expect(ofKind('verdict')).toEqual(['AUTH-6', 'LIST-2', 'LIST-6', 'RATE-5', 'RATE-6']);
});

test('compareReports: a requirement that failed before and passes -> newly passing', () => {
  expect(ofKind('newly-passing', compareReports(broken, good))).toEqual(['GEN-4', 'CREATE-9']);
  expect(ofKind('newly-failing', compareReports(broken, good))).toEqual([]);
});

test('compareReports: a requirement that failed before and is inconclusive -> not newly passing', () => {
  const inconclusive = toReport(
    outcomeOf({ results: { 'CREATE-9': { verdict: 'inconclusive', reason: 'No chance.' } } }),
  );
  expect(ofKind('newly-passing', compareReports(broken, inconclusive))).not.toContain('CREATE-9');
});

test('compareReports: a report that is not judged -> said before all changes, also if nothing else changed', () => {
  const notJudged = { ...good, verdict: 'not-judged' } as const;
  const said = (...[before, after]: Parameters<typeof compareReports>) =>
    changesText(compareReports(before, after));
  expect(said(good, notJudged)).toBe(
    'No verdict changed.\n\nNot judged\n  The new report is not judged: it shows no failure, so the exit code of this comparison is 0.\n',
  );
  expect(said(notJudged, broken)).toMatch(/^Not judged\n {2}The old report is not judged: every failure/);
  expect(said(good, broken)).not.toContain('judged');
});

test('compareReports: a new requirement that fails -> newly failing; a missing one -> named', () => {
  const fewer = { ...good, requirements: good.requirements.filter(({ id }) => id !== 'CREATE-9') };
  expect(ofKind('newly-failing', compareReports(fewer, broken))).toContain('CREATE-9');
  expect(compareReports(broken, fewer)).toContainEqual({
    kind: 'verdict',
    text: 'CREATE-9 is no longer in the report',
  });
});

test('compareReports: observations in another order -> no changes; another value -> one change', () => {
  const observations = [...good.observations].reverse();
  expect(compareReports(good, { ...good, observations })).toEqual([]);
  const changed = observations.map((each) => (each.subject === 'order' ? { ...each, value: 'none' } : each));
  expect(compareReports(good, { ...good, observations: changed })).toEqual([
    { kind: 'observation', text: 'LIST-10 order: by id, ascending, now none' },
  ]);
});

test('compareReports: another latency -> a change if it is large and there are enough responses', () => {
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

test('changesText: no verdict changed -> a note before the changes', () => {
  expect(changesText([{ kind: 'latency', text: 'listPets: 90 % within 200 ms, was 100 ms' }])).toBe(
    'No verdict changed.\n\nLatency\n  listPets: 90 % within 200 ms, was 100 ms\n',
  );
  expect(changesText(compareReports(good, broken))).not.toContain('No verdict changed');
});

test('compareReports: another target -> a change; another port of the reference server -> none', () => {
  const at = (baseUrl: string, reference: boolean) => toReport(outcomeOf({ target: { baseUrl, reference } }));
  const [a, b] = ['http://127.0.0.1:1/v1', 'http://127.0.0.1:2/v1'];
  expect(compareReports(at(a, true), at(b, true))).toEqual([]);
  expect(ofKind('target', compareReports(at(a, false), at(b, false)))).toEqual(['target:']);
});

test('changesText: many changes -> at most 20 lines, with ids of passing requirements and numbers of other changes', () => {
  const failures = [failure()];
  const results = Object.fromEntries(
    outcomeOf()
      .requirements.slice(0, 12)
      .map(({ id }) => [id, { verdict: 'failed' as const, failures }]),
  );
  const before = toReport(outcomeOf({ verdict: 'nonconformant', results }));
  const observations = Array.from({ length: 40 }, (_, index) => ({
    ...{ id: 'CREATE-11', subject: `name ${index}`, value: 'accepted', values: ['accepted'] },
  }));
  const inconclusive = { verdict: 'inconclusive', reason: 'No chance.' } as const;
  const after = toReport(outcomeOf({ results: { 'GEN-1': inconclusive, 'GET-1': inconclusive } }));
  const changes = compareReports(before, { ...after, observations });
  const text = changesText(changes);
  expect(text.split('\n').length).toBeLessThanOrEqual(20);
  expect(text).toMatch(/Newly passing\n {2}GEN-2, GEN-3, /);
  expect(text).toContain('43 more (--verbose)');
  expect(changesText(changes, true).split('\n').length).toBeGreaterThan(50);
});

test('changesText: a newly failing requirement -> its group and its message', () => {
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
