import type { Dialect, Patch } from '../patch.ts';

/** The optional members of a dialect. */
type Extras = Partial<Pick<Dialect, 'choice' | 'needs' | 'seedPets' | 'now'>>;

/** One sentence on the choice, and the patch that makes it. */
type Row = readonly [description: string, patch: Patch, extras?: Extras];

/** Dialects that can be combined with every other one, by name. `common` applies to each of them, unless its row overrides it. */
export const independent = (rows: Readonly<Record<string, Row>>, common: Extras = {}): readonly Dialect[] =>
  Object.entries(rows).map(([name, [description, patch, extras]]) => ({
    name,
    description,
    patch,
    ...common,
    ...extras,
  }));

/** Dialects that exclude one another, by name: a server makes one choice. */
export const choices = (
  choice: string,
  rows: Readonly<Record<string, Row>>,
  common: Extras = {},
): readonly Dialect[] => independent(rows, { choice, ...common });
