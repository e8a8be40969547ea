import type { Answered } from '../client/exchange.ts';
import { httpDate } from '../client/http-date.ts';
import { decodeBody } from '../json/decode.ts';
import type { Json } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';

/** A body as it was read: nothing, something that is not JSON, or a value. */
export type ReadBody =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'unreadable';
      readonly text: string;
      readonly why: string;
      /** Index of the offending UTF-16 code unit; null: it is not known. */
      readonly at: number | null;
    }
  | {
      readonly kind: 'json';
      readonly text: string;
      readonly value: Json;
      readonly duplicates: readonly string[];
    };

/** A response, read once: what the rules and the checks look at. */
export interface Reading {
  readonly exchange: Answered;
  readonly status: number;
  /** All values of a header, in the order of their lines; the name in lower case. */
  header(name: string): readonly string[];
  /** Lower case, without parameters; null without a `Content-Type`. */
  readonly mediaType: string | null;
  readonly body: ReadBody;
}

const none: readonly string[] = [];

/** Reads the response of an answered exchange. */
export const readAnswer = (exchange: Answered): Reading => {
  const { response } = exchange;
  const headers = new Map<string, string[]>();
  for (const [name, value] of response.headers) {
    const key = name.toLowerCase();
    const values = headers.get(key);
    if (values === undefined) headers.set(key, [value.trim()]);
    else values.push(value.trim());
  }
  const header = (name: string): readonly string[] => headers.get(name) ?? none;
  const contentType = header('content-type').join(', ');
  return {
    exchange,
    status: response.status,
    header,
    mediaType: contentType === '' ? null : (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    body: readBody(response.body),
  };
};

const readBody = (bytes: Uint8Array): ReadBody => {
  if (bytes.length === 0) return { kind: 'empty' };
  const { text, problems } = decodeBody(bytes);
  const [problem] = problems;
  if (problem !== undefined)
    return { kind: 'unreadable', text, why: `it holds ${article(problem)}`, at: null };
  const parsed = parseJson(text);
  return parsed.ok
    ? { kind: 'json', text, value: parsed.value, duplicates: parsed.duplicates }
    : { kind: 'unreadable', text, why: parsed.message, at: parsed.position ?? null };
};

const article = (problem: 'invalid UTF-8' | 'byte order mark'): string =>
  problem === 'byte order mark' ? 'a byte order mark' : problem;

/** The JSON value of a reading, or undefined where there is none. */
export const jsonOf = (reading: Reading): Json | undefined =>
  reading.body.kind === 'json' ? reading.body.value : undefined;

/** The server's own clock at the time of the answer, in milliseconds; null without a readable `Date`. */
export const serverTime = (reading: Reading): number | null => httpDate(reading.header('date')[0] ?? '');
