import type { Phase } from '../check/check.ts';
import { type Breach, causeKey, type Finding } from '../finding/finding.ts';
import type { QueueOptions, RequestQueue } from '../http/client-types.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Pacing } from '../http/pacing-types.ts';
import type { AcceptedNews } from '../oracle/wrongly-accepted.ts';
import type { CreationAllowance } from './creation-allowance.ts';
import { type EvidenceLog, isFlaky } from './evidence.ts';

/** What one worker tells the others. */
export type News = AcceptedNews | { readonly kind: 'confirmed'; readonly cause: string };

/** Causes that another worker has confirmed need no confirmation here. */
export interface ConfirmedCauses {
  haveConfirmed(cause: string): boolean;
  /** Tells them that a cause is confirmed. */
  confirmed(cause: string): void;
}

/** What the other workers need from a worker. */
export interface OwnPart {
  /** Waits until nothing of this worker is in flight. Returns the function that lets it go on. */
  stop(): Promise<() => void>;
  /** How many animals of this worker the store has. */
  stored(): number;
  /** Other workers sent requests with the API key at these times. */
  sentByOthers(startedAt: readonly number[]): void;
  /** Another worker tells about animals that the server should have refused. */
  hear(news: AcceptedNews): void;
}

/** What the workers of one run share. Absent, if one process runs it. */
export interface SharedRun {
  readonly createQueue: (options: QueueOptions) => RequestQueue;
  /** Whether requests of all workers are sent one at a time. */
  sendsAlone(): boolean;
  /** For questions only: `createQueue` paces the requests. */
  readonly pacing: Pacing;
  readonly creations: CreationAllowance;
  /** How many requests all workers may have in flight. */
  readonly concurrency: number;
  readonly causes: ConfirmedCauses;
  join(part: OwnPart): void;
  /** Tells the other workers, before any of their later responses is judged. */
  tell(news: News): void;
  /** What the rules on limits of keys found. They see the requests of all workers. */
  findingsOn(exchange: Exchange): readonly Finding[];
  /** How many animals of other workers the store has. */
  storedByOthers(): number;
  /** Waits until a phase may begin: after the phases before it, and alone if nothing else may be in flight. */
  enter(phase: Phase): Promise<void>;
  /** Waits until nothing of other workers is in flight. Returns the function that lets them go on. */
  stopOthers(): Promise<() => void>;
}

/** The evidence of a worker, which need not confirm what another one has confirmed. */
export interface SharedEvidence extends EvidenceLog {
  /** Another worker has sent a case of the cause again, and it failed each time. */
  isConfirmedElsewhere?(breach: Breach): boolean;
}

/** Adds to the evidence what other workers confirm; undefined: there are none. */
export const withOthers = (log: EvidenceLog, causes: ConfirmedCauses | undefined): SharedEvidence => {
  if (causes === undefined) return log;
  const isConfirmedElsewhere = (breach: Breach) => causes.haveConfirmed(causeKey(breach));
  return {
    ...log,
    isConfirmedElsewhere,
    isKnown: (breach) => log.isKnown(breach) || isConfirmedElsewhere(breach),
    recordFailure: (failure) => {
      log.recordFailure(failure);
      if (failure.tries > 1 && !isFlaky(failure)) causes.confirmed(causeKey(failure.breach));
    },
    get causes() {
      return log.causes;
    },
  };
};
