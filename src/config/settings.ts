import type { Setting, table } from './table.ts';

/** The validated settings of `run`. The table describes each of them. */
export type RunSettings = {
  readonly [Name in keyof typeof table]: (typeof table)[Name] extends Setting<infer Value> ? Value : never;
};
