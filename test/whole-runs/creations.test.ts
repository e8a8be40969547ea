import { expect, test } from 'vitest';
import type { Patch } from '../../src/reference/patch.ts';
import { replace } from '../../src/reference/patch-kit/core.ts';
import { refuseValid } from '../../src/reference/patch-kit/refusals.ts';
import { jsonReply, type Reply } from '../../src/reference/reply.ts';
import { setupFor } from '../../src/selftest/server.ts';
import { faultNamed } from '../support/faults.ts';
import { outcomeOn, outcomeWith, resultOf } from '../support/run-in-words.ts';

const rejections = ['CREATE-5', 'CREATE-6', 'CREATE-7', 'CREATE-8', 'AUTH-1', 'AUTH-2'];

test.each([3, 5, 25])('--max-creates %i: everything that must be rejected is tried', async (maxCreates) => {
  const outcome = await outcomeWith([], { maxCreates });
  expect(outcome.traffic.created).toBeLessThanOrEqual(maxCreates);
  const verdicts = rejections.map((id) => [id, resultOf(outcome, id)?.verdict]);
  expect(verdicts).toEqual(rejections.map((id) => [id, 'passed']));
});

test.each(
  [
    'trailing-text-ignored',
    'category-optional',
    'category-text-made-number',
    'null-body-passes',
    'status-cut-at-its-line-break',
  ].map(faultNamed),
)('--max-creates 5: enough to find $name', async ({ name, requirement }) => {
  const outcome = await outcomeWith([name], { maxCreates: 5 });
  expect(outcome.traffic.created).toBeLessThanOrEqual(5);
  expect(resultOf(outcome, requirement)?.verdict).toBe('failed');
});

test('animals created with another status than 201 -> counted and listed too', async () => {
  const { traffic, created } = await outcomeWith(['created-with-200'], { maxCreates: 40 });
  expect(traffic.created).toBeGreaterThan(20);
  expect(traffic.created).toBeLessThanOrEqual(40);
  expect(created).toHaveLength(traffic.created);
});

/** Every creation gets this reply; everything else conforms. */
const createsNothing = (reply: () => Reply): Patch =>
  replace('handlers', (before) => ({ ...before, createPet: async () => reply() }));

/** A run on an empty store. */
const emptyWith = (patch: Patch) =>
  outcomeOn({ ...setupFor({ kind: 'fault', names: [] }), seedPets: 0, patches: [patch] });

const rejectedWith = (status: number) => (): Reply =>
  jsonReply(status, { code: 'refused', message: 'No.', status: BigInt(status) });

test.each([401, 403, 404, 405, 415])(
  'every creation gets %i -> CREATE-1 fails, and the category explains nothing',
  async (status) => {
    const { requirements } = await emptyWith(createsNothing(rejectedWith(status)));
    const failed = requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    expect(failed).toContain('CREATE-1');
    expect(failed.filter((id) => id !== 'CREATE-1' && id !== 'GEN-1')).toEqual([]);
  },
);

test.each([400, 404, 409, 422])(
  'only valid creations get %i -> their category may not exist',
  async (status) => {
    const outcome = await emptyWith(refuseValid(rejectedWith(status)));
    expect(outcome.verdict).toBe('conformant');
    expect(resultOf(outcome, 'CREATE-1')).toMatchObject({
      verdict: 'inconclusive',
      reason: `POST /pets returned ${status} and no category is known: set --category-id`,
    });
  },
);

test('no creation returns an id -> the reason says so, and not that --max-creates is used up', async () => {
  const outcome = await emptyWith(createsNothing(() => jsonReply(201, { name: 'Rex', categoryId: 1n })));
  expect(resultOf(outcome, 'GET-4')?.reason).toBe('No creation returned an int64 id');
});

test('a server accepts invalid animals and parses bodies before it checks the key -> AUTH-4 is not lost to --max-creates', async () => {
  const faults = [
    'body-parsed-before-the-key',
    'category-optional',
    'category-text-made-number',
    'null-body-passes',
  ];
  for (const maxCreates of [20, 40]) {
    const outcome = await outcomeWith(faults, { maxCreates });
    expect(outcome.traffic.created).toBeLessThanOrEqual(maxCreates);
    expect(resultOf(outcome, 'AUTH-4')?.verdict).toBe('failed');
  }
});

test('two animals for each creation -> observed, and nothing fails', async () => {
  const { observations, verdict } = await outcomeOn(
    setupFor({ kind: 'dialect', names: ['creations-stored-twice'] }),
  );
  expect(verdict).toBe('conformant');
  expect(observations).toContainEqual(
    expect.objectContaining({ id: 'CREATE-11', subject: 'animals that one creation stores' }),
  );
});
