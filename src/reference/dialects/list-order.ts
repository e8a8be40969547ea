import type { World } from '../parts.ts';
import type { Dialect } from '../patch.ts';
import { replace } from '../patches.ts';
import type { Pet } from '../pet.ts';

type Arrange = (pets: Pet[], world: World) => readonly Pet[];

const order = (name: string, description: string, arrange: Arrange): Dialect => ({
  name,
  choice: 'order',
  description,
  patch: replace('order', (before) => (world) => arrange([...before(world)], world)),
});

const ascending = <Value>(a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0);

const by =
  <Value>(value: (pet: Pet) => Value): Arrange =>
  (pets) =>
    pets.sort((a, b) => ascending(value(a), value(b)));

/** A hash table's order: it looks random, and stays the same. */
const scattered = ({ id }: Pet): bigint => BigInt.asUintN(64, id * 0x9e3779b97f4a7c15n);

const shuffled: Arrange = (pets, { random }) => {
  const left = [...pets];
  return pets.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
};

/** Choices about the order of the list (LIST-10). */
export const listOrderDialects: readonly Dialect[] = [
  order('oldest-first', 'Animals are listed in the order of their creation.', (pets) => pets.toReversed()),
  order(
    'listed-by-id',
    'Animals are listed with the smallest id first.',
    by(({ id }) => id),
  ),
  order(
    'listed-by-id-descending',
    'Animals are listed with the largest id first.',
    by(({ id }) => -id),
  ),
  order(
    'listed-by-name',
    'Animals are listed in the order of their names.',
    by(({ name }) => name),
  ),
  order(
    'listed-by-status',
    'Animals are listed status by status.',
    by(({ status }) => status ?? ''),
  ),
  order(
    'listed-by-category',
    'Animals are listed category by category.',
    by(({ categoryId }) => categoryId),
  ),
  order('listed-in-hash-order', 'Animals are listed in an order that has no meaning.', by(scattered)),
  order('listed-in-random-order', 'Animals are listed in another order each time.', shuffled),
];
