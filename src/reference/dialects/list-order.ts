import type { ServerState } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { replace } from '../patch-kit/core.ts';
import type { Pet } from '../pet.ts';
import { choices } from './choices.ts';

type Arrange = (pets: Pet[], state: ServerState) => readonly Pet[];

const order = (arrange: Arrange): Patch =>
  replace('order', (before) => (state) => arrange([...before(state)], state));

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
export const listOrderDialects = choices('order', {
  'oldest-first': ['Animals are listed in the order of their creation.', order((pets) => pets.toReversed())],
  'listed-by-id': ['Animals are listed with the smallest id first.', order(by(({ id }) => id))],
  'listed-by-id-descending': ['Animals are listed with the largest id first.', order(by(({ id }) => -id))],
  'listed-by-name': ['Animals are listed in the order of their names.', order(by(({ name }) => name))],
  'listed-by-status': ['Animals are listed status by status.', order(by(({ status }) => status ?? ''))],
  'listed-by-category': [
    'Animals are listed category by category.',
    order(by(({ categoryId }) => categoryId)),
  ],
  'listed-in-hash-order': ['Animals are listed in an order without meaning.', order(by(scattered))],
  'listed-in-random-order': ['Each list has another order.', order(shuffled)],
});
