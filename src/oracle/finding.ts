import type { Exchange } from '../http/exchange.ts';
import type { CutBody } from '../http/parsed-response.ts';
import type { Probe } from './probe.ts';
import type { Problem } from './problem.ts';
import { otherLimit, type Reason } from './reason.ts';

/** The subject of a failure, if it is not just its exchange. */
export type About =
  /** A request. `createdBy`: the creation of the animal that it requests. */
  | { readonly kind: 'request'; readonly probe: Probe; readonly createdBy?: Exchange }
  /** A request whose label says more than its body. */
  | { readonly kind: 'probe'; readonly probe: Probe }
  /** The creation of the animal that is missing. */
  | { readonly kind: 'creation'; readonly exchange: Exchange };

/** An exchange that contradicts a requirement. */
export interface Breach {
  readonly kind: 'breach';
  readonly requirement: string;
  readonly problem: Problem;
  readonly exchange: Exchange;
  /** Absent: not known. */
  readonly probe?: Probe;
  readonly about?: About;
  /**
   * Counts only if each repetition of the case fails too, because a single one may be a change that the document allows.
   * `if statuses return`: only if an animal of the run returned to an earlier status.
   */
  readonly mustRecur?: 'always' | 'if statuses return';
  /** Earlier exchanges that it is compared with, for example the creation of a missing animal. */
  readonly origin?: readonly Exchange[];
  /** Passing counterparts of `origin`, for example the creations of animals that are not missing. */
  readonly beside?: readonly Exchange[];
  /** `origin` and earlier exchanges of the same case, in the order of sending. */
  readonly before?: readonly Exchange[];
}

/** A result of a case for one requirement. */
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

/** The 429 may come from another limit than the headers show. */
export const explainedByOtherLimit = (requirement: string): Finding => inconclusive(requirement, otherLimit);

/** The part of the body that was read is not enough to decide. */
export const undecidedByCut = (requirement: string, { at }: CutBody): Finding =>
  inconclusive(requirement, { code: 'max-body', bytes: at });

/** A breach without further evidence than the exchange. */
export const breachOf = (requirement: string, problem: Problem, exchange: Exchange): Breach => ({
  kind: 'breach',
  requirement,
  problem,
  exchange,
});

export const isBreach = (finding: Finding): finding is Breach => finding.kind === 'breach';
