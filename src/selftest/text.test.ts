import { expect, test } from 'vitest';
import { judgementOf, reportOf } from './report.ts';
import { findingOf, judged, taskOf } from './testing.ts';
import { complaintOf, summaryOf } from './text.ts';

const known = {
  faults: [
    { name: 'limit-ignored', requirement: 'LIST-3', companions: [], description: 'Ignores <limit>.' },
    { name: 'ids-repeat', requirement: 'CREATE-3', companions: [], description: 'Gives one id twice.' },
  ],
  degenerate: [{ name: 'echo', description: 'Echoes.', expectedExit: 1 }] as const,
};
const stray = findingOf('GEN-1', 'failed', {
  evidence: [
    {
      message: 'GET /pets answered 500',
      request: 'GET /pets?limit=3',
      answer: '500 oops',
      check: 'LIST-3 limit is honoured',
      seen: 2,
      tries: 3,
    },
  ],
});
const judgements = [
  judged(taskOf('fault', 'limit-ignored'), [
    findingOf('LIST-3', 'inconclusive', { reason: 'too few' }),
    stray,
  ]),
  judged(taskOf('fault', 'ids-repeat'), [findingOf('CREATE-3', 'failed'), stray]),
  judged(taskOf('combination', 'red + blue'), [findingOf('AUTH-6', 'warned', { level: 'SHOULD' })]),
  judged(taskOf('degenerate', 'echo'), []),
].map((examination) => judgementOf(examination, known));
const report = reportOf(judgements, {
  tool: { name: 'tool', version: '1' },
  seed: 9,
  requirements: [{ id: 'LIST-3', level: 'MUST', statement: 'With `limit` n.' }],
  budgets: [],
});

test('each trouble is told in a line', () => {
  expect(judgements.map(complaintOf)).toEqual([
    '✕ limit-ignored: survives, LIST-3 inconclusive',
    '✕ ids-repeat: killed by CREATE-3, and not by it alone: GEN-1',
    '✕ red + blue: a false alarm of AUTH-6',
    '✕ echo: exit 0, and 1 was expected',
  ]);
});

test('an error of the suite is told as such', () => {
  const broken = judgementOf(
    { kind: 'broken', task: taskOf('dialect', 'red'), message: 'TypeError: x\n  at y' },
    known,
  );
  expect(complaintOf(broken)).toBe('✕ red: the suite itself failed: TypeError: x ↵ at y');
});

test('the summary tells of a survivor what failed instead, and how to repeat it', () => {
  expect(summaryOf(report)).toContain(`
limit-ignored  LIST-3: survived
    Ignores <limit>.
    LIST-3 inconclusive: too few
    GEN-1 failed
      GET /pets answered 500 (2 of 3 times)
        GET /pets?limit=3
        → 500 oops
        LIST-3 limit is honoured
    repeat: animal-store-conformance selftest --fault limit-ignored --seed 9
`);
});

test('the summary tells how to repeat a combination, and the figures', () => {
  const summary = summaryOf(report);
  expect(summary).toContain('selftest --dialect red --dialect blue --seed 9');
  expect(summary).toMatch(/^Kill rate +50 % {2}1 of 2 faults/m);
  expect(summary).toMatch(/^Precision +0 % {2}0 of 1 kill/m);
  expect(summary).toMatch(/^False alarms +1 {2}on 1 server/m);
  expect(summary).toMatch(/^Degenerate +0 {2}of 1 server/m);
});
