import type { Plan } from '../openapi/plans.ts';

/** The settings of `run`, validated: flags over environment over file. */
export interface RunSettings {
  /** Without a trailing slash; null: the built-in reference server. */
  readonly baseUrl: string | null;
  /** The built-in reference server was asked for by name. */
  readonly reference: boolean;
  readonly apiKey: string | null;
  readonly rateLimitKey: string | null;
  readonly exhaustDaily: boolean;
  readonly allowBan: boolean;
  readonly plan: Plan | null;
  readonly rateLimitPlan: Plan | null;
  readonly sharedKey: boolean;
  /** int64 each, with their digits. */
  readonly categoryIds: readonly bigint[];
  readonly readOnly: boolean;
  readonly maxCreates: number;
  /** Seconds. */
  readonly maxWait: number;
  /** Requests; null: unlimited. */
  readonly budget: number | null;
  readonly runs: number;
  /** A signed 32-bit integer; null: random. */
  readonly seed: number | null;
  /** Requirement ids or groups, as written: in any case. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** fast-check's path of one generated case. */
  readonly path: string | null;
  /** Another OpenAPI document; null: the animal store's own. */
  readonly spec: string | null;
  /** Milliseconds. */
  readonly timeout: number;
  /** Bytes; null: 1 MiB, and more if the run created long animals. */
  readonly maxBody: number | null;
  readonly concurrency: number;
  /** null: on for loopback targets, off for others. */
  readonly risky: boolean | null;
  /** Overrides today for GET-4 and GET-5, in milliseconds since the Unix epoch. */
  readonly now: number | null;
  readonly strict: boolean;
  readonly knownFailures: string | null;
  readonly shard: { readonly index: number; readonly of: number };
  readonly reportDir: string;
  /** Seconds; null: a few if `CI` is set, otherwise none. */
  readonly waitForTarget: number | null;
  readonly verbose: boolean;
  readonly allowAnyPath: boolean;
  /** Modules of own checks, as written. */
  readonly checks: readonly string[];
}
