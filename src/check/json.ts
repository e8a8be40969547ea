/** JSON values, read and written with every digit. */

export { sameJson } from '../json/equal.ts';
export { excerpt } from '../json/excerpt.ts';
export { parseJson } from '../json/parse.ts';
export { stringifyJson } from '../json/stringify.ts';
