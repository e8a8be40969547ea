import type { Dialect } from '../patch.ts';
import { replace } from '../patches.ts';

/** Choices about animals. */
export const petDialects: readonly Dialect[] = [
  {
    name: 'oldest-first',
    description: 'Animals are listed in the order of their creation.',
    patch: replace('order', () => (world) => world.pets),
  },
];
