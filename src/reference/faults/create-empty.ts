import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { setStatus } from '../patches.ts';
import { answerWhere, problem, refuseValid, refuseValidAsInvalid } from './create-patches.ts';

const refused = (call: Call) => call.parts.fail('invalid-body', call);

const inAnEmptyStore = { requirement: 'CREATE-1', seedPets: 0 } as const;

/** CREATE-1 where no animal stands in the store yet: that a category exists shows only once an animal was created in it. */
export const createEmptyFaults: readonly Fault[] = [
  {
    ...inAnEmptyStore,
    name: 'first-animals-created-with-200',
    companions: ['GEN-1'],
    description: 'The store is empty, and creations are answered with 200 in place of 201.',
    patch: setStatus(200, { operation: 'createPet', status: 201 }),
  },
  {
    ...inAnEmptyStore,
    name: 'first-animals-without-status-refused',
    companions: [],
    description: 'The store is empty, and only creations that have a status are taken.',
    patch: answerWhere(({ status }) => status === undefined, refused),
  },
  {
    ...inAnEmptyStore,
    name: 'first-animals-with-status-refused',
    companions: [],
    description: 'The store is empty, and only creations that have no status are taken.',
    patch: answerWhere(({ status }) => status !== undefined, refused),
  },
  {
    ...inAnEmptyStore,
    name: 'empty-words-as-names-refused',
    companions: [],
    description: 'A name such as 0 or null is taken for none, and refused.',
    patch: refuseValidAsInvalid(({ name }) => /^(?:0|null|undefined|false)$/.test(name)),
  },
  {
    name: 'first-animals-crash',
    requirement: 'GEN-4',
    companions: [],
    description: 'The store is empty, and an animal takes its id from the one before it: creations get 500.',
    seedPets: 0,
    patch: refuseValid(() => true, problem(500, 'internal_error')),
  },
];
