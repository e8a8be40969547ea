import type { Fault } from '../patch.ts';
import { editPets } from '../patches.ts';

/** Mistakes in adding animals. */
export const createFaults: readonly Fault[] = [
  {
    name: 'category-through-a-double',
    requirement: 'CREATE-9',
    companions: [],
    description: 'categoryId passes through a double: beyond 2^53 its last digits change.',
    patch: editPets({}, ({ categoryId }) => ({ categoryId: BigInt(Number(categoryId)) })),
  },
];
