import fc from 'fast-check';
import { randomKey } from '../../src/check/credentials.ts';
import {
  type Check,
  type CheckContext,
  createPet,
  defineCheck,
  getPet,
  listPets,
  type RunContext,
} from '../../src/check/index.ts';
import { type CreatedPet, differingMember, idOf, petOf } from '../../src/check/pets.ts';
import { judgeCreated } from './get.ts';
import { category, createdPet, createOrdinary, ordinaryPet } from './support/animals.ts';
import { getEventually, isPet, notFoundBreach } from './support/available.ts';
import { queryOf } from './support/query.ts';
import { sendQuery } from './support/status.ts';

/** One step of a sequence; `pick` chooses among the animals that the sequence has made so far. */
type Step =
  | { readonly kind: 'create'; readonly status: string | null }
  | { readonly kind: 'reject'; readonly how: 'value' | 'key' }
  | { readonly kind: 'list'; readonly limit: number | null; readonly status: string | null }
  | { readonly kind: 'get'; readonly pick: number };

interface Sequence {
  readonly steps: readonly Step[];
  /** Steps are sent without waiting for the one before. */
  readonly interleaved: boolean;
}

/** The animals that the sequence created. */
interface Model {
  readonly made: CreatedPet[];
  /** A list may change the status of an animal that it shows. */
  hasListed: boolean;
}

const step = ({ statuses, page }: RunContext): fc.Arbitrary<Step> => {
  const status = fc.option(fc.constantFrom(...statuses), { nil: null });
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), status }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('reject' as const),
        how: fc.constantFrom('value' as const, 'key' as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('list' as const),
        limit: fc.option(fc.integer({ min: page.minimum, max: page.maximum }), { nil: null }),
        status,
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('get' as const), pick: fc.nat({ max: 20 }) }) },
  );
};

const sequences = (run: RunContext): fc.Arbitrary<Sequence> =>
  fc.record({ steps: fc.array(step(run), { minLength: 2, maxLength: 8 }), interleaved: fc.boolean() });

const systematic = ({ statuses }: RunContext): readonly Sequence[] => {
  const create = (status: string | undefined): Step => ({ kind: 'create', status: status ?? null });
  const list = (status: string | undefined): Step => ({ kind: 'list', limit: null, status: status ?? null });
  const [first, second] = statuses;
  return [
    {
      interleaved: false,
      steps: [
        create(first),
        create(second),
        { kind: 'get', pick: 0 },
        { kind: 'get', pick: 1 },
        { kind: 'get', pick: 0 },
      ],
    },
    {
      interleaved: false,
      steps: [
        { kind: 'list', limit: 1, status: first ?? null },
        list(undefined),
        list(second),
        list(undefined),
        list(first),
      ],
    },
    {
      interleaved: true,
      steps: statuses.flatMap((status) => [create(status), list(status), create(undefined)]),
    },
    {
      interleaved: true,
      steps: statuses.flatMap((status) => [list(status), { kind: 'list', limit: 3, status }]),
    },
  ];
};

const perform = async (step: Step, model: Model, context: CheckContext): Promise<void> => {
  switch (step.kind) {
    case 'create':
      return create(step.status, model, context);
    case 'reject':
      return reject(step.how, context);
    case 'list':
      return list(step, model, context);
    case 'get':
      return get(step.pick, model, context);
  }
};

const create = async (status: string | null, model: Model, context: CheckContext): Promise<void> => {
  const response = await createOrdinary(context, ordinaryPet(context, status === null ? {} : { status }));
  const animal = createdPet(response);
  if (animal !== null && isPet(context, animal.pet)) model.made.push(animal);
};

const reject = async (how: 'value' | 'key', context: CheckContext): Promise<void> => {
  const pet = ordinaryPet(context);
  const [body, requirement, status] =
    how === 'value'
      ? ([{ ...pet, categoryId: 'x' }, 'CREATE-6', 400] as const)
      : ([pet, 'AUTH-2', 401] as const);
  await context.send(
    createPet(body, {
      inputSpace: how === 'value' ? 'undocumented' : 'documented',
      label: how === 'value' ? 'categoryId: a string instead of an integer' : '',
      expects: [
        {
          requirement,
          statuses: [status],
          because: how === 'value' ? 'the body has an invalid value' : 'the API key is invalid',
        },
      ],
      ...(how === 'key' ? { credential: randomKey('xyzzy-9876543210-plugh') } : {}),
    }),
  );
};

