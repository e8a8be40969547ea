import type { Phase } from '../check/check.ts';
import type { Finding } from '../finding/finding.ts';
import type { QueueOptions, RequestQueue } from '../http/client-types.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Pacing } from '../http/pacing-types.ts';
import type { CreationAllowance } from './creation-allowance.ts';
import type { OtherWorkers } from './evidence.ts';

/** What the other workers need from a worker. */
export interface OwnPart {
  /** Waits until nothing of this worker is in flight. Returns the function that lets it go on. */
  stop(): Promise<() => void>;
  /** How many animals of this worker the store has. */
  stored(): number;
  /** Other workers sent requests with the API key at these times. */
  sentByOthers(startedAt: readonly number[]): void;
}

/** What the workers of one run share. Absent, if one process runs it. */
export interface SharedRun {
  readonly createQueue: (options: QueueOptions) => RequestQueue;
  /** For questions only: `createQueue` paces the requests. */
  readonly pacing: Pacing;
  readonly creations: CreationAllowance;
  /** How many requests all workers may have in flight. */
  readonly concurrency: number;
  readonly causes: OtherWorkers;
  join(part: OwnPart): void;
  /** What the rules on limits of keys found. They see the requests of all workers. */
  findingsOn(exchange: Exchange): readonly Finding[];
  /** How many animals of other workers the store has. */
  storedByOthers(): number;
  /** Waits until a phase may begin: after the phases before it, and alone if nothing else may be in flight. */
  enter(phase: Phase): Promise<void>;
  /** Waits until nothing of other workers is in flight. Returns the function that lets them go on. */
  stopOthers(): Promise<() => void>;
}
