import type { Exchange } from '../http/exchange.ts';
import type { CutBody } from '../http/parsed-response.ts';
import type { About, Probe } from './probe.ts';
import { causeOf, type Problem } from './problem.ts';
import { otherLimit, type Reason } from './reason.ts';

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

/** Returns a key without the status, because the same bug may have another status when a case is repeated. */
export const problemKey = ({ requirement, problem, exchange }: Breach): string => {
  const { rule, variant = '' } = causeOf(problem);
  return `${requirement} | ${rule} | ${variant} | ${exchange.request.operation}`;
};

/** Breaches with the same key have the same cause. */
export const causeKey = (breach: Breach): string =>
  `${problemKey(breach)} | ${causeOf(breach.problem).wrongStatus ?? ''}`;
