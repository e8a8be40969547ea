import type { Json, JsonObject } from '../json/json.ts';
import type { Probe } from './probe.ts';

/** An integer so near to the bounds of int64 that it may stand beyond them once it is rounded, to a double or to fewer digits. */
export const overflowsWhenRounded = (value: Json | undefined): boolean =>
  typeof value === 'bigint' && Math.abs(Math.abs(Number(value)) / 2 ** 63 - 1) < 1e-6;

/** The category came back through a double, and is no int64 any more: one mistake, which CREATE-9 tells. */
export const isRounded = ({ sent }: Probe, pet: JsonObject): boolean =>
  overflowsWhenRounded(sent?.categoryId) &&
  overflowsWhenRounded(pet.categoryId) &&
  sent?.categoryId !== pet.categoryId;
