import { bearer, noCredential } from '../src/client/credentials.ts';
import type { Credential } from '../src/client/exchange.ts';
import { idOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import type { CreatedPet, Fixtures } from '../src/run/fixtures.ts';
import { getPet } from '../src/run/probes.ts';
import { createAnimal, existingAnimal, listAll } from './support/animals.ts';
import { getEventually, skipIfRemoved } from './support/available.ts';

export const stillWorks: Check<null> = {
  name: 'GET-4 the deprecated operation works until its removal',
  gives: ['GET-4'],
  phase: 'main',
  cost: 2,
  readOnlyCost: 1,
  examples: () => [null],
  attempt: async (_, context) => {
    if (context.fixtures.removal() === 'after') return context.end('getPet is removed');
    const statuses: number[] = [];
    let last: Reading | null = null;
    const animals: CreatedPet[] = [];
    for await (const animal of severalAnimals(context)) {
      if (animals.some(({ id }) => id === animal.id)) continue;
      animals.push(animal);
      last = await getEventually(context, animal);
      statuses.push(last.status);
      if (last.status === 200) return context.met('GET-4');
    }
    if (context.fixtures.removal() === 'on the day' || last === null) {
      return context.undecided(
        'GET-4',
        'today is the day of the removal in some time zone: working and removed both pass',
      );
    }
    if (!(await stillStands(context, animals)))
      return context.undecided('GET-4', 'the animals that were asked for are listed no longer');
    context.breach({
      requirement: 'GET-4',
      rule: 'gone too early',
      message: `GET /pets/{petId} answers ${[...new Set(statuses)].join(' or ')} for ${statuses.length === 1 ? 'the animal that was' : `the ${statuses.length} animals that were`} tried, although its removal is still ahead.`,
      expected: 'status 200 for an existing id, until 5 December 2030',
      actual: `status ${[...new Set(statuses)].join(', ')}`,
      exchange: last.exchange,
    });
  },
};

/** Others may have removed their animals meanwhile; nobody removes those of the run. */
const stillStands = async (context: CaseContext, animals: readonly CreatedPet[]): Promise<boolean> => {
  const own = new Set(context.fixtures.created().map(({ id }) => id));
  if (animals.some(({ id }) => own.has(id))) return true;
  const listed = new Set((await listAll(context)).pets.map(idOf));
  return animals.some(({ id }) => listed.has(id));
};

/** One that exists, then the newest by then: that others are not served is GET-1's. */
const severalAnimals = async function* (context: CaseContext): AsyncGenerator<CreatedPet> {
  yield await existingAnimal(context);
  yield* context.fixtures.created().slice(-1);
  yield* otherAnimals(context.fixtures).slice(0, 2);
};

const otherAnimals = ({ created, listedAtStart }: Fixtures): readonly CreatedPet[] => [
  ...created().slice(1, 2),
  ...listedAtStart.slice(0, 2).flatMap((pet) => {
    const id = idOf(pet);
    return id === null ? [] : [{ id, pet, sentAt: 0, at: 0 }];
  }),
];

interface RemovedCase {
  readonly which: 'new' | 'old' | 'of others';
  readonly credential: Credential;
}

/** Which animals of a removed operation are asked for, and how often: an old release may go on serving some. */
const removedCases: readonly RemovedCase[] = (['new', 'old', 'of others', 'new', 'old'] as const).flatMap(
  (which) => [
    { which, credential: bearer('main') },
    { which, credential: noCredential },
  ],
);

export const removed: Check<RemovedCase> = {
  name: 'GET-5 the deprecated operation is gone from its removal on',
  gives: ['GET-5'],
  phase: 'main',
  cost: 2,
  examples: ({ removal }) => (removal() === 'before' ? [] : removedCases),
  attempt: async ({ which, credential }, context) => {
    const removal = context.fixtures.removal();
    const { id } = await removedAnimal(context, which);
    const because = 'getPet was removed on 5 December 2030';
    const reading = await context.send(
      getPet(id.toString(), {
        credential,
        space: 'outside',
        expects: removal === 'after' ? [{ requirement: 'GET-5', statuses: ['4xx'], because }] : [],
      }),
    );
    if (removal === 'on the day' && reading.status >= 400) context.met('GET-5');
  },
};

const removedAnimal = async (
  context: CaseContext,
  which: RemovedCase['which'],
): Promise<Pick<CreatedPet, 'id'>> => {
  const { listedAtStart, readOnly } = context.fixtures;
  const id = listedAtStart.map(idOf).findLast((each) => each !== null) ?? null;
  if (which === 'of others' && id !== null) return { id };
  return which === 'new' && !readOnly ? createAnimal(context) : existingAnimal(context);
};

export const deprecationHeaders: Check<null> = {
  name: 'GET-6 Deprecation and Sunset agree with the document',
  gives: ['GET-6'],
  phase: 'main',
  examples: () => [null],
  attempt: async (_, context) => {
    skipIfRemoved(context);
    await context.send(getPet((await existingAnimal(context)).id.toString()));
  },
};
