import { describe, expect, test } from 'vitest';
import { countsText, headline } from './headline.ts';
import { page } from './html/page.ts';
import { summaryMarkdown } from './summary.ts';
import { outcomeOf, type Scenario } from './testing.ts';

const every = (result: NonNullable<Scenario['results']>[string]): NonNullable<Scenario['results']> =>
  Object.fromEntries(outcomeOf().requirements.map(({ id }) => [id, result]));

const notSelected = every({ verdict: 'skipped', reasonCode: 'not-selected' });
const titleOf = (scenario: Scenario): string | undefined =>
  /<h1>(.*)<\/h1>/.exec(page(outcomeOf(scenario)))?.[1];

describe('headline of a run that is not judged', () => {
  const removal = { verdict: 'skipped', reason: 'Applies from 5 December 2030' } as const;
  const alone: Scenario = { verdict: 'not-judged', results: { ...notSelected, 'GET-2': removal } };

  test('one reason for all requirements -> that reason; several -> a general sentence', () => {
    const line = 'Not judged: Applies from 5 December 2030';
    expect(headline(outcomeOf(alone))).toBe(line);
    expect(titleOf(alone)).toBe(line);
    expect(summaryMarkdown(outcomeOf(alone))).toMatch(`## ⚠️ ${line}\n`);
    const inconclusive = { verdict: 'inconclusive', reason: 'no animals' } as const;
    const two: Scenario = { ...alone, results: { ...alone.results, 'LIST-2': inconclusive } };
    expect(headline(outcomeOf(two))).toBe('Not judged: none of the selected requirements could be tested');
    const broken: Scenario = {
      ...alone,
      results: { ...notSelected, 'GEN-1': { verdict: 'error', reason: 'TypeError' } },
    };
    expect(headline(outcomeOf(broken))).toBe('Not judged: errors in the suite itself on 1 requirement');
  });

  test('interrupted -> whether anything was tested', () => {
    const cut: Scenario = { verdict: 'not-judged', ended: 'interrupted' };
    expect(headline(outcomeOf(cut))).toBe('Interrupted: no failures in the part that ran');
    expect(titleOf(cut)).toBe('Interrupted: no failures in the part that ran');
    expect(headline(outcomeOf({ ...cut, results: notSelected }))).toBe('Interrupted: nothing was tested');
  });

  test('a server that cannot be tested -> only "Not judged"', () => {
    const reason = 'no connection could be made';
    const unreachable: Scenario = {
      verdict: 'not-judged',
      ended: reason,
      results: every({ verdict: 'skipped', reason }),
    };
    expect(headline(outcomeOf(unreachable))).toBe('Not judged');
    expect(titleOf(unreachable)).toBe('Not judged');
    expect(titleOf(alone)).not.toBe('Not judged');
  });
});

test('counts of verdicts -> requirements that were not selected are only counted', () => {
  const results = { ...notSelected, 'GET-2': {} };
  expect(countsText(outcomeOf({ results }).requirements)).toBe('1 passed (26 not selected)');
  expect(countsText(outcomeOf().requirements)).toBe('3 observed, 24 passed');
  expect(countsText(outcomeOf({ results: notSelected }).requirements)).toBe('none tested (27 not selected)');
});
