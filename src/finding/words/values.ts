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
