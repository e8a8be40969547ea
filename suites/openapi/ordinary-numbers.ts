import type { Json } from '../../src/check/index.ts';
import type { FlatSchema } from '../../src/check/schemas.ts';

/** A number of its own for each turn, if the bounds have room for it. */
export const numberAt = (flat: FlatSchema, turn: number): Json =>
  toNumber(leastOf(flat) + (turn % Math.max(1, roomOf(flat))));

const leastOf = ({ minima }: FlatSchema): number =>
  Math.ceil(Math.max(1, ...minima.map(({ value }) => Number(value) + 1)));

/** How many whole numbers are inside the bounds. */
const roomOf = (flat: FlatSchema): number =>
  flat.multiples.length > 0
    ? 0
    : Math.floor(Math.min(2 ** 31 - 2, ...flat.maxima.map(({ value }) => Number(value) - 1)) - leastOf(flat));

const leastRoom = 20;

export const hasRoom = (flat: FlatSchema): boolean => roomOf(flat) >= leastRoom;

/** Inside the bounds, and near the lower one. */
export const number = ({ minima, maxima, multiples, kinds }: FlatSchema): Json => {
  const low = Math.max(...minima.map(({ value }) => Number(value)));
  const high = Math.min(...maxima.map(({ value }) => Number(value)));
  const least = Number.isFinite(low) ? low : Number.isFinite(high) ? Math.min(1, high - 2) : 1;
  const most = Number.isFinite(high) ? high : least + 100;
  if (multiples.length > 0) return toNumber(least);
  const middle = least + (most - least) * 0.3;
  const whole = Math.floor(middle);
  const isInside = whole > least || most - least >= 1;
  if (kinds.has('fraction') && !isInside) return Math.round(middle * 100) / 100;
  return toNumber(whole > least ? whole : Math.min(whole + 1, most));
};

const toNumber = (value: number): Json => (Number.isSafeInteger(value) ? BigInt(value) : value);
