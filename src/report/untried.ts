import { settingsFor } from '../oracle/reason.ts';
import type { Outcome, RequirementResult } from '../run/outcome.ts';
import { cutOff, groups, leftOut } from './verdicts.ts';

/** Fewer in a row are as short one by one. */
const fewestFolded = 3;

const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

/** The ids of a group, those in a row as `LIST-2 to LIST-5`. */
const folded = (ids: readonly string[]): readonly string[] => {
  const rows = Map.groupBy(ids, (id) => numberOf(id) - ids.indexOf(id));
  return [...rows.values()].flatMap((row) =>
    row.length < fewestFolded ? row : [`${row[0]} to ${row.at(-1)}`],
  );
};

/** Ids in a row, those of a whole group by the group's name. */
export const idsOf = (members: readonly RequirementResult[], all: readonly RequirementResult[]): string => {
  const sizes = new Map(groups(all).map(({ id, results }) => [id, results.length]));
  return groups(members)
    .flatMap(({ id, results }) =>
      results.length > 1 && results.length === sizes.get(id)
        ? [id]
        : folded(results.map((result) => result.id)),
    )
    .join(', ');
};

/** By the titles of the groups, and why; nothing where there is nothing. */
const told = (
  missing: readonly RequirementResult[],
  all: readonly RequirementResult[],
  why: string,
): readonly string[] => {
  const named = groups(missing).map(({ title, results }) => `${title} (${idsOf(results, all)})`);
  return named.length === 0 ? [] : [`${named.join(', ')}: ${why}`];
};

/** What was not tried, by the titles of the groups, and the settings that it takes; null: nothing. */
export const untried = (outcome: Pick<Outcome, 'requirements' | 'ended'>): string | null => {
  const { requirements, ended } = outcome;
  const missing = leftOut(outcome);
  const settings = new Set(missing.flatMap(({ reasonCode }) => settingsFor(reasonCode)));
  const parts = [
    ...told(missing, requirements, `see ${[...settings].join(', ')}`),
    ...told(cutOff(outcome), requirements, `${ended}`),
  ];
  return parts.length === 0 ? null : parts.join('; ');
};
