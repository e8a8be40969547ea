import type { Exchange } from '../../http/exchange.ts';
import type { About } from '../../oracle/finding.ts';
import type { Probe } from '../../oracle/probe.ts';
import type { Problem } from '../../oracle/problem.ts';
import type { ProblemText } from './words.ts';

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

/** The sentences of each rule. */
export type Texts<P extends Problem> = {
  readonly [R in P['rule']]: (problem: Extract<P, { rule: R }>, seen: Seen) => ProblemText;
};

/** What is wrong with a response: `wrong` completes the message. */
export const ofResponse = (
  { response }: Seen,
  wrong: string,
  expected: string,
  actual: string,
): ProblemText => ({ message: `${response}: ${wrong}`, expected, actual });
