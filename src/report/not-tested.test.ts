import { expect, test } from 'vitest';
import type { ReasonCode } from '../oracle/reason.ts';
import { headline } from './headline.ts';
import { notTested } from './not-tested.ts';
import { outcomeOf, type Scenario } from './testing.ts';

const skipped = (reasonCode: ReasonCode) => ({ verdict: 'skipped', reason: reasonCode, reasonCode }) as const;
const told = (results: Scenario['results'] = {}, ended?: string) => {
  const outcome = outcomeOf({ results, ...(ended === undefined ? {} : { ended }) });
  return [headline(outcome), notTested(outcome)];
};

test('what the settings left out of what the document demands is told by its group', () => {
  const key = skipped('needs-rate-limit-key');
  const day = skipped('needs-exhaust-daily');
  expect(told({ 'RATE-5': key, 'RATE-6': day, 'VER-1': skipped('path-waived') })).toEqual([
    'No failures (3 of 27 requirements not tested)',
    'RATE-5 (needs --rate-limit-key), RATE-6 (needs --exhaust-daily), VER-1 (limited by --allow-any-path)',
  ]);
});

test('what is not due, or no demand of the document, is not missed', () => {
  expect(
    told({
      'LIST-2': skipped('before-removal'),
      'AUTH-6': skipped('needs-rate-limit-key'),
    }),
  ).toEqual(['No failures', null]);
  expect(told()).toEqual(['No failures', null]);
});

test('what a setting kept from being decided is told as well, ids in a row as one', () => {
  const creation = { verdict: 'inconclusive', reasonCode: 'read-only' } as const;
  const spent = { verdict: 'inconclusive', reasonCode: 'budget' } as const;
  const results = {
    'LIST-1': spent,
    'LIST-2': spent,
    'LIST-3': spent,
    'LIST-6': spent,
    'CREATE-1': creation,
    'CREATE-5': creation,
  };
  expect(told(results)).toEqual([
    'No failures (6 of 27 requirements not tested)',
    'LIST-1 to LIST-3, LIST-6 (limited by --budget), CREATE-1, CREATE-5 (limited by --read-only)',
  ]);
});

test('an inconclusive requirement is not named as not tested, even if a setting is the reason', () => {
  expect(told({ 'RATE-6': { verdict: 'inconclusive', reasonCode: 'max-wait' } })).toEqual([
    'No failures (1 of 27 requirements not tested)',
    null,
  ]);
});

test('what a run that ended early did not come to is told', () => {
  expect(
    told({ 'GET-1': skipped('interrupted'), 'RATE-5': skipped('needs-rate-limit-key') }, 'interrupted'),
  ).toEqual([
    'No failures so far; too little was tested to call it conformant (2 of 27 requirements not tested)',
    'RATE-5 (needs --rate-limit-key), GET-1 (interrupted)',
  ]);
});
