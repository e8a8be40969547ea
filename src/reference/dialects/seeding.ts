import type { Patch } from '../patch.ts';
import { around, perServer, together } from '../patches.ts';

/** A patch that can tell the animals that stand in the store at first from those that are created later. */
export const whileSeeding = (make: (seeding: () => boolean) => Patch): Patch =>
  perServer(() => {
    let seeding = true;
    const open = around((_call, next) => {
      seeding = false;
      return next();
    });
    return together(
      open,
      make(() => seeding),
    );
  });
