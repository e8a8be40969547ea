import type { Dialect } from '../patch.ts';
import { limitDialects } from './limits.ts';
import { petDialects } from './pets.ts';

/** Every dialect, group by group. */
export const dialects: readonly Dialect[] = [...petDialects, ...limitDialects];
