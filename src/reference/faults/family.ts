import type { Fault, Patch } from '../patch.ts';

/** What a fault may have beside a name, a sentence, and a patch. */
type Extras = Partial<Pick<Fault, 'requirement' | 'companions' | 'needs' | 'seedPets' | 'now'>>;

/** One sentence that says what the server does wrong, and how it does it. */
type Row = readonly [description: string, patch: Patch, extras?: Extras];

/** Faults that break one requirement, by their names. `common` holds for each of them, unless its row says otherwise. */
export const family = (
  requirement: string,
  rows: Readonly<Record<string, Row>>,
  common: Extras = {},
): readonly Fault[] =>
  Object.entries(rows).map(([name, [description, patch, extras]]) => ({
    name,
    requirement,
    companions: [],
    description,
    patch,
    ...common,
    ...extras,
  }));

/** Faults of one topic that break different requirements, by their names. */
export const mixed = (
  rows: Readonly<Record<string, readonly [requirement: string, ...Row]>>,
  common: Extras = {},
): readonly Fault[] =>
  Object.entries(rows).flatMap(([name, [requirement, ...row]]) =>
    family(requirement, { [name]: row }, common),
  );
