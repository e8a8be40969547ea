import { Buffer } from 'node:buffer';

/** V8 copies shorter slices anyway. */
const SHORTEST_SLICE = 13;
/** Shorter texts may stay in memory for the sake of a slice. */
const LONG_TEXT = 65_536;

/** Copies a slice of a long text, because V8 keeps the whole text in memory as long as a slice of it. */
export const ownText = (slice: string, source: string): string =>
  slice.length < SHORTEST_SLICE || source.length < LONG_TEXT ? slice : copyText(slice);

/** UTF-16 keeps lone surrogates. */
const copyText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** Shortens a text to `length`, with an ellipsis if something was cut. Surrogate pairs are not split. */
export const excerpt = (text: string, length = 120): string =>
  text.length > length ? `${ownText(text.slice(0, splitSafe(text, length)), text)}…` : text;

/** Returns `place`, or the place before it if `place` splits a surrogate pair. */
export const splitSafe = (text: string, place: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, place - 1), place + 1)) ? place - 1 : place;
