import type { Dialect, Patch } from '../patch.ts';

/** What a dialect may have beside a name, a sentence, and a patch. */
type Extras = Partial<Pick<Dialect, 'choice' | 'needs' | 'seedPets' | 'now'>>;

/** One sentence that says what the server does in its own way, and how it does it. */
type Row = readonly [description: string, patch: Patch, extras?: Extras];

/** Dialects that go with every other one, by their names. `common` holds for each of them, unless its row says otherwise. */
export const independent = (rows: Readonly<Record<string, Row>>, common: Extras = {}): readonly Dialect[] =>
  Object.entries(rows).map(([name, [description, patch, extras]]) => ({
    name,
    description,
    patch,
    ...common,
    ...extras,
  }));

/** Dialects that exclude one another, by their names: a server makes one choice. */
export const choices = (
  choice: string,
  rows: Readonly<Record<string, Row>>,
  common: Extras = {},
): readonly Dialect[] => independent(rows, { choice, ...common });
