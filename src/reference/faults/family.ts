import type { Fault, Patch } from '../patch.ts';

/** The optional members of a fault. */
type Extras = Partial<Pick<Fault, 'requirement' | 'companions' | 'needs' | 'seedPets' | 'now'>>;

/** One sentence on the mistake, and the patch that makes it. */
type Row = readonly [description: string, patch: Patch, extras?: Extras];

/** Faults that break one requirement, by name. `common` applies to each of them, unless its row overrides it. */
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

/** Faults of one topic that break different requirements, by name. */
export const mixed = (
  rows: Readonly<Record<string, readonly [requirement: string, ...Row]>>,
  common: Extras = {},
): readonly Fault[] =>
  Object.entries(rows).flatMap(([name, [requirement, ...row]]) =>
    family(requirement, { [name]: row }, common),
  );
