import { ownText } from './own-text.ts';

/** The beginning of a text, with an ellipsis if it goes on. Surrogate pairs are not split. */
export const excerpt = (text: string, length = 120): string =>
  text.length > length ? `${ownText(text.slice(0, wholeBefore(text, length)), text)}…` : text;

/** The place itself, or the one before it if it splits a surrogate pair. */
export const wholeBefore = (text: string, place: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, place - 1), place + 1)) ? place - 1 : place;
