import { ownText } from '../json/excerpt.ts';
import { cutReason, type Header, type WireRequest, type WireResponse } from './exchange.ts';
import type { Redact } from './redact.ts';

/** A request as reports show it: keys redacted, headers by name, lines of one name joined by `, `. */
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

/** Characters of a body that are shown. */
const SHOWN_CHARACTERS = 32_768;
/**
 * Bytes of a body that are read to show it: enough for the characters shown, of four bytes at most, and for a key that
 * begins within them and ends behind them.
 */
const READ_BYTES = 5 * SHOWN_CHARACTERS;

/** A request as reports show it. */
export const showRequest = ({ method, url, headers, body }: WireRequest, redact: Redact): RequestView => ({
  method,
  url: redact(url),
  headers: showHeaders(headers, redact),
  body: body === null ? null : showBody(body, redact),
});

/** A response as reports show it. */
export const showResponse = (
  { status, headers, body, bodyBytes, cutAt, isStream }: WireResponse,
  redact: Redact,
): ResponseView => {
  const shown = bodyBytes === undefined ? showBody(body, redact) : showBeginning(body, bodyBytes, redact);
  const cut = cutAt === undefined ? isStream && 'beginning of a stream' : cutReason(cutAt);
  return {
    status,
    headers: showHeaders(headers, redact),
    body: cut ? `${shown}… (${cut})` : shown,
  };
};

const showHeaders = (headers: readonly Header[], redact: Redact): Record<string, string> => {
  const shown = new Map<string, [name: string, value: string]>();
  for (const [name, value] of headers) {
    const cleanName = redact(name);
    // With the name before it, so that a credential is known for one by its place.
    const clean = cleanName === name ? redact(`${name}: ${value}`).slice(name.length + 2) : redact(value);
    const before = shown.get(name.toLowerCase());
    shown.set(name.toLowerCase(), before ? [before[0], `${before[1]}, ${clean}`] : [cleanName, clean]);
  }
  return Object.fromEntries(shown.values());
};

const showBody = (body: string | Uint8Array, redact: Redact): string => {
  const bytes = Buffer.from(body);
  const text = redact(bytes.toString('utf8', 0, READ_BYTES));
  if (text.length <= SHOWN_CHARACTERS && bytes.length <= READ_BYTES) return text;
  return `${ownText(text.slice(0, SHOWN_CHARACTERS), text)}… (${bytes.length} bytes in all)`;
};

/** Only half of what is kept is shown, so that a key that begins in it is found as a whole. */
const showBeginning = (body: Uint8Array, bodyBytes: number, redact: Redact): string => {
  const text = redact(Buffer.from(body).toString('utf8'));
  return `${text.slice(0, text.length / 2)}… (${bodyBytes} bytes in all)`;
};
