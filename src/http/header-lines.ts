import { Buffer } from 'node:buffer';
import { type Header, type HeaderLines, headerValues, type WireResponse } from './exchange.ts';

/** Real servers send fewer lines. */
const most = 256;
/** Lines that are read by a part of their name, or after the response was judged, and lines with secrets: reports mask them everywhere. */
const readLater =
  /\n([^:\n]*(?:rate-?limit|page|pagination|total|next|more|cursor|continuation|cookie|token|secret|key)[^:\n]*|retry-after|date|link|content-[a-z]+|transfer-encoding|location|connection):(.*)/gi;

const [newline, colon] = [0x0a, 0x3a];

/** Returns `\nname:value` for each line. A loop over bytes is faster than a string for each of thousands of names. */
const textOf = (raw: readonly Buffer[]): string => {
  const bytes = Buffer.allocUnsafe(raw.reduce((sum, { length }) => sum + length + 1, 0));
  let at = 0;
  for (const [index, part] of raw.entries()) {
    bytes[at] = index % 2 === 0 ? newline : colon;
    at += 1;
    for (let from = 0; from < part.length; from += 1, at += 1) bytes[at] = part[from] ?? 0;
  }
  return bytes.toString('latin1');
};

const text = (part: Buffer | undefined): string => part?.toString('latin1') ?? '';

const linesOf = (raw: readonly Buffer[]): Header[] =>
  raw.flatMap((part, index): Header[] => (index % 2 === 0 ? [[text(part), text(raw[index + 1])]] : []));

/** Returns the header lines of a response from names and values in turn. Of thousands of lines, most are kept as one text. */
export const headerLines = (raw: readonly Buffer[]): HeaderLines => {
  const headers = linesOf(raw.slice(0, 2 * most));
  if (raw.length <= 2 * most) return { headers };
  const otherHeaders = textOf(raw.slice(2 * most)).replace(readLater, (line, name: string, value: string) => {
    if (headers.length >= 2 * most) return line;
    headers.push([name, value]);
    return '';
  });
  return { headers, headersLeftOut: raw.length / 2 - headers.length, otherHeaders };
};

/** Returns all values of a header (its name in lower case), in order. */
export const valuesOf = ({ headers, otherHeaders = '' }: WireResponse, name: string): readonly string[] => {
  const values = [...headerValues(headers, name)];
  const names = otherHeaders.toLowerCase();
  const start = `\n${name}:`;
  for (let at = names.indexOf(start); at >= 0; at = names.indexOf(start, at + 1)) {
    const end = otherHeaders.indexOf('\n', at + 1);
    values.push(otherHeaders.slice(at + start.length, end < 0 ? undefined : end));
  }
  return values;
};
