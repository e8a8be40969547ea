import type { Exchange } from '../http/exchange.ts';
import type { CutBody } from '../http/parsed-response.ts';
import type { Probe } from './probe.ts';
import type { Problem } from './problem.ts';
import { otherLimit, type Reason } from './reason.ts';

/** What a failure is about, if not simply its exchange. */
export type About =
  /** A request; `createdBy`: the creation of the animal that it asks for. */
  | { readonly kind: 'request'; readonly probe: Probe; readonly createdBy?: Exchange }
  /** A request whose words say more than its body. */
  | { readonly kind: 'probe'; readonly probe: Probe }
  /** The creation of the animal that is missing. */
  | { readonly kind: 'creation'; readonly exchange: Exchange };

/** A requirement that an exchange does not meet. */
export interface Breach {
  readonly kind: 'breach';
  readonly requirement: string;
  readonly problem: Problem;
  readonly exchange: Exchange;
  /** What was sent, as it was meant; absent: not known. */
  readonly probe?: Probe;
  readonly about?: About;
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
}

/** One thing that a case found out about one requirement. */
export type Finding =
  | { readonly kind: 'passed'; readonly requirement: string }
  | Breach
  | {
      readonly kind: 'inconclusive';
      readonly requirement: string;
      readonly reason: Reason;
    }
  | {
      readonly kind: 'observation';
      readonly requirement: string;
      readonly subject: string;
      readonly value: string;
    };

export const inconclusive = (requirement: string, reason: Reason): Finding => ({
  kind: 'inconclusive',
  requirement,
  reason,
});

export const observation = (requirement: string, subject: string, value: string): Finding => ({
  kind: 'observation',
  requirement,
  subject,
  value,
});

/** A 429 gives no evidence about the limit that the headers show. */
export const explainedByOtherLimit = (requirement: string): Finding => inconclusive(requirement, otherLimit);

/** What the part of a body that was read leaves open. */
export const undecidedByCut = (requirement: string, { at }: CutBody): Finding =>
  inconclusive(requirement, { code: 'max-body', bytes: at });

/** A breach that the exchange alone shows. */
export const breachOf = (requirement: string, problem: Problem, exchange: Exchange): Breach => ({
  kind: 'breach',
  requirement,
  problem,
  exchange,
});

export const isBreach = (finding: Finding): finding is Breach => finding.kind === 'breach';
