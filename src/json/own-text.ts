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
