import { ownText } from '../json/excerpt.ts';
import type { Header, WireRequest, WireResponse } from './exchange.ts';
import type { Redact } from './redact.ts';

/** A request in a report: keys redacted, header lines of the same name joined by `, `. */
export interface RequestView {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ResponseView {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Why a body is not shown to its end. The notes are in the shown body, so they are here and not in the texts of the report. */
export const cutReason = (bytes: number): string => `response body cut at ${bytes} bytes (--max-body)`;
const partOf = (bytes: number): string => `${bytes} bytes in all`;
const streamNote = 'beginning of a stream';
const moreHeaders = (lines: number): Record<string, string> => ({ '…': `${lines} more header lines` });

/** Characters shown of a body. */
const SHOWN_CHARACTERS = 32_768;
/** Bytes read of a body: enough for the characters shown (up to four bytes each) and for a key that crosses their end. */
const READ_BYTES = 5 * SHOWN_CHARACTERS;

export const showRequest = ({ method, url, headers, body }: WireRequest, redact: Redact): RequestView => ({
  method,
  url: redact(url),
  headers: showHeaders(headers, redact),
  body: body === null ? null : showBody(body, redact),
});

export const showResponse = (
  { status, headers, headersLeftOut = 0, body, bodyBytes, cutAt, isStream }: WireResponse,
  redact: Redact,
): ResponseView => {
  const shown = bodyBytes === undefined ? showBody(body, redact) : showBeginning(body, bodyBytes, redact);
  const cut = cutAt === undefined ? isStream && streamNote : cutReason(cutAt);
  const lines = showHeaders(headers, redact);
  const allLines = headersLeftOut === 0 ? lines : { ...lines, ...moreHeaders(headersLeftOut) };
  return { status, headers: allLines, body: cut ? `${shown}… (${cut})` : shown };
};

/** The redactor sees name and value together, because it recognizes some credentials by their place. */
const redactLine = (name: string, value: string, redact: Redact): Header => {
  const line = `${name}: ${value}`;
  const clean = redact(line);
  if (clean === line) return [name, value];
  const cleanName = redact(name);
  return [cleanName, cleanName === name ? clean.slice(name.length + 2) : redact(value)];
};

const showHeaders = (headers: readonly Header[], redact: Redact): Record<string, string> => {
  const shown = new Map<string, [name: string, value: string]>();
  for (const [name, value] of headers) {
    const [cleanName, clean] = redactLine(name, value, redact);
    const before = shown.get(name.toLowerCase());
    shown.set(name.toLowerCase(), before ? [before[0], `${before[1]}, ${clean}`] : [cleanName, clean]);
  }
  return Object.fromEntries(shown.values());
};

const showBody = (body: string | Uint8Array, redact: Redact): string => {
  const bytes = Buffer.from(body);
  const text = redact(bytes.toString('utf8', 0, READ_BYTES));
  if (text.length <= SHOWN_CHARACTERS && bytes.length <= READ_BYTES) return text;
  return `${ownText(text.slice(0, SHOWN_CHARACTERS), text)}… (${partOf(bytes.length)})`;
};

/** Shows half of the bytes that were kept, so that a key that begins in that half is found whole. */
const showBeginning = (body: Uint8Array, bodyBytes: number, redact: Redact): string => {
  const text = redact(Buffer.from(body).toString('utf8'));
  return `${text.slice(0, text.length / 2)}… (${partOf(bodyBytes)})`;
};
