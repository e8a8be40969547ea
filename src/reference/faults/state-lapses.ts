import { isJsonObject } from '../../json/json.ts';
import type { Fault, Patch } from '../patch.ts';
import { perServer, replace } from '../patches.ts';
import type { Pet } from '../pet.ts';
import { asked, editList, queryInstead, selectAmong } from './list-tools.ts';

/** Every so many lists hold less than was selected. */
const everyList = (turn: number, left: (pets: readonly Pet[]) => readonly Pet[]): Patch =>
  perServer(() => {
    let lists = 0;
    return replace('select', (before) => (pets, query, call) => {
      lists += 1;
      const selected = before(pets, query, call);
      return lists % turn === 0 ? left(selected) : selected;
    });
  });

const lapse = (name: string, description: string, patch: Patch, seedPets?: number): Fault => ({
  name,
  requirement: 'LIST-8',
  companions: ['GET-1'],
  description,
  patch,
  ...(seedPets === undefined ? {} : { seedPets }),
});

/** Mistakes in what is said of animals that stand in the store, now and then or of some of them only. */
export const lapseFaults: readonly Fault[] = [
  lapse(
    'every-seventh-list-lacks-one',
    'One of seven instances ends its pages before the last animal.',
    everyList(7, (pets) => pets.slice(0, -1)),
  ),
  lapse(
    'every-fifteenth-list-empty',
    'One of fifteen lists is empty: the query timed out, and its error is swallowed.',
    everyList(15, () => []),
  ),
  lapse(
    'nameless-not-listed',
    'Animals whose name is empty or blank are left out of every list.',
    selectAmong((pets) => pets.filter(({ name }) => name.trim() !== '')),
  ),
  lapse(
    'category-zero-not-listed',
    'Animals of the category 0 are left out of every list: zero is taken for none.',
    selectAmong((pets) => pets.filter(({ categoryId }) => categoryId !== 0n)),
  ),
  lapse(
    'only-available-without-parameters',
    'GET /pets without any parameter lists available animals only.',
    queryInstead((query, call) =>
      asked(call, 'status') === null && asked(call, 'limit') === null
        ? { ...query, status: 'available' }
        : query,
    ),
    0,
  ),
  lapse(
    'plain-list-shows-all-available',
    'Without status the list shows every animal as available: the column is not selected, and a default stands in.',
    editList((entries, call) =>
      asked(call, 'status') === null
        ? entries.map((entry) => (isJsonObject(entry) ? { ...entry, status: 'available' } : entry))
        : entries,
    ),
  ),
  {
    ...lapse(
      'long-lists-show-one-category',
      'Lists of more than thirty animals show the first category for all: a join goes by the row.',
      editList((entries) => {
        const [first] = entries;
        if (entries.length <= 30 || !isJsonObject(first)) return entries;
        const { categoryId = null } = first;
        return entries.map((entry) => (isJsonObject(entry) ? { ...entry, categoryId } : entry));
      }),
    ),
    companions: ['GET-1', 'CREATE-9'],
  },
  {
    name: 'every-tenth-get-not-found',
    requirement: 'GET-1',
    companions: ['GET-4'],
    description: 'One of ten instances does not know the animals that were created since it started.',
    patch: perServer(() => {
      let gets = 0;
      return replace('find', (before) => (id, world) => {
        gets += 1;
        return gets % 10 === 0 ? undefined : before(id, world);
      });
    }),
  },
];
