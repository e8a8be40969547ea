import { refusePet, respondToObject, respondToPet } from '../patch-kit/creations.ts';
import { internalError, refuseAs, setStatus } from '../patch-kit/responses.ts';
import { family } from './family.ts';

/** CREATE-1 if the store is empty: that a category exists shows only after an animal was created in it. */
export const createEmptyFaults = family(
  'CREATE-1',
  {
    'first-animals-created-with-200': [
      'The store is empty, and creations get 200 instead of 201.',
      setStatus(200, { operation: 'createPet', status: 201 }),
      { companions: ['GEN-1'] },
    ],
    'first-animals-without-status-refused': [
      'The store is empty, and creations without a status are refused.',
      respondToObject(({ status }) => status === undefined, refuseAs('invalid-body')),
    ],
    'first-animals-with-status-refused': [
      'The store is empty, and creations with a status are refused.',
      respondToObject(({ status }) => status !== undefined, refuseAs('invalid-body')),
    ],
    'empty-words-as-names-refused': [
      'Names such as 0 or null count as missing and are refused.',
      refusePet(({ name }) => /^(?:0|null|undefined|false)$/.test(name)),
    ],
    'first-animals-crash': [
      'The store is empty, and the next id comes from the previous animal: 500.',
      respondToPet(() => true, internalError),
      { requirement: 'GEN-4' },
    ],
  },
  { seedPets: 0 },
);
