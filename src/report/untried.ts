import type { RequirementResult } from '../run/outcome.ts';
import { groups, leftOut, settingsIn } from './verdicts.ts';

/** Ids in a row, those of a whole group by the group's name. */
export const idsOf = (members: readonly RequirementResult[], all: readonly RequirementResult[]): string => {
  const sizes = new Map(groups(all).map(({ id, results }) => [id, results.length]));
  return groups(members)
    .flatMap(({ id, results }) =>
      results.length > 1 && results.length === sizes.get(id) ? [id] : results.map((result) => result.id),
    )
    .join(', ');
};

/** What was not tried, by the titles of the groups, and the settings that it takes; null: nothing. */
export const untried = (all: readonly RequirementResult[]): string | null => {
  const missing = leftOut(all);
  if (missing.length === 0) return null;
  const named = groups(missing).map(({ title, results }) => `${title} (${idsOf(results, all)})`);
  const settings = new Set(missing.flatMap(({ reason }) => settingsIn(reason)));
  return `${named.join(', ')}: see ${[...settings].join(', ')}`;
};
