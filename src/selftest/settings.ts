import { canonicalId, problemOfId } from '../config/selection.ts';
import { didYouMean } from '../config/suggest.ts';
import { type Parsed, type Parser, quoted, text, wholeBetween } from '../config/values.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { drawSeed } from '../run/seed.ts';
import type { Budget } from './report.ts';
import type { Offer, Wanted } from './tasks.ts';

/** The options of `selftest` as written. */
export interface SelfTestFlags {
  readonly only?: readonly string[];
  readonly fault?: readonly string[];
  readonly dialect?: readonly string[];
  readonly combinations?: string;
  readonly seed?: string;
  readonly jobs?: string;
  readonly budgets?: boolean;
  readonly thorough?: true;
  readonly reportDir: string;
}

export interface SelfTestSettings extends Omit<Wanted, 'budgets'> {
  readonly budgets: readonly Budget[];
  readonly jobs: number;
  readonly reportDir: string;
}

/** The percent of the held-out faults that a run of few requests has to kill. */
const budgets: readonly Omit<Budget, 'binding'>[] = [
  { requests: 300, wanted: 75 },
  { requests: 60, wanted: 50 },
];

class Unusable extends Error {}

function need<Value>(flag: string, parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value;
  throw new Unusable(`${flag}: ${parsed.problem}`);
}

const read = <Value>(
  flag: string,
  given: string | undefined,
  parse: Parser<Value>,
  otherwise: Value,
): Value => (given === undefined ? otherwise : need(flag, parse(given)));

const known = (flag: string, given: readonly string[] = [], names: readonly string[]): readonly string[] => {
  for (const name of given) {
    if (!names.includes(name)) {
      const hint = didYouMean(name, names) || `: serve --list-${flag.slice(2)}s lists them`;
      throw new Unusable(`${flag} ${quoted(name)} is unknown${hint}`);
    }
  }
  return [...new Set(given)];
};

const requirements = (given: readonly string[] = []): readonly string[] => {
  const catalogue = loadCatalogue();
  for (const word of given) {
    const problem = problemOfId(word, catalogue, { groups: true });
    if (problem !== null) throw new Unusable(`--only: ${problem}`);
  }
  return given.map(canonicalId);
};

const namesOf = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name);

/** Understands the options of `selftest`, or says in one sentence what is wrong with the first that it does not. */
export const readSelfTestFlags = (
  flags: SelfTestFlags,
  offer: Offer,
  { cores, random }: { readonly cores: number; readonly random: () => number },
): Parsed<SelfTestSettings> => {
  try {
    const selective = (flags.fault ?? flags.dialect ?? flags.only) !== undefined;
    const value: SelfTestSettings = {
      only: requirements(flags.only),
      faults: known('--fault', flags.fault, [...namesOf(offer.faults), ...namesOf(offer.degenerate)]),
      dialects: known('--dialect', flags.dialect, namesOf(offer.dialects)),
      combinations: read<number | null>('--combinations', flags.combinations, wholeBetween(0, 100_000), null),
      seed: read('--seed', flags.seed, wholeBetween(-(2 ** 31), 2 ** 31 - 1), drawSeed(random)),
      jobs: read('--jobs', flags.jobs, wholeBetween(1, 256), cores),
      reportDir: need('--report-dir', text(flags.reportDir)),
      budgets:
        (flags.budgets ?? !selective)
          ? budgets.map((budget) => ({ ...budget, binding: flags.budgets === true }))
          : [],
      thorough: flags.thorough === true,
    };
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { ok: false, problem: error.message };
  }
};
