import { excerpt } from '../../json/excerpt.ts';
import type { Json } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';

/** A number of animals: `1 animal`. */
export const animals = (count: number): string => (count === 1 ? '1 animal' : `${count} animals`);

/** A value as JSON, or `absent`. */
export const jsonOrAbsent = (value: Json | undefined): string =>
  value === undefined ? 'absent' : stringifyJson(value);

/** The beginning of a value as JSON, or `absent`. */
export const shownJson = (value: Json | undefined): string => excerpt(jsonOrAbsent(value), 200);

/** Milliseconds in words: `40 ms`, `1.95 s`. */
export const lengthOf = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2)} s`);

/** The waits of each series in seconds: `0.10, 0.20, 0.40 s; 0.11, 0.21 s`. */
export const waitsText = (series: readonly (readonly number[])[]): string =>
  series
    .map((waits) =>
      waits.length === 0 ? 'none' : `${waits.map((ms) => (ms / 1000).toFixed(2)).join(', ')} s`,
    )
    .join('; ');
