import type { Setting, table } from './table.ts';

/** The settings of `run`, validated: flags over environment over file. The table says what each means. */
export type RunSettings = {
  readonly [Name in keyof typeof table]: (typeof table)[Name] extends Setting<infer Value> ? Value : never;
};
