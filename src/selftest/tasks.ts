import fc from 'fast-check';
import { groupOf } from '../openapi/requirement.ts';
import { degenerates } from '../reference/degenerate/index.ts';
import { combination } from '../reference/dialects/combinations.ts';
import { dialects } from '../reference/dialects/index.ts';
import { faults } from '../reference/faults/index.ts';
import { hashOf } from '../util/hash.ts';

/** One server to be judged, as it travels to a worker: names only, for patches are functions. */
export interface Task {
  readonly kind: 'fault' | 'dialect' | 'combination' | 'degenerate';
  /** One name; of a combination every dialect in the order in which they are applied. */
  readonly names: readonly string[];
  /** Of the run, and of the server's own choices. */
  readonly seed: number;
  /** Requirements or groups to judge alone; empty: all. */
  readonly only: readonly string[];
  /** Requests at most; null: as many as a run takes. */
  readonly budget: number | null;
  /** Every case of every check is made; else of a fault those that its requirement needs, and a part of the others. */
  readonly thorough: boolean;
}

/** What was asked for; empty lists and null: nothing in particular. */
export interface Selection {
  /** Requirements or groups. */
  readonly only: readonly string[];
  /** Faults or degenerate servers. */
  readonly faults: readonly string[];
  readonly dialects: readonly string[];
  /** How many dialect combinations are generated; null: as many as is usual. */
  readonly combinations: number | null;
  /** Budgets under which the faults are judged as well, in requests. */
  readonly budgets: readonly { readonly requests: number }[];
  /** Every fault by every case, and every dialect alone: so is what is selected anyhow. */
  readonly thorough: boolean;
  readonly seed: number;
}

/** Larger combinations than pairs: beside pairs fewer do. */
const usualCombinations = { alone: 40, besidePairs: 10 };

type Names = readonly string[];
const namesOf = (servers: readonly { readonly name: string }[]): Names => servers.map(({ name }) => name);

/** Every server that is to be judged, in the order of the report: it depends on the selection alone. */
export const tasksFor = (selection: Selection): readonly Task[] => {
  const { only, seed, budgets } = selection;
  const isSelective = selection.faults.length + selection.dialects.length > 0;
  const thorough = selection.thorough || isSelective || only.length > 0;
  const isSelected = ({ name }: { readonly name: string }) =>
    !isSelective || selection.faults.includes(name) || selection.dialects.includes(name);
  const isMeant = (id: string) => only.length === 0 || only.includes(id) || only.includes(groupOf(id));

  const task = (kind: Task['kind'], names: Names, budget: number | null = null): Task => ({
    kind,
    names,
    budget,
    thorough,
    // A fault must fall to the whole suite: nothing else may fail along with it.
    only: kind === 'fault' ? [] : only,
    // Its own, so that no server is judged by the values of another, and each is judged alone as among all.
    seed: hashOf(names.join(' + '), seed) | 0,
  });
  const alone = (kind: Task['kind'], servers: readonly { readonly name: string }[]) =>
    servers.filter(isSelected).map(({ name }) => task(kind, [name]));
  const meant = faults.filter(({ requirement }) => isMeant(requirement));
  const onBudget = meant.filter((fault) => fault.needs === undefined && isSelected(fault));

  return [
    ...alone('fault', meant),
    ...(thorough ? alone('dialect', dialects) : []),
    ...combinationsFor(selection, { isSelective, thorough }).map((names) => task('combination', names)),
    ...(isSelective || only.length === 0 ? alone('degenerate', degenerates) : []),
    ...budgets.flatMap(({ requests }) => onBudget.map(({ name }) => task('fault', [name], requests))),
  ];
};

/** Every dialect once, with another that it goes with, as long as there is one: by the seed. */
const inPairs = (seed: number): readonly Names[] => {
  const all = fc.shuffledSubarray([...dialects], { minLength: dialects.length });
  const left = fc.sample(all, { seed, numRuns: 1 }).flat();
  const pairs: Names[] = [];
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    const { choice } = one;
    const at = left.findIndex((other) => choice === undefined || other.choice !== choice);
    const partner = left.splice(at === -1 ? left.length : at, 1);
    pairs.push(namesOf([one, ...partner]));
  }
  return pairs;
};

/** Without a selection all of them in pairs, and generated ones; several dialects asked for are judged together too. */
const combinationsFor = (
  { dialects: asked, combinations, seed }: Selection,
  { isSelective, thorough }: { readonly isSelective: boolean; readonly thorough: boolean },
): readonly Names[] => {
  const pairs = thorough ? [] : inPairs(seed);
  const together = asked.length > 1 ? [asked] : pairs;
  const usual = usualCombinations[pairs.length > 0 ? 'besidePairs' : 'alone'];
  const numRuns = combinations ?? (isSelective ? 0 : usual);
  return numRuns === 0
    ? together
    : [...together, ...fc.sample(combination(), { seed, numRuns }).map(namesOf)];
};
