import type { Exchange } from '../http/exchange.ts';
import type { CutBody } from '../http/parsed-response.ts';
import type { DomainEvidence } from './domain-evidence.ts';
import type { About, Probe } from './probe.ts';
import { causeOf, type Problem } from './problem.ts';
import { otherLimit, type Reason } from './reason.ts';

/** A response to a request of this run, or that there is none. */
interface ExchangeEvidence {
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

/** What shows a breach, by the side of the document that is tested. Each side adds its own evidence. */
interface EvidenceBySide {
  readonly server: ExchangeEvidence;
  readonly domain: DomainEvidence;
}

/** A side of the document that can be tested. */
export type Side = keyof EvidenceBySide;

/** A requirement that is broken, with what shows it. */
export type Breach<S extends Side = 'server'> = {
  readonly [Each in S]: {
    readonly kind: 'breach';
    readonly side: Each;
    readonly requirement: string;
    readonly problem: Problem;
  } & EvidenceBySide[Each];
}[S];

/** A result of a case for one requirement. */
export type Finding<S extends Side = 'server'> =
  | { readonly kind: 'passed'; readonly requirement: string }
  | Breach<S>
  | {
      readonly kind: 'inconclusive';
      readonly requirement: string;
      readonly reason: Reason;
      /** What fails unless waiting helps. Absent: nothing is known to be wrong. */
      readonly problem?: Breach<S>['problem'];
    }
  | {
      readonly kind: 'observation';
      readonly requirement: string;
      readonly subject: string;
      readonly value: string;
    };

export const inconclusive = (requirement: string, reason: Reason): Finding<never> => ({
  kind: 'inconclusive',
  requirement,
  reason,
});

export const observation = (requirement: string, subject: string, value: string): Finding<never> => ({
  kind: 'observation',
  requirement,
  subject,
  value,
});

/** The 429 may come from another limit than the headers show. */
export const explainedByOtherLimit = (requirement: string): Finding<never> =>
  inconclusive(requirement, otherLimit);

/** The part of the body that was read is not enough to decide. */
export const undecidedByCut = (requirement: string, { at }: CutBody): Finding<never> =>
  inconclusive(requirement, { code: 'max-body', bytes: at });

/** A breach without further evidence than the exchange. */
export const breachOf = (requirement: string, problem: Problem, exchange: Exchange): Breach => ({
  kind: 'breach',
  side: 'server',
  requirement,
  problem,
  exchange,
});

export const isBreach = (finding: Finding): finding is Breach => finding.kind === 'breach';

/** What a breach is about: failures of different subjects are different failures. */
const subjects: { readonly [S in Side]: (breach: Breach<S>) => string } = {
  server: ({ exchange }) => exchange.request.operation,
  domain: ({ domain }) => domain ?? '',
};

const subjectOf = <S extends Side>(side: S, breach: Breach<S>): string => subjects[side](breach);

/** Returns a key without the status, because the same bug may have another status when a case is repeated. */
export const problemKey = (breach: Breach<Side>): string => {
  const { rule, variant = '' } = causeOf(breach.problem);
  return `${breach.requirement} | ${rule} | ${variant} | ${subjectOf(breach.side, breach)}`;
};

/** Breaches with the same key have the same cause. */
export const causeKey = (breach: Breach<Side>): string =>
  `${problemKey(breach)} | ${causeOf(breach.problem).wrongStatus ?? ''}`;
