import { escapeHtml } from '../../util/escape-html.ts';
import { compose, replace, withState } from '../patch-kit/core.ts';
import { statusByDefault } from '../patch-kit/creations.ts';
import { petIdOf } from '../patch-kit/paths.ts';
import { editFields, editJson, editPets } from '../patch-kit/responses.ts';
import { hideById, knowingCreated } from '../patch-kit/store.ts';
import { family } from './family.ts';
import { getInvalidIdFaults } from './get-invalid.ts';
import { getRemovalFaults } from './get-removal.ts';
import { getUnknownIdFaults } from './get-unknown.ts';

const fetched = { operation: 'getPet', status: 200 } as const;

/** Mistakes in returning an existing animal. */
const getExistingFaults = family('GET-1', {
  'get-leaves-out-the-status': [
    'getPet omits the status that creation and list show.',
    editFields(fetched, () => ({ status: undefined })),
  ],
  'get-shows-sold-animals-as-available': [
    'getPet returns sold animals as available.',
    editFields(fetched, ({ status }) => ({ status: status === 'sold' ? 'available' : status })),
  ],
  'get-escapes-html': [
    'getPet escapes the name for HTML.',
    editFields(fetched, ({ name }) => ({ name: escapeHtml(String(name)) })),
  ],
  'get-cuts-names-at-thirty': [
    'getPet cuts the name after 30 characters.',
    editFields(fetched, ({ name }) => ({ name: [...String(name)].slice(0, 30).join('') })),
  ],
  'get-reads-numbers-in-names': [
    'getPet guesses types: a name that is a number is a number.',
    editFields(fetched, ({ name }) => ({ name: /^\d+$/.test(String(name)) ? BigInt(String(name)) : name })),
    { companions: ['GEN-3'] },
  ],
  'get-reads-exponents-in-names': [
    'getPet guesses types: a name with an exponent becomes the number that it stands for, as text.',
    editFields(fetched, ({ name }) => ({ name: /^\d+e\d+$/i.test(String(name)) ? `${Number(name)}` : name })),
  ],
  'get-reads-true-in-names': [
    'getPet guesses types: the name true is a boolean.',
    editFields(fetched, ({ name }) => ({ name: name === 'true' || name })),
    { companions: ['GEN-3'] },
  ],
  'get-reads-null-in-names': [
    'getPet guesses types: the names null and NaN are null.',
    editFields(fetched, ({ name }) => ({ name: /^(?:null|NaN)$/.test(String(name)) ? null : name })),
    { companions: ['GEN-3'] },
  ],
  'get-reads-dates-in-names': [
    'getPet guesses types: a name that is a date gets a time.',
    editFields(fetched, ({ name }) => ({ name: String(name).replace(/^\d{4}-\d\d-\d\d$/, '$&T00:00:00Z') })),
  ],
  'get-reads-quoted-names': [
    'getPet reads a quoted name as a field of CSV, and drops the quotation marks.',
    editFields(fetched, ({ name }) => ({ name: String(name).replace(/^"(.*)"$/s, '$1') })),
  ],
  'get-reads-brackets-in-names': [
    'getPet reads a name in brackets as JSON.',
    editFields(fetched, ({ name }) => ({ name: name === '[]' ? [] : name })),
    { companions: ['GEN-3'] },
  ],
  'get-takes-category-zero-for-none': [
    'getPet treats categoryId 0 as missing and returns 404.',
    hideById(({ categoryId }) => categoryId === 0n),
  ],
  'get-id-as-a-string': [
    'getPet shows the id as the text of the path.',
    editFields(fetched, ({ id }) => ({ id: String(id) })),
    { companions: ['GEN-3'] },
  ],
  'get-wraps-the-animal-in-an-array': [
    'getPet returns the rows of the query: an array of one animal.',
    editJson(fetched, (pet) => [pet]),
    { companions: ['GEN-3'] },
  ],
  'sold-animals-not-found-by-id': [
    'getPet returns 404 for a sold animal that is listed.',
    hideById(({ status }) => status === 'sold'),
    { companions: ['GET-4'] },
  ],
  'animals-of-the-beginning-not-found-by-id': [
    'The index by id has only animals created since the start; older ones are only listed.',
    knowingCreated((isCreated) =>
      replace('find', (before) => (id, state) => (isCreated(id) ? before(id, state) : undefined)),
    ),
  ],
  'first-animal-of-the-beginning-shown-anew': [
    'getPet reads a file of examples for the first animal of the store.',
    editFields({ ...fetched, when: (_reply, call) => petIdOf(call) === '1' }, () => ({ name: 'Example' })),
  ],
  'default-status-only-in-get': [
    'The 201 and the lists have no status by default; getPet shows available.',
    compose(
      statusByDefault(() => undefined),
      editFields(fetched, ({ status }) => ({ status: status ?? 'available' })),
    ),
    { companions: ['LIST-8'] },
  ],
  'default-status-only-in-lists': [
    'The 201 has no status by default, and the lists show available; getPet shows none.',
    compose(
      statusByDefault(() => undefined),
      editPets({ operation: 'listPets' }, ({ status }) => ({ status: status ?? 'available' })),
    ),
    { companions: ['LIST-8'] },
  ],
  'large-categories-not-found-by-id': [
    'getPet joins categories by a 32-bit column, and returns 404 for larger ones.',
    hideById(({ categoryId }) => categoryId !== BigInt.asIntN(32, categoryId)),
  ],
  'unknown-ids-remembered': [
    'The server caches that an id is unknown, and its creation does not clear the cache.',
    withState(() => {
      const unknown = new Set<bigint>();
      return replace('find', (before) => async (id, state) => {
        const pet = unknown.has(id) ? undefined : await before(id, state);
        if (pet === undefined) unknown.add(id);
        return pet;
      });
    }),
  ],
  'unknown-id-made-by-asking': [
    'The lookup of an unknown id inserts an empty animal: the second request finds it.',
    replace('find', (before) => async (id, state) => {
      const pet = await before(id, state);
      if (pet === undefined)
        state.petsById.set(id, { id, name: '', categoryId: 0n, status: 'available', extra: {} });
      return pet;
    }),
    { requirement: 'GET-2' },
  ],
  'get-matches-the-beginning-of-ids': [
    'getPet matches the beginning of ids, newest first: id 1 may return animal 12.',
    replace('find', () => (id, state) => state.pets.findLast((pet) => String(pet.id).startsWith(String(id)))),
  ],
});

/** Mistakes in getting an animal. */
export const getFaults = [
  ...getExistingFaults,
  ...getUnknownIdFaults,
  ...getInvalidIdFaults,
  ...getRemovalFaults,
];
