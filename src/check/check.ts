import type { Arbitrary } from 'fast-check';
import type { SendOptions as HttpSendOptions } from '../http/client-types.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Breach } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import type { LossCode, Reason } from '../oracle/reason.ts';
import type { Clock } from '../time/clock.ts';
import type { CheckName } from './check-name.ts';
import type { RunContext } from './run-context.ts';

/**
 * When a check runs. `first`: while the list is still short enough to be seen whole. `exclusive`: just after that, with nothing else in
 * flight. `main`: any time. `filled-store`: once the store has many animals. `look-back`: once no other check creates or lists
 * animals. `risky`: may do lasting harm to a fragile server. `exhaust-limit`: uses up a rate limit, with nothing else in flight.
 */
export type Phase = 'first' | 'exclusive' | 'main' | 'filled-store' | 'look-back' | 'risky' | 'exhaust-limit';

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
export type Inputs<Input> = readonly (Input | Tiered<Input>)[];

/** Examples with other inputs and the same marks. */
export const mapInputs = <Input, Other>(
  examples: Inputs<Input>,
  change: (input: Input) => Other,
): Inputs<Other> =>
  examples.map((example) =>
    isTiered(example) ? { ...example, input: change(example.input) } : change(example),
  );

/**
 * How a request is sent. `expects429`: a 429 may come, so it waits only for the end of an earlier 429, and is not sent again.
 * `connectionId`: only requests with this id share the connection.
 */
export type SendOptions = Pick<HttpSendOptions, 'expects429' | 'connectionId'>;

/** What a case gets to work with. Everything it sends is judged by the oracle before it sees the answer. */
export interface CheckContext {
  /** A name that is ordinary, recognisable, and unlike every other of the run. */
  freshName(): string;
  readonly clock: Clock;
  /** Sends, waits its turn, and judges. Ends the case where no answer comes (the oracle has then recorded why). */
  send(probe: Probe, options?: SendOptions): Promise<ParsedResponse>;
  /** Ends the case as inconclusive: what it needs is not there. */
  skipCase(reason: Reason): never;
  /** Counts the case as lost to a limit of the run: what would have decided it could not be sent. */
  lose(code: LossCode): void;
  readonly run: RunContext;
  passed(requirement: string): void;
  breach(finding: Omit<Breach, 'kind' | 'before'>): void;
  inconclusive(requirement: string, reason: Reason): void;
  observe(requirement: string, subject: string, value: string): void;
}

/** What one case takes, about. A number: so many requests. */
export interface Cost {
  readonly requests: number;
  /** The most requests that a case may send: a run with a budget sends no case that needs more than is left. Absent: `requests`. */
  readonly most?: number;
  /** How many of them do not carry the key of the run. Absent: none. */
  readonly keyless?: number;
  /** How many there are if nothing may be created. Absent: as many. */
  readonly readOnly?: number;
  /** How long the case waits for limits that it uses up, in milliseconds. Absent: not at all. */
  readonly waitMs?: number;
}

/**
 * A check sends requests and records findings on requirements. It does not know its runner, its target, or the time. Its cases are
 * the systematic `inputs` first, then values of the arbitrary.
 */
export interface Check<Input> extends CheckName {
  /** Other requirements that it can give evidence on by itself (the oracle adds GEN, ERR and RATE). Absent: none. */
  readonly covers?: readonly string[];
  readonly phase: Phase;
  /** Absent: 1 request. */
  readonly cost?: number | Cost | ((run: RunContext) => number | Cost);
  readonly inputs: (run: RunContext) => Inputs<Input> | Promise<Inputs<Input>>;
  /** How many of the run's generated cases it takes. Absent: all of them. */
  readonly share?: number;
  /** False: a failing case is not sent again, because it uses up what it needs. */
  readonly retry?: false;
  /** Cases look back at what the run has created: none is the same without what went before it. */
  readonly dependsOnEarlierCases?: true;
  /** Absent: there are only systematic cases. */
  readonly arbitrary?: (run: RunContext) => Arbitrary<Input> | Promise<Arbitrary<Input>>;
  /**
   * Simpler inputs than one that failed: the first that fails as well takes its place, until none does. Generated inputs are made
   * simpler in the way of their arbitrary before.
   */
  shrink?(input: Input, run: RunContext): Iterable<Input>;
  run(input: Input, context: CheckContext): Promise<void>;
}

/** The cost of one case in this run. */
export const costOf = ({ cost = 1 }: Pick<Check<unknown>, 'cost'>, run: RunContext): Required<Cost> => {
  const given = typeof cost === 'function' ? cost(run) : cost;
  const {
    requests,
    most = requests,
    keyless = 0,
    readOnly = requests,
    waitMs = 0,
  } = typeof given === 'number' ? { requests: given } : given;
  return { requests: run.readOnly ? readOnly : requests, most, keyless, readOnly, waitMs };
};

/** Every requirement that a check can give evidence on. */
export const coveredBy = ({
  requirement,
  covers = [],
}: Pick<Check<unknown>, 'requirement' | 'covers'>): readonly string[] => [requirement, ...covers];

/** A check among checks of other inputs: it alone runs with the inputs that it gives. */
export const anyCase = <Input>({ shrink, ...check }: Check<Input>): Check<unknown> => ({
  ...check,
  ...(shrink === undefined
    ? {}
    : { shrink: (input: unknown, run: RunContext) => shrink(input as Input, run) }),
  run: (input, context) => check.run(input as Input, context),
});
