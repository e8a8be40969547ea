import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';

/** An escape of JSON. A surrogate is escaped only if it is alone. */
const escapes = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * A value as JSON for programs, with a line feed at its end. A lone surrogate becomes the text `\ud83d`: RFC 8259 allows it as an
 * escape, but jq, serde_json, and others reject the whole file.
 */
export const jsonText = (value: unknown, indent: number): string =>
  `${JSON.stringify(value, null, indent).replace(escapes, (written: string, alone?: string) => (alone === undefined ? written : `\\\\u${alone}`))}\n`;

/** Returns the JSON value of a body with exact integers; undefined: there is no body, or it is not JSON. */
export const jsonIn = (body: string | null | undefined): Json | undefined => {
  const parsed = parseJson(body ?? '');
  return parsed.ok ? parsed.value : undefined;
};

/** Returns the JSON objects of a body that is a list or a single object. */
export const objectsIn = (body: string | null | undefined): readonly JsonObject[] => {
  const value = jsonIn(body);
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject);
};
