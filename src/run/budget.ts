import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../document/package-root.ts';
import type { Check } from './check.ts';

/** A systematic case by name: that of its check, and its place among the check's examples. */
export const caseName = (check: Pick<Check<unknown>, 'name'>, index: number): string =>
  `${check.name} #${index}`;

/**
 * The cases of a run of few requests, the most telling first: learnt from which faults fall to which case at what cost
 * (`spec/telling.json`, written by `npm run learn`).
 */
export const mostTelling = (): readonly string[] => {
  const text = readFileSync(join(packageRoot(), 'spec', 'telling.json'), 'utf8');
  const cases: unknown = JSON.parse(text).cases;
  return Array.isArray(cases) ? cases.filter((name) => typeof name === 'string') : [];
};

/** The first cases in order of how telling they are that together cost at most so many requests. */
export const withinBudget = (
  ranked: readonly string[],
  checks: readonly Check<unknown>[],
  requests: number,
): ReadonlySet<string> => {
  // What uses up limits is never the most telling.
  const priced = checks.filter(({ toll }) => toll === undefined);
  const costs = new Map(priced.map(({ name, cost = 1 }) => [name, cost]));
  const chosen = new Set<string>();
  let left = requests;
  for (const name of ranked) {
    const cost = costs.get(name.slice(0, name.lastIndexOf(' #')));
    if (cost === undefined || cost > left) continue;
    chosen.add(name);
    left -= cost;
  }
  return chosen;
};
