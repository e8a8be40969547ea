import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';

/** An escape of JSON; a surrogate stands in one only where it is alone. */
const escapes = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * A value as JSON for programs, with a line feed at its end. A lone surrogate is spelled out, as the text `\ud83d`: RFC 8259 lets it
 * stand as an escape, but jq, serde_json and others refuse the whole file for it.
 */
export const jsonText = (value: unknown, indent: number): string =>
  `${JSON.stringify(value, null, indent).replace(escapes, (written: string, alone?: string) => (alone === undefined ? written : `\\\\u${alone}`))}\n`;

/** The JSON value of a body with exact integers; undefined: there is no body, or it is not JSON. */
export const jsonIn = (body: string | null | undefined): Json | undefined => {
  const parsed = parseJson(body ?? '');
  return parsed.ok ? parsed.value : undefined;
};

/** The JSON objects of a body, a list or a single one. */
export const objectsIn = (body: string | null | undefined): readonly JsonObject[] => {
  const value = jsonIn(body);
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject);
};
