import type { Arbitrary } from 'fast-check';
import type { CheckName } from '../finding/check-name.ts';
import type { CheckContext } from './context.ts';
import { demand, isText } from './demand.ts';
import { definitionProblems as problems } from './refusals.ts';
import type { RunContext } from './run-context.ts';
import type { Inputs } from './tiers.ts';

/** In the order of the run. */
export const phases = [
  'first',
  'exclusive',
  'main',
  'filled-store',
  'look-back',
  'last-exclusive',
  'exhaust-limit',
  'risky',
  'last',
] as const;

/**
 * When checks run, in order. `first`: while one response can still list every animal. `exclusive`: just after that, with nothing else in
 * flight. `main`: any time. `filled-store`: once the store has many animals. `look-back`: once no other check creates or lists
 * animals. `last-exclusive`: after that, with nothing else in flight. `exhaust-limit`: uses up a rate limit, with nothing else in flight.
 * `risky`: may do lasting harm to a fragile server. `last`: may end the server, so nothing else is in flight, and nothing follows.
 */
export type Phase = (typeof phases)[number];

/** Tells whether a phase follows the main one: from then on, the server should refuse hardly any creation. */
export const isLate = (phase: Phase): boolean => phases.indexOf(phase) > phases.indexOf('main');

/** Tells whether checks of the phase run once: in the first shard, and on a budget in the last pass. */
export const isOnce = (phase: Phase): boolean => phase === 'exhaust-limit' || phase === 'last';

/** What one case needs, approximately. */
export interface Cost {
  readonly requests: number;
  /** The maximum number of requests of a case: a run skips the case if fewer are left in its budget. Default: `requests`. */
  readonly most?: number;
  /** How many of them are sent without the valid key. Default: none. */
  readonly keyless?: number;
  /** The number of requests if nothing may be created. Default: `requests`. */
  readonly readOnly?: number;
  /** The number of animals that it creates. Default: 0. */
  readonly creates?: number;
  /** It creates animals until the store has more than this many. Default: 0. */
  readonly storeAbove?: number;
  /** How long the case waits for rate limits that it uses up, in milliseconds. Default: 0. */
  readonly waitMs?: number;
}

/**
 * What `defineCheck` takes. A check sends requests and records findings on requirements; it does not know its runner, its target, or
 * the time. A case is one input: the systematic `inputs` come first, then values of the arbitrary. With neither there is one case.
 */
export interface CheckDefinition<Input> {
  /** Unique and permanent, in kebab case, the requirement first: `acme-1-sorted`. Default: requirement and title. */
  readonly id?: string;
  /** What it does. Unique among the checks of its requirement. */
  readonly title: string;
  /** The requirement that it tests. */
  readonly requirement: string;
  /** Other requirements that it gives evidence on. Requirements that every response is tested with need no entry. */
  readonly covers?: readonly string[];
  /** Default: `main`. */
  readonly phase?: Phase;
  /** What one case needs, or its number of requests. Default: 1. */
  readonly cost?: number | Cost | ((run: RunContext) => number | Cost);
  /** Systematic inputs, sent in this order. */
  readonly inputs?: (run: RunContext) => Inputs<Input> | Promise<Inputs<Input>>;
  /** Generated inputs: `--runs` of them. A failing one is made as small as possible. */
  readonly arbitrary?: (run: RunContext) => Arbitrary<Input> | Promise<Arbitrary<Input>>;
  /** The part of `--runs` that it takes, from 0 to 1. Default: 1. */
  readonly share?: number;
  /** False: a failing case is not sent again, because it uses up what it needs. */
  readonly retry?: false;
  /** Cases use what earlier cases created, so none can be repeated alone. */
  readonly dependsOnEarlierCases?: true;
  /** Simpler inputs to try after a failure. The first failing one replaces the input; this repeats until all pass. */
  shrink?(input: Input, run: RunContext): Iterable<Input>;
  /** Sends requests and records what they show. An exception is the check's own failure (verdict `error`), never the server's. */
  run(input: Input, context: CheckContext): Promise<void>;
}

/** A check, as `defineCheck` returns it. */
export interface Check<Input = unknown>
  extends CheckName,
    Omit<CheckDefinition<Input>, 'id' | 'phase' | 'inputs'> {
  readonly kind: 'check';
  readonly phase: Phase;
  readonly inputs: (run: RunContext) => Inputs<Input> | Promise<Inputs<Input>>;
}

/** Returns requirement and title in kebab case. */
const idOf = ({ requirement, title }: Pick<CheckName, 'requirement' | 'title'>): string =>
  `${requirement} ${title}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');

/**
 * Defines a check.
 *
 * @throws Error if it names no requirement, or has no title, or nothing to run.
 */
export const defineCheck = <Input = null>(definition: CheckDefinition<Input>): Check => {
  const { requirement, title, arbitrary, run } = definition;
  demand(isText(requirement), problems.noRequirement);
  demand(isText(title), problems.noTitle(requirement));
  demand(typeof run === 'function', problems.noRun(title, requirement));
  return {
    kind: 'check',
    id: idOf(definition),
    phase: 'main',
    inputs: () => (arbitrary === undefined ? [null] : []),
    ...(definition as CheckDefinition<unknown>),
  };
};

/** Returns the cost of one case in this run. */
export const costOf = ({ cost = 1 }: Pick<Check, 'cost'>, run: RunContext): Required<Cost> => {
  const given = typeof cost === 'function' ? cost(run) : cost;
  const {
    requests,
    most = requests,
    keyless = 0,
    readOnly = requests,
    creates = 0,
    storeAbove = 0,
    waitMs = 0,
  } = typeof given === 'number' ? { requests: given } : given;
  return run.readOnly
    ? { requests: readOnly, most, keyless, readOnly, creates: 0, storeAbove: 0, waitMs }
    : { requests, most, keyless, readOnly, creates, storeAbove, waitMs };
};

/** Every requirement that a check can give evidence on. */
export const coveredBy = ({
  requirement,
  covers = [],
}: Pick<Check, 'requirement' | 'covers'>): readonly string[] => [requirement, ...covers];
