import type { Json, JsonObject } from '../json/json.ts';

export const petStatuses = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof petStatuses)[number];

export const isPetStatus = (value: Json | undefined): value is PetStatus =>
  petStatuses.some((status) => status === value);

export interface NewPet {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus | undefined;
  /** More fields, which override the ones above. For faults and dialects; empty on the conforming server. */
  readonly extra: JsonObject;
}

export interface Pet extends NewPet {
  readonly id: bigint;
}

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** Tells whether a value is an integer that fits in 64 bits with its sign. */
export const isInt64 = (value: Json | undefined): value is bigint =>
  typeof value === 'bigint' && value >= int64.min && value <= int64.max;
