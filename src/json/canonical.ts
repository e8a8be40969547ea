import { isJsonObject, type Json } from './json.ts';
import { stringifyJson } from './stringify.ts';

/** One text for each value: members in the order of their names. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`,
  );
  return `{${members.sort().join(',')}}`;
}
