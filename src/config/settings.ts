import type { Setting } from './setting.ts';
import type { SettingName, settingTable } from './table.ts';

/** The validated settings of `run`. The table describes each of them. */
export type RunSettings = {
  readonly [Name in SettingName]: (typeof settingTable)[Name] extends Setting<infer Value> ? Value : never;
};
