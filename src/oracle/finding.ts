import type { Exchange } from '../client/exchange.ts';
import type { Reason } from './reason.ts';

/** A requirement that an exchange does not meet. */
export interface Breach {
  readonly kind: 'breach';
  readonly requirement: string;
  /** What is wrong, as a permanent code in kebab case, without values: `header-missing`. */
  readonly rule: string;
  /** What tells causes of one rule apart: `X-RateLimit-Limit on 429`. Absent: nothing but the operation and `wrongStatus`. */
  readonly variant?: string;
  /** The status of the response, if it is what is wrong: another wrong status is another cause. */
  readonly wrongStatus?: number;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchange: Exchange;
  /**
   * It counts only if it comes back each time its case is sent again: once, it may be a change that the document allows.
   * `if statuses return`: only if some animal of the run got a status again that it had before.
   */
  readonly mustRecur?: 'always' | 'if statuses return';
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
  | {
      readonly kind: 'undecided';
      readonly requirement: string;
      readonly reason: Reason;
    }
  | {
      readonly kind: 'observed';
      readonly requirement: string;
      readonly subject: string;
      readonly value: string;
    };

export const isBreach = (finding: Finding): finding is Breach => finding.kind === 'breach';
