import { expect, test } from 'vitest';
import { setupFor } from '../../src/selftest/server.ts';
import { outcomeOn, resultOf } from '../support/run-in-words.ts';

const outcomeOf = (fault: string, base: readonly string[], only: readonly string[] = []) =>
  outcomeOn(setupFor({ kind: 'fault', names: [fault], base }), { only, runs: 10 });

test('ids with gaps: the id after the newest returns the newest animal -> GET-2 fails', async () => {
  const outcome = await outcomeOf('id-behind-the-newest-returns-the-newest', ['ids-sparse']);
  expect(resultOf(outcome, 'GET-2')).toMatchObject({
    verdict: 'failed',
    failures: [{ check: 'GET-2 ids after the newest animal get 404' }],
  });
});

test('random ids: the beginning of an id returns its animal -> GET-2 fails', async () => {
  const outcome = await outcomeOf('get-matches-the-beginning-of-ids', ['ids-random'], ['GET-1', 'GET-2']);
  expect(resultOf(outcome, 'GET-2')).toMatchObject({
    verdict: 'failed',
    failures: [{ operation: 'getPet' }],
  });
});

test.each(['names-with-a-leading-hyphen-refused', 'names-in-capitals-refused', 'dates-as-names-refused'])(
  'a store of 1,000 animals: %s -> CREATE-1 fails',
  async (fault) => {
    const outcome = await outcomeOf(fault, ['store-large'], ['CREATE-1']);
    expect(resultOf(outcome, 'CREATE-1')).toMatchObject({ verdict: 'failed' });
  },
);

test('no request lowers Remaining or gets 429, and the server is slow -> RATE-5 does not pass', async () => {
  const outcome = await outcomeOf('limit-shown-and-never-counted', ['slow'], ['RATE-5']);
  expect(resultOf(outcome, 'RATE-5')).toMatchObject({ verdict: 'inconclusive', failures: [] });
});

test('a token bucket: a creation over the limit gets 403 -> RATE-5 fails', async () => {
  const outcome = await outcomeOf('creation-over-limit-is-403', ['token-bucket'], ['RATE-5']);
  expect(resultOf(outcome, 'RATE-5')).toMatchObject({
    verdict: 'failed',
    failures: [{ operation: 'createPet', expected: 'status 429' }],
  });
});

test('lists are not JSON, and an animal has the id 2^53 + 1 -> GET-2 does not fail', async () => {
  const outcome = await outcomeOf('list-with-trailing-comma', ['ids-beyond-2-to-the-53']);
  expect(resultOf(outcome, 'LIST-1')?.verdict).toBe('failed');
  expect(resultOf(outcome, 'GET-2')).toMatchObject({ verdict: 'passed', failures: [] });
});
