import type { Breach as BreachFinding } from '../finding/finding.ts';
import type { Probe } from '../finding/probe.ts';
import type { Problem } from '../finding/problem.ts';
import type { LossCode, Reason } from '../finding/reason.ts';
import type { SendOptions as HttpSendOptions } from '../http/client-types.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { RunContext } from './run-context.ts';

/** A response, read once. */
export type ApiResponse = ParsedResponse;

/**
 * How a request is sent. `expects429`: a 429 may come, so it waits only for the end of an earlier 429, and is not sent again.
 * `connectionId`: only requests with this id share the connection.
 */
export type SendOptions = Pick<HttpSendOptions, 'expects429' | 'connectionId'>;

interface BreachEvidence extends Pick<BreachFinding, 'mustRecur' | 'origin' | 'beside' | 'about'> {
  /** The response that shows it, as `send` returned it. */
  readonly response: Pick<BreachFinding, 'exchange'>;
  /** Default: the check's requirement. */
  readonly requirement?: string;
}

/** A failure as facts; `src/report/text/` has its sentences. */
export interface TypedBreach extends BreachEvidence {
  readonly problem: Problem;
}

/** A failure in words. */
export interface DescribedBreach extends BreachEvidence {
  /** One sentence: `GET /pets with limit=5: expected animals sorted by id, got id 3 after id 7`. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** A permanent code in kebab case for what is wrong; failures of another code are listed apart. Default: `not-met`. */
  readonly rule?: string;
}

/** A failure that a check found. */
export type Breach = TypedBreach | DescribedBreach;

/** What a case works with. Each response is tested against the interface document before the case gets it. */
export interface CheckContext {
  readonly run: RunContext;
  /** Returns a name for an animal that no other animal of the run has. */
  uniqueName(): string;
  /** Sends a request within the rate limit. The case ends if no response comes, or if a limit of the run is reached. */
  send(request: Probe, options?: SendOptions): Promise<ApiResponse>;
  /** Returns the time by the clock of the run, in milliseconds. */
  now(): number;
  /** Waits. The end of the run ends the wait. */
  sleep(ms: number): Promise<void>;
  /** Returns the value that all cases of the run share under this key. `init` makes it on first use. */
  state<Value>(key: string, init: () => Value): Value;
  /** Records evidence that the requirement holds. Without evidence, a requirement is never reported as passed. */
  passed(requirement?: string): void;
  /** Records a failure. The case is then made smaller, and sent again to confirm it. */
  breach(breach: Breach): void;
  /** Records that the case gave no clear result, and why. */
  inconclusive(reason: Reason | string, requirement?: string): void;
  /** Records behavior that no requirement specifies: `observe('order', 'by id')`. */
  observe(subject: string, value: string, requirement?: string): void;
  /** Ends the case as inconclusive, because something that it needs is missing. */
  skipCase(reason: Reason | string): never;
  /** Counts the case as lost to a limit of the run: a necessary request could not be sent. */
  lose(code: LossCode): void;
}

/** Returns the finding of a breach: on the check's own requirement, unless the breach names another. */
export const breachFinding = ({ response, ...breach }: Breach, ownRequirement: string): BreachFinding => {
  const { exchange } = response;
  const { requirement = ownRequirement } = breach;
  if ('problem' in breach) return { kind: 'breach', side: 'server', ...breach, requirement, exchange };
  const { rule: code = 'not-met', message, expected, actual, ...evidence } = breach;
  const problem: Problem = { rule: 'own-check', code, message, expected, actual };
  return { kind: 'breach', side: 'server', ...evidence, requirement, problem, exchange };
};

/** Returns the reason; a sentence is wrapped in one. */
export const reasonOf = (reason: Reason | string): Reason =>
  typeof reason === 'string' ? { code: 'precondition', detail: 'own', text: reason } : reason;
