import { Buffer } from 'node:buffer';

/** Shorter slices are copies by themselves. */
const SHORTEST_SLICE = 13;
/** A slice of a shorter text may keep it in memory. */
const LONG_TEXT = 65_536;

/** A slice as text of its own: a slice of a string keeps the whole string in memory. */
export const ownText = (slice: string, source: string): string =>
  slice.length < SHORTEST_SLICE || source.length < LONG_TEXT ? slice : copied(slice);

/** A copy; lone surrogates are kept. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** The beginning of a text, with an ellipsis if it goes on. Surrogate pairs are not split. */
export const excerpt = (text: string, length = 120): string =>
  text.length > length ? `${ownText(text.slice(0, splitSafe(text, length)), text)}…` : text;

/** The place itself, or the one before it if it splits a surrogate pair. */
export const splitSafe = (text: string, place: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, place - 1), place + 1)) ? place - 1 : place;
