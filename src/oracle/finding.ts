import type { Exchange } from '../client/exchange.ts';
import type { ReasonCode } from './reason.ts';

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
  /** It counts only if it comes back each time its case is sent again: once, it may be a change that the document allows. */
  readonly mustRecur?: true;
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
      readonly reason: string;
      readonly reasonCode: ReasonCode;
    }
  | {
      readonly kind: 'observed';
      readonly requirement: string;
      readonly subject: string;
      readonly value: string;
    };

export const isBreach = (finding: Finding): finding is Breach => finding.kind === 'breach';
