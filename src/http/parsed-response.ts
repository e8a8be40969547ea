import type { JsonProblem } from '../json/cursor.ts';
import { decodeBody, type EncodingProblem } from '../json/decode.ts';
import type { Json } from '../json/json.ts';
import { parseBeginning, parseJson } from '../json/parse.ts';
import { memoizedByValue } from '../util/memoize.ts';
import { undecodedCoding } from './content-coding.ts';
import { keptPart, type RespondedExchange, type WireResponse } from './exchange.ts';
import { valuesOf } from './header-lines.ts';
import { httpDate } from './http-date.ts';

/** A parsed body: empty, not JSON, the beginning of a JSON text, or a JSON value. */
export type ParsedBody =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'unreadable';
      readonly text: string;
      readonly why: UnreadableReason;
      /** Index of the offending UTF-16 code unit, or null if it is unknown. */
      readonly at: number | null;
    }
  | {
      /** Valid so far; the rest was not read. */
      readonly kind: 'cut';
      /** Bytes. */
      readonly at: number;
      /** The complete items of an array, or an example value of another type. Undefined: the text has no value. */
      readonly part: Json | undefined;
    }
  | {
      readonly kind: 'json';
      readonly text: string;
      readonly value: Json;
      readonly duplicates: readonly string[];
    };

/** Why a body is not a JSON text. */
export type UnreadableReason =
  | JsonProblem
  | { readonly code: 'encoding'; readonly encoding: EncodingProblem }
  /** A Content-Encoding that is not decoded. */
  | { readonly code: 'coding'; readonly coding: string };

export type CutBody = Extract<ParsedBody, { kind: 'cut' }>;

/** A parsed response, for rules and checks. */
export interface ParsedResponse {
  /** Only the beginning of a long body is kept. */
  readonly exchange: RespondedExchange;
  readonly status: number;
  /** Returns all values of a header, in order. The case of the name does not matter. */
  header(name: string): readonly string[];
  /** In lower case, without parameters; null: no `Content-Type`. */
  readonly mediaType: string | null;
  readonly body: ParsedBody;
  /** The value of the body, or undefined if it is not JSON. */
  readonly json: Json | undefined;
}

export const parseResponse = (exchange: RespondedExchange): ParsedResponse => {
  const { response } = exchange;
  const header = memoizedByValue((name: string) =>
    valuesOf(response, name.toLowerCase()).map((value) => value.trim()),
  );
  const contentType = header('content-type').join(', ');
  const kept = keptPart(response);
  const body = readBody(response);
  return {
    exchange: kept === response ? exchange : { ...exchange, response: kept },
    status: response.status,
    header,
    mediaType: contentType === '' ? null : (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    body,
    json: body.kind === 'json' ? body.value : undefined,
  };
};

/** More of a coding's name would fill a report. */
const MAX_NAME = 40;

const unreadable = (
  { headers }: WireResponse,
  text: string,
  why: UnreadableReason,
  at: number | null = null,
): ParsedBody => {
  const coding = undecodedCoding(headers);
  if (coding === null) return { kind: 'unreadable', text, why, at };
  return { kind: 'unreadable', text, why: { code: 'coding', coding: coding.slice(0, MAX_NAME) }, at: null };
};

const readBody = (response: WireResponse): ParsedBody => {
  const { body: bytes, cutAt } = response;
  if (bytes.length === 0 && cutAt === undefined) return { kind: 'empty' };
  const { text, problems } = decodeBody(cutAt === undefined ? bytes : wholeCharacters(bytes));
  const [encoding] = problems;
  if (encoding !== undefined) return unreadable(response, text, { code: 'encoding', encoding });
  if (cutAt !== undefined) {
    const begun = parseBeginning(text);
    if (begun.ok) return { kind: 'cut', at: cutAt, part: begun.part };
    return unreadable(response, text, begun.problem, begun.position);
  }
  const parsed = parseJson(text);
  return parsed.ok
    ? { kind: 'json', text, value: parsed.value, duplicates: parsed.duplicates }
    : unreadable(response, text, parsed.problem, parsed.position);
};

/** Drops the last character, because the cut may have left only a part of it. */
const wholeCharacters = (bytes: Uint8Array): Uint8Array => {
  const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
  let end = bytes.length - 1;
  while (end > bytes.length - 4 && isContinuation(bytes[end])) end -= 1;
  return (bytes[end] ?? 0) >= 0xc0 ? bytes.subarray(0, end) : bytes;
};

/** Returns the value of a body, or the complete items of a list that was cut. */
export const readPartOf = ({ body }: ParsedResponse): Json | undefined =>
  body.kind === 'json' ? body.value : body.kind === 'cut' ? body.part : undefined;

/** Returns the server's time from the `Date` of a response, in milliseconds, or null. */
export const serverTime = (response: ParsedResponse): number | null =>
  httpDate(response.header('date')[0] ?? '');