const list = async (
  { limit, status }: Extract<Step, { kind: 'list' }>,
  model: Model,
  context: CheckContext,
): Promise<void> => {
  model.hasListed = true;
  await sendQuery(context, queryOf(limit ?? undefined, status ?? undefined));
};

const get = async (pick: number, model: Model, context: CheckContext): Promise<void> => {
  const animal = model.made[pick % Math.max(1, model.made.length)];
  if (animal === undefined || context.run.removalState() !== 'before') return;
  const response = await getEventually(context, animal);
  if (response.status !== 200) return notFoundBreach(context, animal, response, 'created');
  const served = petOf(response);
  // A value that is not a Pet fails its schema in the oracle.
  if (served === null || !isPet(context, served)) return;
  const member = differingMember(animal.pet, served);
  if (member === undefined) return context.passed('GET-1');
  // Later the status may have changed (GET-7), also because it was listed.
  if (member === 'status' && served.status !== undefined)
    return judgeCreated(context, animal, response, !model.hasListed);
  context.breach({
    requirement: 'GET-1',
    problem: {
      rule: 'member-differs',
      in: 'get after other requests',
      member,
      id: animal.id,
      was: animal.pet,
      is: served,
    },
    response,
  });
};

const sequencesAreConsistent = defineCheck<Sequence>({
  id: 'get-1-sequences',
  title: 'sequences of requests keep the store consistent',
  requirement: 'GET-1',
  covers: ['LIST-1', 'CREATE-1', 'CREATE-2', 'CREATE-3', 'LIST-8'],
  cost: { requests: 5, readOnly: 2.7, creates: 1.3 },
  share: 0.08,
  inputs: systematic,
  arbitrary: sequences,
  run: async ({ steps, interleaved }, context) => {
    const model: Model = { made: [], hasListed: false };
    if (interleaved) await Promise.all(steps.map((step) => perform(step, model, context)));
    else for (const step of steps) await perform(step, model, context);
  },
});

/** Responses must not be mixed up between concurrent requests: each must match its own request. */
const responsesAreNotMixedUp = defineCheck<number>({
  id: 'list-6-concurrent-requests',
  title: 'concurrent requests get their own responses',
  requirement: 'LIST-6',
  covers: ['LIST-3', 'GET-1', 'CREATE-2'],
  phase: 'filled-store',
  dependsOnEarlierCases: true,
  cost: { requests: 12, readOnly: 6, creates: 1 },
  inputs: () => [0],
  run: async (_, context) => {
    const { statuses, created } = context.run;
    const own = created().slice(-6);
    const gets = context.run.removalState() === 'before' ? own : [];
    const [, served] = await Promise.all([
      Promise.all(
        statuses.flatMap((status) => [
          context.send(listPets({ status })),
          context.send(listPets({ status, limit: 10 * (1 + statuses.indexOf(status)) })),
        ]),
      ),
      Promise.all(gets.map(async (animal) => ({ animal, response: await context.send(getPet(animal.id)) }))),
      context.run.readOnly
        ? null
        : context.send(
            createPet(
              { ...ordinaryPet(context), categoryId: category(context) },
              { inputSpace: 'unspecified' },
            ),
          ),
    ]);
    for (const { animal, response } of served) {
      const pet = response.status === 200 ? petOf(response) : null;
      const id = pet === null ? null : idOf(pet);
      // A value without an id is not a Pet, and fails its schema in the oracle.
      if (id === null || id === animal.id) continue;
      context.breach({
        requirement: 'GET-1',
        problem: { rule: 'wrong-animal', requested: animal.id, got: id, isConcurrent: true },
        response,
      });
    }
  },
});

export const stateful: readonly Check[] = [sequencesAreConsistent, responsesAreNotMixedUp];
