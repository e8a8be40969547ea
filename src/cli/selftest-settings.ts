import { canonicalId, problemOfId } from '../config/selection.ts';
import { type Parsed, type Parser, text, wholeBetween } from '../config/values.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { degenerates } from '../reference/degenerate/index.ts';
import { dialects } from '../reference/dialects/index.ts';
import { domainDialects } from '../reference/domains/dialects.ts';
import { domainFaults } from '../reference/domains/faults.ts';
import { faults } from '../reference/faults/index.ts';
import type { Budget } from '../selftest/report.ts';
import type { SelfTestSelection } from '../selftest/tasks.ts';
import { drawSeed } from '../util/random.ts';
import { need, needNamed, readFlags } from './flag-values.ts';

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

export interface SelfTestSettings extends SelfTestSelection {
  readonly budgets: readonly Budget[];
  readonly jobs: number;
  readonly reportDir: string;
}

/** The percentage of held-out faults that a run of so few requests must kill. */
const budgets: readonly Omit<Budget, 'binding'>[] = [
  { requests: 300, wanted: 75 },
  { requests: 60, wanted: 50 },
];

const requirementId: Parser<string> = (word) => {
  const problem = problemOfId(word, loadCatalogue(), { groups: true, subjects: ['server', 'domain'] });
  return problem === null ? { ok: true, value: canonicalId(word) } : { ok: false, problem };
};

const namesOf = (
  flag: '--fault' | '--dialect',
  given: readonly string[] = [],
  servers: readonly { readonly name: string }[],
) => [...new Set(given.map((name) => needNamed(flag, name, servers).name))];

/** Returns the settings of `selftest`, or the first problem in one sentence. */
export const readSelfTestFlags = (
  flags: SelfTestFlags,
  { cores, random }: { readonly cores: number; readonly random: () => number },
): Parsed<SelfTestSettings> =>
  readFlags(() => {
    const isSelective = (flags.fault ?? flags.dialect ?? flags.only) !== undefined;
    const whole = <Otherwise>(
      name: 'combinations' | 'seed' | 'jobs',
      [least, most]: readonly [number, number],
      otherwise: Otherwise,
    ): number | Otherwise => {
      const given = flags[name];
      return given === undefined ? otherwise : need(`--${name}`, wholeBetween(least, most)(given));
    };
    return {
      only: (flags.only ?? []).map((word) => need('--only', requirementId(word))),
      faults: namesOf('--fault', flags.fault, [...faults, ...domainFaults, ...degenerates]),
      dialects: namesOf('--dialect', flags.dialect, [...dialects, ...domainDialects]),
      combinations: whole('combinations', [0, 100_000], null),
      seed: whole('seed', [-(2 ** 31), 2 ** 31 - 1], drawSeed(random)),
      jobs: whole('jobs', [1, 256], cores),
      reportDir: need('--report-dir', text(flags.reportDir)),
      budgets:
        (flags.budgets ?? !isSelective)
          ? budgets.map((budget) => ({ ...budget, binding: flags.budgets === true }))
          : [],
      thorough: flags.thorough === true,
    };
  });
