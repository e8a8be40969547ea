import fc, { type Arbitrary } from 'fast-check';
import { groupOf } from '../openapi/requirement.ts';
import { hashOf } from '../util/hash.ts';
import type { Task } from './task.ts';

/** What a self-test can be made of, by name. */
export interface Offer {
  readonly faults: readonly {
    readonly name: string;
    readonly requirement: string;
    readonly needs?: string;
  }[];
  readonly dialects: readonly {
    readonly name: string;
    readonly choice?: string;
  }[];
  /** Dialects that go together. */
  combination(): Arbitrary<readonly { readonly name: string }[]>;
  readonly degenerate: readonly { readonly name: string }[];
}

/** What was asked for; empty lists and null: nothing in particular. */
export interface Wanted {
  /** Requirements or groups. */
  readonly only: readonly string[];
  /** Faults or degenerate servers. */
  readonly faults: readonly string[];
  readonly dialects: readonly string[];
  /** How many dialect combinations are generated; null: as many as is usual. */
  readonly combinations: number | null;
  /** Budgets under which the faults are judged as well. */
  readonly budgets: readonly number[];
  /** Every fault by every case, and every dialect alone: so is what is selected anyhow. */
  readonly thorough: boolean;
  readonly seed: number;
}

/** Larger combinations than pairs: beside pairs fewer do. */
const usualCombinations = { alone: 40, besidePairs: 10 };

const isMeant = (only: readonly string[], id: string): boolean =>
  only.length === 0 || only.includes(id) || only.includes(groupOf(id));

/** A seed for each server, so that none is judged by the values of another, and each is judged alone as among all. */
const seedFor = (seed: number, title: string): number => hashOf(title, seed) | 0;

/** Every server that is to be judged, in the order of the report: it depends on what is wanted alone. */
export const tasksFor = (offer: Offer, wanted: Wanted): readonly Task[] => {
  const thorough = isThorough(wanted);
  const task = (kind: Task['kind'], names: readonly string[], budget: number | null = null): Task => ({
    kind,
    names,
    budget,
    thorough,
    // A fault must fall to the whole suite: nothing else may fail along with it.
    only: kind === 'fault' ? [] : wanted.only,
    seed: seedFor(wanted.seed, names.join(' + ')),
  });
  const faults = faultsOf(offer, wanted);
  return [
    ...faults.map(({ name }) => task('fault', [name])),
    ...dialectsOf(offer, wanted).map((name) => task('dialect', [name])),
    ...combinationsOf(offer, wanted).map((names) => task('combination', names)),
    ...degenerateOf(offer, wanted).map((name) => task('degenerate', [name])),
    ...wanted.budgets.flatMap((budget) =>
      faults.filter(({ needs }) => needs === undefined).map(({ name }) => task('fault', [name], budget)),
    ),
  ];
};

const isSelective = ({ faults, dialects }: Wanted): boolean => faults.length + dialects.length > 0;

const faultsOf = ({ faults }: Offer, wanted: Wanted) =>
  faults.filter(
    ({ name, requirement }) =>
      isMeant(wanted.only, requirement) && (!isSelective(wanted) || wanted.faults.includes(name)),
  );

const isThorough = (wanted: Wanted): boolean =>
  wanted.thorough || isSelective(wanted) || wanted.only.length > 0;

/** Those that are judged alone. */
const dialectsOf = ({ dialects }: Offer, wanted: Wanted): readonly string[] =>
  isThorough(wanted)
    ? dialects
        .map(({ name }) => name)
        .filter((name) => !isSelective(wanted) || wanted.dialects.includes(name))
    : [];

/** Every dialect once, with another that it goes with, as long as there is one: by the seed. */
const inPairs = (dialects: Offer['dialects'], seed: number): readonly (readonly string[])[] => {
  const all = fc.shuffledSubarray([...dialects], { minLength: dialects.length });
  const left = fc.sample(all, { seed, numRuns: 1 }).flat();
  const pairs: string[][] = [];
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    const { choice } = one;
    const at = left.findIndex((other) => choice === undefined || other.choice !== choice);
    const partner = left.splice(at === -1 ? left.length : at, 1);
    pairs.push([one, ...partner].map(({ name }) => name));
  }
  return pairs;
};

/** Without a selection all of them in pairs, and generated ones; several dialects asked for are judged together too. */
const combinationsOf = ({ dialects, combination }: Offer, wanted: Wanted): readonly (readonly string[])[] => {
  const pairs = isThorough(wanted) ? [] : inPairs(dialects, wanted.seed);
  const together = wanted.dialects.length > 1 ? [wanted.dialects] : pairs;
  const usual = usualCombinations[pairs.length > 0 ? 'besidePairs' : 'alone'];
  const number = wanted.combinations ?? (isSelective(wanted) ? 0 : usual);
  if (number === 0) return together;
  const generated = fc.sample(combination(), { seed: wanted.seed, numRuns: number });
  return [...together, ...generated.map((dialects) => dialects.map(({ name }) => name))];
};

const degenerateOf = ({ degenerate }: Offer, wanted: Wanted): readonly string[] => {
  const names = degenerate.map(({ name }) => name);
  if (isSelective(wanted)) return names.filter((name) => wanted.faults.includes(name));
  return wanted.only.length === 0 ? names : [];
};
