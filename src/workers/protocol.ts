import type { Phase } from '../check/check.ts';
import type { LoadedFiles } from '../config/load.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Breach, Finding } from '../finding/finding.ts';
import type { NotSent } from '../http/client-types.ts';
import type { Exchange, KeySlot, WireResponse } from '../http/exchange.ts';
import type { PacedRequest } from '../http/pacing-types.ts';

import type { Shard } from '../report/merge.ts';
import type { CreationPermit, Stage } from '../run/creation-allowance.ts';
import type { RunEvent } from '../run/run-deps.ts';
import type { News } from '../run/shared-run.ts';

/** What a worker runs: its part of the cases. */
export interface Job extends LoadedFiles {
  readonly settings: RunSettings & { readonly seed: number };
  /** The reference server that the workers test; null: they test the server of the settings. */
  readonly reference: { readonly baseUrl: string; readonly key: string } | null;
  readonly command: string;
  /** How many requests all workers may have in flight. */
  readonly concurrency: number;
}

/** The result of a worker. */
export type Part = Shard;

/** What pacing and the rules on limits of keys need of an exchange. */
export interface SeenExchange extends Pick<Exchange, 'startedAt' | 'durationMs'> {
  readonly method: string;
  readonly query: string;
  readonly response: Pick<WireResponse, 'status' | 'headers'>;
}

/** A finding about an exchange that the other process knows. */
export type FindingThere = Exclude<Finding, Breach> | Omit<Breach, 'exchange'>;

/** What all workers know at a time. */
export interface Common {
  /** The number of the latest request. */
  readonly latest: number;
  readonly isShared: Readonly<Record<KeySlot, boolean>>;
  readonly countsUp: boolean;
  /** Requests of several workers, or of one, timed out together, so that one is sent at a time. */
  readonly sendsAlone: boolean;
  /** How many animals of other workers the store has. */
  readonly stored: number;
  /** How many animals may still be created by requests that are meant to. */
  readonly creationsLeft: number;
  /** When other workers sent requests with the API key, since this was last said. */
  readonly sentByOthers: readonly number[];
  /** What other workers have told since this was last said. */
  readonly news: readonly News[];
}

export type Permit =
  | { readonly kind: 'go'; readonly number: number }
  | { readonly kind: 'refused'; readonly reason: NotSent };

export type Reserved =
  | Extract<CreationPermit, { granted: false }>
  | { readonly granted: true; readonly number: number };

/** What a worker may call in the process that started it. */
export interface HubCalls {
  readonly [name: string]: (...args: never[]) => unknown;
  next(paced: PacedRequest, isRetry: boolean): Promise<Permit>;
  /** `seen` null: no response came, or the request was not sent. */
  ended(
    number: number,
    seen: SeenExchange | null,
    timedOut: boolean,
  ): Common & { readonly findings: readonly FindingThere[] };
  reserve(refusedUnder: string | null, stage: Stage | undefined, kind: string | undefined): Promise<Reserved>;
  /** `stored`: how many animals of this worker the store has. */
  release(number: number, created: boolean | null, stored: number): void;
  tell(news: News): void;
  enter(phase: Phase): Promise<Common>;
  stopOthers(): Promise<Common>;
  letOthersGoOn(): void;
  watch(event: RunEvent): void;
}

/** What the process that started a worker may call in it. */
export interface WorkerCalls {
  readonly [name: string]: (...args: never[]) => unknown;
  begin(job: Job): Promise<Part>;
  interrupt(): void;
  stop(): Promise<void>;
  goOn(): void;
}
