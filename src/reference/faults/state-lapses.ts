import { isJsonObject } from '../../json/json.ts';
import type { Patch } from '../patch.ts';
import { counter, replace, withState } from '../patch-kit/core.ts';
import { editList, queryInstead, queryValue, selectAmong } from '../patch-kit/lists.ts';
import { whileSeeding } from '../patch-kit/store.ts';
import type { Pet } from '../pet.ts';
import { family } from './family.ts';

/** Lists a part of the selected animals every so many times. */
const everyList = (turn: number, left: (pets: readonly Pet[]) => readonly Pet[]): Patch =>
  withState(() => {
    const lists = counter();
    return replace('select', (before) => (pets, query, call) => {
      const selected = before(pets, query, call);
      return lists() % turn === 0 ? left(selected) : selected;
    });
  });

/** Mistakes that appear from time to time, or for some animals. */
export const lapseFaults = family(
  'LIST-8',
  {
    'every-seventh-list-lacks-one': [
      'One of seven instances omits the last animal of a page.',
      everyList(7, (pets) => pets.slice(0, -1)),
    ],
    'every-fifteenth-list-empty': [
      'Every 15th list is empty: the server ignores a timeout of the query.',
      everyList(15, () => []),
    ],
    'creations-never-stored': [
      'The server acknowledges creations, but never writes them. The store is larger than a page.',
      whileSeeding((isSeeding) =>
        replace('insert', (before) => (pet, state) => (isSeeding() ? before(pet, state) : undefined)),
      ),
      { companions: ['GET-1', 'GET-4'], seedPets: 130 },
    ],
    'nameless-not-listed': [
      'Lists omit animals with an empty or blank name.',
      selectAmong((pets) => pets.filter(({ name }) => name.trim() !== '')),
    ],
    'category-zero-not-listed': [
      'Lists omit animals of category 0, which is falsy.',
      selectAmong((pets) => pets.filter(({ categoryId }) => categoryId !== 0n)),
    ],
    'only-available-without-parameters': [
      'GET /pets without parameters lists only available animals.',
      queryInstead((query, call) =>
        queryValue(call, 'status') === null && queryValue(call, 'limit') === null
          ? { ...query, status: 'available' }
          : query,
      ),
      { seedPets: 0 },
    ],
    'plain-list-shows-all-available': [
      'Without status the list does not select the column, and shows every animal as available.',
      editList((entries, call) =>
        queryValue(call, 'status') === null
          ? entries.map((entry) => (isJsonObject(entry) ? { ...entry, status: 'available' } : entry))
          : entries,
      ),
    ],
    'long-lists-show-one-category': [
      'Lists of more than 30 animals show the first category for all: the join is wrong.',
      editList((entries) => {
        const [first] = entries;
        if (entries.length <= 30 || !isJsonObject(first)) return entries;
        const { categoryId = null } = first;
        return entries.map((entry) => (isJsonObject(entry) ? { ...entry, categoryId } : entry));
      }),
      { companions: ['GET-1', 'CREATE-9'] },
    ],
    'every-tenth-get-not-found': [
      'One of ten instances does not know animals created since it started.',
      withState(() => {
        const gets = counter();
        return replace(
          'find',
          (before) => (id, state) => (gets() % 10 === 0 ? undefined : before(id, state)),
        );
      }),
      { requirement: 'GET-1', companions: ['GET-4'] },
    ],
  },
  { companions: ['GET-1'] },
);
