import type { Json, JsonObject } from './json.ts';

/**
 * Writes a value as JSON text without white space. A bigint keeps all digits, and lone surrogates are escaped, as by `JSON.stringify`.
 * An infinite double becomes `1e999`, which parses as the same double.
 */
export function stringifyJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'bigint':
      return value.toString();
    case 'number':
      return stringifyDouble(value);
    case 'object':
      if (value === null) return 'null';
      return isArray(value) ? stringifyArray(value) : stringifyObject(value);
    default:
      return String(value);
  }
}

/** `Array.isArray` does not narrow the type of a readonly array. */
const isArray = (value: readonly Json[] | JsonObject): value is readonly Json[] => Array.isArray(value);

/** Faster than `JSON.stringify` for texts without escapes, which are most texts. */
const quoted = (text: string): string => (/^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text));

const stringifyArray = (items: readonly Json[]): string => {
  let text = '[';
  for (const item of items) text += text === '[' ? stringifyJson(item) : `,${stringifyJson(item)}`;
  return `${text}]`;
};

const stringifyObject = (object: JsonObject): string => {
  let text = '{';
  for (const name of Object.keys(object))
    text += `${text === '{' ? '' : ','}${quoted(name)}:${stringifyJson(object[name] ?? null)}`;
  return `${text}}`;
};

function stringifyDouble(value: number): string {
  if (Math.abs(value) === Number.POSITIVE_INFINITY) return value > 0 ? '1e999' : '-1e999';
  return JSON.stringify(value);
}
