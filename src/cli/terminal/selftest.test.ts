import { expect, test } from 'vitest';
import { judge } from '../../selftest/judge.ts';
import { reportOf } from '../../selftest/report.ts';
import { findingOf, taskOf, testedServer } from '../../selftest/testing.ts';
import { createCounter, problemOf, summaryOf } from './selftest.ts';

const unrelated = findingOf('GEN-1 failed', {
  evidence: [
    {
      message: 'GET /pets answered 500',
      request: 'GET /pets?limit=3',
      response: '500 oops',
      check: 'LIST-3 limit is honored',
      seen: 2,
      tries: 3,
    },
  ],
});
const survivor = findingOf('LIST-3 inconclusive', { reason: 'too few' });
const servers = [
  testedServer(taskOf('fault', 'limit-ignored'), [survivor, unrelated]),
  testedServer(taskOf('fault', 'limit-one-too-many'), ['LIST-3 failed', unrelated]),
  testedServer(taskOf('combination', 'red + blue'), ['AUTH-6 warned']),
  testedServer(taskOf('degenerate', 'requires-no-key'), []),
].map(judge);
const tool = { name: 'tool', version: '1' };
const summary = summaryOf(reportOf(servers, { tool, seed: 9, requirements: [], clients: [], budgets: [] }));

test('problemOf: an unexpected result -> one line', () => {
  expect(servers.map(problemOf)).toEqual([
    '✕ limit-ignored: survived: LIST-3 inconclusive',
    '✕ limit-one-too-many: killed by LIST-3, but also failed: GEN-1',
    '✕ red + blue: false alarm: AUTH-6',
    '✕ requires-no-key: exit 0, expected 1',
  ]);
  const broken = judge(testedServer(taskOf('dialect', 'red'), [], { broken: 'TypeError: x\n  at y' }));
  expect(problemOf(broken)).toBe('✕ red: the suite itself failed: TypeError: x ↵ at y');
});

test('summaryOf -> what failed instead, how to repeat it, and the figures', () => {
  expect(summary).toContain(`
limit-ignored  LIST-3: survived
    limit is ignored: every page has the default size.
    LIST-3 inconclusive: too few
    GEN-1 failed
      GET /pets answered 500 (2 of 3 times)
        GET /pets?limit=3
        → 500 oops
        LIST-3 limit is honored
    repeat: animal-store-conformance selftest --fault limit-ignored --seed 9
`);
  expect(summary).toContain('selftest --dialect red --dialect blue --seed 9');
  expect(summary).toMatch(/^Kill rate +50 % {2}1 of 2 faults/m);
  expect(summary).toMatch(/^Precision +0 % {2}0 of 1 kill/m);
  expect(summary).toMatch(/^False alarms +1 {2}on 1 server/m);
  expect(summary).toMatch(/^Degenerate +0 {2}of 1 server/m);
});

const counted = (live: boolean, problems: readonly (string | null)[]): string => {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const counter = createCounter({ live, write });
  counter.start(problems.length, 'Self-test');
  for (const problem of problems) counter.done(problem);
  counter.stop();
  return written;
};

test('createCounter in a file -> a line for each tenth, and each problem at once', () => {
  const problems = Array.from({ length: 30 }, (_, index) => (index === 4 ? '✕ one survives' : null));
  expect(counted(false, problems).split('\n')).toEqual([
    'Self-test: 30 servers',
    '3 of 30',
    '✕ one survives',
    ...[6, 9, 12, 15, 18, 21, 24, 27, 30].map((count) => `${count} of 30, 1 unexpected`),
    '',
  ]);
});

test('createCounter on a terminal -> one line that is removed at the end', () => {
  expect(counted(true, [null, '✕ two'])).toBe(
    'Self-test: 2 servers\n\r\u001b[K1 of 2\r\u001b[K✕ two\n\r\u001b[K2 of 2, 1 unexpected\r\u001b[K',
  );
});
