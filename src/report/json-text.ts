import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';

/** The escape of a lone surrogate, after escaped backslashes: JSON.stringify writes pairs as they are. */
const loneSurrogates = /(?<!\\)((?:\\\\)*)\\u(d[89a-f][0-9a-f]{2})/g;

/**
 * A value as JSON for programs, with a line feed at its end. A lone surrogate becomes the text `\ud83d`: RFC 8259 allows it as an
 * escape, but jq, serde_json, and others reject the whole file.
 */
export const jsonText = (value: unknown, indent: number): string =>
  `${JSON.stringify(value, null, indent).replace(loneSurrogates, '$1\\\\u$2')}\n`;

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
