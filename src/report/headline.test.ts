import { describe, expect, test } from 'vitest';
import { headline } from './headline.ts';
import { page } from './html/page.ts';
import { summaryMarkdown } from './summary.ts';
import { outcomeOf, type Scenario } from './testing.ts';

const every = (result: NonNullable<Scenario['results']>[string]): NonNullable<Scenario['results']> =>
  Object.fromEntries(outcomeOf().requirements.map(({ id }) => [id, result]));

const unchosen = every({ verdict: 'skipped', reasonCode: 'not-selected' });
const titleOf = (scenario: Scenario): string | undefined =>
  /<h1>(.*)<\/h1>/.exec(page(outcomeOf(scenario)))?.[1];

describe('a run that is not judged', () => {
  const removal = { verdict: 'skipped', reason: 'the removal of getPet is still ahead' } as const;
  const alone: Scenario = { verdict: 'not-judged', results: { ...unchosen, 'GET-2': removal } };

  test('says why nothing was judged, where one reason tells', () => {
    const line = 'Not judged: the removal of getPet is still ahead';
    expect(headline(outcomeOf(alone))).toBe(line);
    expect(titleOf(alone)).toBe(line);
    expect(summaryMarkdown(outcomeOf(alone))).toMatch(`## ⚠️ ${line}\n`);
    const undecided = { verdict: 'inconclusive', reason: 'no animals' } as const;
    const two: Scenario = { ...alone, results: { ...alone.results, 'LIST-2': undecided } };
    expect(headline(outcomeOf(two))).toBe('Not judged: none of the selected requirements could be tested');
    const broken: Scenario = {
      ...alone,
      results: { ...unchosen, 'GEN-1': { verdict: 'error', reason: 'TypeError' } },
    };
    expect(headline(outcomeOf(broken))).toBe('Not judged: errors in the suite itself on 1 requirement');
  });

  test('says that it was interrupted, and how far it came', () => {
    const cut: Scenario = { verdict: 'not-judged', ended: 'interrupted' };
    expect(headline(outcomeOf(cut))).toBe('Interrupted: no failures in the part that ran');
    expect(titleOf(cut)).toBe('Interrupted: no failures in the part that ran');
    expect(headline(outcomeOf({ ...cut, results: unchosen }))).toBe('Interrupted: nothing was tested');
  });

  test('is the fault of the target only where that could not be judged', () => {
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
