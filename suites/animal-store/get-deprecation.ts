import { anonymous, bearer, type Credential } from '../../src/check/credentials.ts';
import { type CheckContext, defineCheck, getPet, type RunContext, smoke } from '../../src/check/index.ts';
import { type CreatedPet, idOf } from '../../src/check/pets.ts';
import { createAnimal, existingAnimal, listAll } from './support/animals.ts';
import { getEventually, skipIfRemoved } from './support/available.ts';
import { missingBreach } from './support/eventually.ts';
import { everyNth } from './support/tiers.ts';

export const stillWorks = defineCheck({
  id: 'get-4-until-removal',
  title: 'getPet works until its removal date',
  requirement: 'GET-4',
  cost: { requests: 2, readOnly: 1 },
  inputs: () => [smoke(null)],
  run: async (_, context) => {
    if (context.run.removalState() === 'after')
      return context.skipCase({ code: 'after-removal', detail: 'since' });
    const statuses: number[] = [];
    const animals: CreatedPet[] = [];
    for await (const animal of severalAnimals(context)) {
      if (animals.some(({ id }) => id === animal.id)) continue;
      animals.push(animal);
      const { status } = await context.send(getPet(animal.id));
      statuses.push(status);
      if (status === 200) return context.passed();
    }
    const [first] = animals;
    if (context.run.removalState() === 'removal-day' || first === undefined)
      return context.inconclusive({ code: 'removal-day' });
    const last = await getEventually(context, first, 'GET-4');
    if (last.status === 200) return context.passed();
    if (!(await isStillListed(context, animals)))
      return context.inconclusive({ code: 'state-changed', detail: 'all-unlisted' });
    missingBreach(context, last.status === 404 ? first.at : Number.NEGATIVE_INFINITY, {
      requirement: 'GET-4',
      problem: { rule: 'removed-too-early', statuses, wrongStatus: last.status },
      response: last,
    });
  },
});

/** Other clients may have removed their animals meanwhile, but not the animals of the run. */
const isStillListed = async (context: CheckContext, animals: readonly CreatedPet[]): Promise<boolean> => {
  const own = new Set(context.run.created().map(({ id }) => id));
  if (animals.some(({ id }) => own.has(id))) return true;
  const listed = new Set((await listAll(context)).pets.map(idOf));
  return animals.some(({ id }) => listed.has(id));
};

/** An existing animal, then the newest: other animals that are not found fail GET-1. */
const severalAnimals = async function* (context: CheckContext): AsyncGenerator<CreatedPet> {
  yield await existingAnimal(context);
  yield* context.run.created().slice(-1);
  yield* otherAnimals(context.run).slice(0, 2);
};

const otherAnimals = ({ created, initialList }: RunContext): readonly CreatedPet[] => [
  ...created().slice(1, 2),
  ...initialList.slice(0, 2).flatMap((pet) => {
    const id = idOf(pet);
    return id === null ? [] : [{ id, pet, sentAt: 0, at: 0 }];
  }),
];

interface RemovedCase {
  readonly which: 'new' | 'old' | 'of other clients';
  readonly credential: Credential;
}

/** Which animals are requested after the removal, and how often: an old release may still serve some. */
const removedCases: readonly RemovedCase[] = (
  ['new', 'old', 'of other clients', 'new', 'old'] as const
).flatMap((which) => [
  { which, credential: bearer('main') },
  { which, credential: anonymous },
]);

export const removed = defineCheck<RemovedCase>({
  id: 'get-5-after-removal',
  title: 'getPet is removed from its removal date on',
  requirement: 'GET-5',
  cost: 2,
  inputs: ({ removalState: removal }) => (removal() === 'before' ? [] : everyNth(3, removedCases, smoke)),
  run: async ({ which, credential }, context) => {
    const removal = context.run.removalState();
    const { id } = await removedAnimal(context, which);
    const because = 'getPet was removed on 5 December 2030';
    const response = await context.send(
      getPet(id, {
        credential,
        inputSpace: 'undocumented',
        expects: removal === 'after' ? [{ requirement: 'GET-5', statuses: ['4xx'], because }] : [],
      }),
    );
    if (removal === 'removal-day' && response.status >= 400) context.passed();
  },
});

const removedAnimal = async (context: CheckContext, which: RemovedCase['which']) => {
  const { initialList, readOnly } = context.run;
  const id = initialList.map(idOf).findLast((each) => each !== null) ?? null;
  if (which === 'of other clients' && id !== null) return { id };
  return which === 'new' && !readOnly ? createAnimal(context) : existingAnimal(context);
};

export const deprecationHeaders = defineCheck({
  id: 'get-6-deprecation-headers',
  title: 'Deprecation and Sunset headers agree with the document',
  requirement: 'GET-6',
  run: async (_, context) => {
    skipIfRemoved(context);
    await context.send(getPet((await existingAnimal(context)).id));
  },
});
