import type { Arbitrary } from 'fast-check';
import type { ApiRequest, Exchange } from '../client/exchange.ts';
import type { JsonObject } from '../json/json.ts';
import type { Reading } from '../oracle/reading.ts';
import type { Clock } from './clock.ts';
import type { Fixtures } from './fixtures.ts';
import type { SendOptions } from './session.ts';

/**
 * When a check runs. `whole-list`: while the list is still short enough to be seen whole. `quiet`: just after that, with nothing else
 * under way. `main`: any time. `late`: once many animals stand in the store. `risky`: may do lasting harm to a naive store. `exhaust`:
 * uses up a rate limit, with nothing else under way.
 */
export type Phase = 'whole-list' | 'quiet' | 'main' | 'late' | 'risky' | 'exhaust';

/** What a case expects of the answer, beyond what the oracle asks of every exchange. */
export interface Expectation {
  /** The requirement that is breached by any other status. */
  readonly requirement: string;
  /** Statuses that meet it; `4xx` stands for the class. */
  readonly statuses: readonly (number | '4xx')[];
  /** Completes "…, because …" in the failure. */
  readonly because: string;
  /** The answer is to carry an Error: without one the requirement is breached as well. */
  readonly error?: true;
  /** Asked when another status came: what makes the expectation void by then, as requests that were under way have been answered. */
  readonly unless?: () => boolean;
}

/** The query of a listing, as it is meant: `undecided` where the document gives it no meaning. */
export interface Listing {
  readonly limit:
    | { readonly kind: 'absent' | 'undecided' }
    | { readonly kind: 'given'; readonly value: number };
  readonly status:
    | { readonly kind: 'absent' | 'undecided' }
    | { readonly kind: 'given'; readonly value: string };
}

/** A request with what is meant by it: all that the oracle needs to judge its answer. */
export interface Probe {
  readonly request: ApiRequest;
  /**
   * `documented`: within the documented input space, so only documented statuses pass. `outside`: the document gives no status for
   * it (or the check's own expectation does), any 4xx passes. `open`: the document leaves open whether it is accepted.
   * `undescribed`: it is for no operation of the document, so nothing is said of the answer but that the server does not fail.
   */
  readonly space: 'documented' | 'outside' | 'open' | 'undescribed';
  readonly expects: readonly Expectation[];
  /** What a creation asks for, where the body is a JSON object. */
  readonly sent?: JsonObject;
  /** What a listing asks for. */
  readonly listing?: Listing;
  /** Its path names something that nobody said exists: 404 is as good an answer as any, whatever the document gives. */
  readonly guessed?: true;
  /** Sent in the wait of a 429: it may meet a ban, of which the document shows neither the answer nor the length. */
  readonly inWait?: true;
  /** What is odd about the request, for the failure's sentence: "limit=0", "categoryId: a fraction". */
  readonly label: string;
}

/** A requirement that an exchange does not meet. */
export interface Breach {
  readonly kind: 'breach';
  readonly requirement: string;
  /** Names the cause: breaches of one requirement with the same rule on the same operation are reported once. */
  readonly rule: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange;
  /** Earlier exchanges that it is held against: the creation of the animal that is missing. */
  readonly origin?: readonly Exchange[];
  /** Earlier exchanges like those, of which all is well: the creations of animals that are not missing. */
  readonly beside?: readonly Exchange[];
  /** Those of `origin`, and what was sent for the same case before, in the order of sending. */
  readonly before?: readonly Exchange[];
  /** In words, what is wrong with: the request, `GET /pets with limit=0`, or the creation of the animal that is missing. */
  readonly request?: string;
}

/** One thing that a case found out about one requirement. */
export type Finding =
  | { readonly kind: 'met'; readonly requirement: string }
  | Breach
  | { readonly kind: 'undecided'; readonly requirement: string; readonly reason: string }
  | {
      readonly kind: 'observed';
      readonly requirement: string;
      readonly subject: string;
      readonly value: string;
    };

export const isBreach = (finding: Finding): finding is Breach => finding.kind === 'breach';

/** What a case gets to work with. Everything it sends is judged by the oracle before it sees the answer. */
export interface CaseContext {
  /** A name that is ordinary, recognisable, and unlike every other of the run. */
  freshName(): string;
  readonly clock: Clock;
  /** Sends, waits its turn, and judges. Ends the case where no answer comes (the oracle has then recorded why). */
  send(probe: Probe, options?: SendOptions): Promise<Reading>;
  /** Ends the case undecided: what it needs is not there. */
  end(reason: string): never;
  readonly fixtures: Fixtures;
  met(requirement: string): void;
  breach(finding: Omit<Breach, 'kind' | 'before'>): void;
  undecided(requirement: string, reason: string): void;
  observe(requirement: string, subject: string, value: string): void;
}

/**
 * A check sends requests and records findings on requirements. It does not know its runner, its target, or the time. Its cases are
 * the systematic `examples` first, then values of the arbitrary.
 */
export interface Check<Case> {
  /** Unique among all checks: the requirement it is named for, then what it does: `LIST-3 limit is honoured`. */
  readonly name: string;
  /** Every requirement that it can give evidence on by itself (the oracle adds GEN, ERR and RATE). */
  readonly gives: readonly string[];
  readonly phase: Phase;
  readonly examples: (fixtures: Fixtures) => readonly Case[] | Promise<readonly Case[]>;
  /** Requests of one case, about; absent: 1. */
  readonly cost?: number;
  /** How many of these carry no valid key; absent: none. */
  readonly keyless?: number;
  /** The same where nothing may be created; absent: as many. */
  readonly readOnlyCost?: number;
  /** How many of the run's generated cases it takes; absent: all of them. */
  readonly share?: number;
  /** Cases are not attempted again to see whether a breach comes back: they use up what they need. */
  readonly once?: boolean;
  /** Cases look back at what the run has created: none is the same without what went before it. */
  readonly looksBack?: true;
  /** Absent: the systematic cases are all there is. */
  readonly arbitrary?: (fixtures: Fixtures) => Arbitrary<Case> | Promise<Arbitrary<Case>>;
  /**
   * Cases with less that is odd than one that fails: the first that fails as well takes its place, until none does. Generated cases are
   * made small in the way of their arbitrary before.
   */
  smaller?(value: Case, fixtures: Fixtures): Iterable<Case>;
  attempt(value: Case, context: CaseContext): Promise<void>;
}

/** A check among checks of other cases: it alone makes the cases that it is given. */
export const anyCase = <Case>({ smaller, ...check }: Check<Case>): Check<unknown> => ({
  ...check,
  ...(smaller === undefined
    ? {}
    : { smaller: (value: unknown, fixtures: Fixtures) => smaller(value as Case, fixtures) }),
  attempt: (value, context) => check.attempt(value as Case, context),
});
