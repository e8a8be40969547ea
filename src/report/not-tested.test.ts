import { expect, test } from 'vitest';
import type { ReasonCode } from '../finding/reason.ts';
import { headline } from './headline.ts';
import { notTested } from './not-tested.ts';
import { outcomeOf, type Scenario } from './testing.ts';

const skipped = (reasonCode: ReasonCode) => ({ verdict: 'skipped', reason: reasonCode, reasonCode }) as const;
const headlineAndNotTested = (results: Scenario['results'] = {}, ended?: string) => {
  const outcome = outcomeOf({ results, ...(ended === undefined ? {} : { ended }) });
  return [headline(outcome), notTested(outcome)];
};

test('notTested: MUSTs that need a setting -> their ids and the setting', () => {
  const key = skipped('needs-rate-limit-key');
  const day = skipped('needs-exhaust-daily');
  expect(headlineAndNotTested({ 'RATE-5': key, 'RATE-6': day, 'VER-1': skipped('path-waived') })).toEqual([
    'No failures (3 of 22 MUSTs not tested)',
    'RATE-5 (needs --rate-limit-key), RATE-6 (needs --exhaust-daily), VER-1 (limited by --allow-any-path)',
  ]);
});

test('notTested: a requirement that applies later, or is no MUST -> not named', () => {
  expect(
    headlineAndNotTested({
      'LIST-2': skipped('before-removal'),
      'AUTH-6': skipped('needs-rate-limit-key'),
    }),
  ).toEqual(['No failures', null]);
  expect(headlineAndNotTested()).toEqual(['No failures', null]);
});

test('notTested: MUSTs that a setting limited -> named, with a row of ids as a range', () => {
  const creation = { verdict: 'inconclusive', reasonCode: 'read-only' } as const;
  const overBudget = { verdict: 'inconclusive', reasonCode: 'budget' } as const;
  const results = {
    'LIST-1': overBudget,
    'LIST-2': overBudget,
    'LIST-3': overBudget,
    'LIST-6': overBudget,
    'CREATE-1': creation,
    'CREATE-5': creation,
  };
  expect(headlineAndNotTested(results)).toEqual([
    'No failures (6 of 22 MUSTs not tested)',
    'LIST-1 to LIST-3, LIST-6 (limited by --budget), CREATE-1, CREATE-5 (limited by --read-only)',
  ]);
});

test('notTested: a requirement that is inconclusive because of --max-wait -> counted, not named', () => {
  expect(headlineAndNotTested({ 'RATE-6': { verdict: 'inconclusive', reasonCode: 'max-wait' } })).toEqual([
    'No failures (1 of 22 MUSTs not tested)',
    null,
  ]);
});

test('notTested: a run that ended early -> what it did not reach', () => {
  expect(
    headlineAndNotTested(
      { 'GET-1': skipped('interrupted'), 'RATE-5': skipped('needs-rate-limit-key') },
      'interrupted',
    ),
  ).toEqual([
    'No failures so far; too little was tested to call it conformant (2 of 22 MUSTs not tested)',
    'RATE-5 (needs --rate-limit-key), GET-1 (interrupted)',
  ]);
});
