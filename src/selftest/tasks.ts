import fc from 'fast-check';
import { groupOf } from '../openapi/requirement.ts';
import { degenerates } from '../reference/degenerate/index.ts';
import { combination } from '../reference/dialects/combinations.ts';
import { dialects } from '../reference/dialects/index.ts';
import { domainDialects } from '../reference/domains/dialects.ts';
import { domainFaults } from '../reference/domains/faults.ts';
import { faults } from '../reference/faults/index.ts';
import { hashOf } from '../util/hash.ts';

/** One server to test, as it is sent to a worker. It has only names, because patches are functions. */
export interface Task {
  readonly kind: 'fault' | 'dialect' | 'combination' | 'degenerate';
  /** One name; for a combination the names of its dialects, in the order in which they are applied. */
  readonly names: readonly string[];
  /** For a fault: the dialects of the server that has it; absent: none. */
  readonly base?: readonly string[];
  /** The seed of the run, and of the server's random choices. */
  readonly seed: number;
  /** The only requirements or groups to test; empty: all. */
  readonly only: readonly string[];
  /** The maximal number of requests; null: no maximum. */
  readonly budget: number | null;
  /** Run every case. False: for a fault, run every case of its requirement, and a part of the others. */
  readonly thorough: boolean;
}

/** What the user selected; an empty list or null: nothing in particular. */
export interface SelfTestSelection {
  /** Requirements or groups. */
  readonly only: readonly string[];
  /** Faults or degenerate servers. */
  readonly faults: readonly string[];
  readonly dialects: readonly string[];
  /** How many dialect combinations are generated; null: the default number. */
  readonly combinations: number | null;
  /** Budgets on which the faults are tested too. */
  readonly budgets: readonly { readonly requests: number }[];
  /** Test every fault with every case, and every dialect alone. A selection is always tested this way. */
  readonly thorough: boolean;
  readonly seed: number;
}

/** The default number of generated combinations: fewer if dialects also run in pairs. */
const usualCombinations = { alone: 40, besidePairs: 10 };

type Names = readonly string[];
const namesOf = (servers: readonly { readonly name: string }[]): Names => servers.map(({ name }) => name);

/** Every server to test, in the order of the report. The result depends only on the selection. */
export const tasksFor = (selection: SelfTestSelection): readonly Task[] => {
  const { only, seed, budgets } = selection;
  const isSelective = selection.faults.length + selection.dialects.length > 0;
  const thorough = selection.thorough || isSelective || only.length > 0;
  const isSelected = ({ name }: { readonly name: string }) =>
    !isSelective || selection.faults.includes(name) || selection.dialects.includes(name);
  const isMeant = (id: string) => only.length === 0 || only.includes(id) || only.includes(groupOf(id));
  // A server shows nothing about domains.
  const hasServers = only.length === 0 || only.some((id) => !/^DOMAIN\b/.test(id));

  const task = (kind: Task['kind'], names: Names, budget: number | null = null): Task => ({
    kind,
    names,
    budget,
    thorough,
    // A fault runs with the whole suite, to see that nothing else fails.
    only: kind === 'fault' ? [] : only,
    // Each server has its own seed: it gets other values than the others, and the same ones if it runs alone.
    seed: hashOf(names.join(' + '), seed) | 0,
  });
  const alone = (kind: Task['kind'], servers: readonly { readonly name: string }[]) =>
    servers.filter(isSelected).map(({ name }) => task(kind, [name]));
  const meant = faults.filter(({ requirement }) => isMeant(requirement));
  const onBudget = meant.filter((fault) => fault.needs === undefined && isSelected(fault));

  return [
    ...alone('fault', [...meant, ...domainFaults.filter(({ requirement }) => isMeant(requirement))]),
    ...(thorough && hasServers ? alone('dialect', dialects) : []),
    ...(domainFaults.some(({ requirement }) => isMeant(requirement)) ? alone('dialect', domainDialects) : []),
    ...(hasServers ? combinationsFor(selection, { isSelective, thorough }) : []).map((names) =>
      task('combination', names),
    ),
    ...(isSelective || only.length === 0 ? alone('degenerate', degenerates) : []),
    ...budgets.flatMap(({ requests }) => onBudget.map(({ name }) => task('fault', [name], requests))),
  ];
};

/** Every dialect once, with another one that it can be combined with, if one is left. The seed draws the pairs. */
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

/** Without a selection: all dialects in pairs, and generated combinations. Several selected dialects also run together. */
const combinationsFor = (
  { dialects: selected, combinations, seed }: SelfTestSelection,
  { isSelective, thorough }: { readonly isSelective: boolean; readonly thorough: boolean },
): readonly Names[] => {
  const pairs = thorough ? [] : inPairs(seed);
  // A dialect of a domain cannot be combined with one of a server.
  const ofServers = selected.filter((name) => dialects.some((dialect) => dialect.name === name));
  const together = ofServers.length > 1 ? [ofServers] : pairs;
  const usual = usualCombinations[pairs.length > 0 ? 'besidePairs' : 'alone'];
  const numRuns = combinations ?? (isSelective ? 0 : usual);
  return numRuns === 0
    ? together
    : [...together, ...fc.sample(combination(), { seed, numRuns }).map(namesOf)];
};
