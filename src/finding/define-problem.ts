import type { Exchange } from '../http/exchange.ts';
import type { About, Probe } from './probe.ts';

/** What is shown of a problem. */
export interface ProblemText {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** The exchange that shows a problem. */
export interface Seen {
  readonly exchange: Exchange;
  readonly probe: Probe | undefined;
  readonly about: About | undefined;
  /** The request in words. */
  readonly request: string;
  /** The response in words: `401 POST /pets without a key`. */
  readonly response: string;
}

/** Writes a status in what distinguishes causes. */
type StatusText = (status: number | '4xx') => string;

/** A kind of problem: everything that is known about it, in one place. */
export interface ProblemKind<Facts extends object> {
  /** Facts of one such problem. */
  readonly example: Readonly<Facts>;
  /** The message contains what is expected and what came instead. */
  readonly saysBothSides?: true;
  /** The sentences. Only reports ask for them. */
  readonly text: (facts: Facts, seen: Seen) => ProblemText;
  /** Distinguishes causes of this kind. Reports of different versions are compared by it, so it stays as it is. */
  readonly variant?: (facts: Facts, statusText: StatusText) => string | undefined;
  /** Names of the wrong header fields. */
  readonly headers?: (facts: Facts) => readonly string[];
  /** Names of the wrong JSON members. */
  readonly members?: (facts: Facts) => readonly string[];
}

/** Returns the kind: the call checks it against its facts. Its key in the group is its permanent code, in kebab case. */
export const defineProblem = <Facts extends object>(kind: ProblemKind<Facts>): ProblemKind<Facts> => kind;

/** A wrong status. Each wrong status is a separate cause. */
export interface WrongStatus {
  readonly wrongStatus: number;
}

/** What is wrong with a response: `wrong` completes the message. */
export const ofResponse = (
  { response }: Seen,
  wrong: string,
  expected: string,
  actual: string,
): ProblemText => ({ message: `${response}: ${wrong}`, expected, actual });
