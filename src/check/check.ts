import type { Arbitrary } from 'fast-check';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Breach } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import type { LossCode, Reason } from '../oracle/reason.ts';
import type { SendOptions } from '../run/exchange-pipeline.ts';
import type { Clock } from '../time/clock.ts';
import type { CheckName } from './check-name.ts';
import type { Fixtures } from './run-context.ts';

/**
 * When a check runs. `whole-list`: while the list is still short enough to be seen whole. `quiet`: just after that, with nothing else
 * under way. `main`: any time. `late`: once many animals stand in the store. `risky`: may do lasting harm to a naive store. `exhaust`:
 * uses up a rate limit, with nothing else under way.
 */
export type Phase = 'whole-list' | 'quiet' | 'main' | 'late' | 'risky' | 'exhaust';

/** When a run on a budget sends a case: smoke first, then core, then full. Other runs do not look at tiers. */
export type Tier = 'smoke' | 'core' | 'full';

const tier = Symbol('tier');

/** An input with the tier of its case. */
export interface Tiered<Input> {
  readonly [tier]: Exclude<Tier, 'full'>;
  readonly input: Input;
}

/** Marks an input whose case every run sends, even one of 60 requests: what fails on most broken servers. */
export const smoke = <Input>(input: Input): Tiered<Input> => ({ [tier]: 'smoke', input });

/** Marks an input whose case a run of 300 requests sends: one example of each kind of bug. */
export const core = <Input>(input: Input): Tiered<Input> => ({ [tier]: 'core', input });

const isTiered = <Input>(example: Input | Tiered<Input>): example is Tiered<Input> =>
  typeof example === 'object' && example !== null && tier in example;

/** The input of an example, without its mark. */
export const inputOf = <Input>(example: Input | Tiered<Input>): Input =>
  isTiered(example) ? example.input : example;

/** The tier of an example; full without a mark. */
export const tierOf = (example: unknown): Tier => (isTiered(example) ? example[tier] : 'full');

/** Inputs as a check may list them: marked or not. */
export type Examples<Input> = readonly (Input | Tiered<Input>)[];

/** Examples with other inputs and the same marks. */
export const mapExamples = <Input, Other>(
  examples: Examples<Input>,
  change: (input: Input) => Other,
): Examples<Other> =>
  examples.map((example) =>
    isTiered(example) ? { ...example, input: change(example.input) } : change(example),
  );

/** What a case gets to work with. Everything it sends is judged by the oracle before it sees the answer. */
export interface CaseContext {
  /** A name that is ordinary, recognisable, and unlike every other of the run. */
  freshName(): string;
  readonly clock: Clock;
  /** Sends, waits its turn, and judges. Ends the case where no answer comes (the oracle has then recorded why). */
  send(probe: Probe, options?: SendOptions): Promise<ParsedResponse>;
  /** Ends the case undecided: what it needs is not there. */
  end(reason: Reason): never;
  /** Counts the case as lost to a limit of the run: what would have decided it could not be sent. */
  lose(code: LossCode): void;
  readonly fixtures: Fixtures;
  pass(requirement: string): void;
  breach(finding: Omit<Breach, 'kind' | 'before'>): void;
  undecided(requirement: string, reason: Reason): void;
  observe(requirement: string, subject: string, value: string): void;
}

/** What a case takes of limits that it uses up, about. */
export interface LimitCost {
  readonly requests: number;
  /** How long it waits for them, in milliseconds. */
  readonly waitMs: number;
}

/**
 * A check sends requests and records findings on requirements. It does not know its runner, its target, or the time. Its cases are
 * the systematic `examples` first, then values of the arbitrary.
 */
export type Check<Case> = CheckName &
  Price & {
    /** Other requirements that it can give evidence on by itself (the oracle adds GEN, ERR and RATE); absent: none. */
    readonly covers?: readonly string[];
    readonly phase: Phase;
    readonly examples: (fixtures: Fixtures) => Examples<Case> | Promise<Examples<Case>>;
    /** How many of the run's generated cases it takes; absent: all of them. */
    readonly share?: number;
    /** Cases are not attempted again to see whether a breach comes back: they use up what they need. */
    readonly once?: boolean;
    /** Cases look back at what the run has created: none is the same without what went before it. */
    readonly dependsOnEarlierCases?: true;
    /** Absent: the systematic cases are all there is. */
    readonly arbitrary?: (fixtures: Fixtures) => Arbitrary<Case> | Promise<Arbitrary<Case>>;
    /**
     * Cases with less that is odd than one that fails: the first that fails as well takes its place, until none does. Generated cases are
     * made small in the way of their arbitrary before.
     */
    smaller?(value: Case, fixtures: Fixtures): Iterable<Case>;
    attempt(value: Case, context: CaseContext): Promise<void>;
  };

/** What one case takes: about so many requests, or using up limits. */
type Price =
  | {
      /** Absent: 1. */
      readonly cost?: number;
      /** The most requests that a case may send: a run with a budget sends no case that needs more than is left. Absent: `cost`. */
      readonly mostCost?: number;
      /** How many of these carry no valid key; absent: none. */
      readonly keyless?: number;
      /** The same where nothing may be created; absent: as many. */
      readonly readOnlyCost?: number;
      readonly limitCost?: never;
    }
  | {
      readonly limitCost: (fixtures: Fixtures) => LimitCost;
      readonly cost?: never;
      readonly mostCost?: never;
      readonly keyless?: never;
      readonly readOnlyCost?: never;
    };

/** Every requirement that a check can give evidence on. */
export const coveredBy = ({
  requirement,
  covers = [],
}: Pick<Check<unknown>, 'requirement' | 'covers'>): readonly string[] => [requirement, ...covers];

/** A check among checks of other cases: it alone makes the cases that it is given. */
export const anyCase = <Case>({ smaller, ...check }: Check<Case>): Check<unknown> => ({
  ...check,
  ...(smaller === undefined
    ? {}
    : { smaller: (value: unknown, fixtures: Fixtures) => smaller(value as Case, fixtures) }),
  attempt: (value, context) => check.attempt(value as Case, context),
});
