import { expect, test } from 'vitest';
import { outcomeOf, type Story } from './testing.ts';
import { untried } from './untried.ts';
import { headline } from './verdicts.ts';

const skipped = (reason: string) => ({ verdict: 'skipped', reason }) as const;
const told = (results: Story['results'] = {}) => {
  const outcome = outcomeOf({ results });
  return [headline(outcome), untried(outcome.requirements)];
};

test('what the settings left out of what the document demands is told by its group', () => {
  const key = skipped('it needs a key that may be exhausted (--rate-limit-key)');
  const day = skipped("it needs leave to use up a day's limit (--exhaust-daily)");
  expect(told({ 'RATE-5': key, 'RATE-6': day, 'VER-1': skipped('waived (--allow-any-path)') })).toEqual([
    'Conformant in what was tried',
    'Rate limits (RATE-5, RATE-6), Version (VER-1): see --rate-limit-key, --exhaust-daily, --allow-any-path',
  ]);
});

test('what is not due, or no demand of the document, is not missed', () => {
  expect(
    told({
      'LIST-2': skipped('the removal of getPet is still ahead'),
      'AUTH-6': skipped('it needs a 429 (--x)'),
    }),
  ).toEqual(['Conformant', null]);
  expect(told()).toEqual(['Conformant', null]);
});
