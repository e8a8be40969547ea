import { isJsonObject, type Json } from './json.ts';
import { stringifyJson } from './stringify.ts';

/** Tells whether two values are the same JSON. Integers are compared exactly, and the order of members is ignored. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => sameMember(a[name], b, name));
}

const sameMember = (value: Json | undefined, other: { readonly [name: string]: Json }, name: string) => {
  const counterpart = Object.hasOwn(other, name) ? other[name] : undefined;
  return value !== undefined && counterpart !== undefined && sameJson(value, counterpart);
};

/** Writes equal values as the same text, with members sorted. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`,
  );
  return `{${members.sort().join(',')}}`;
}

/** Removes duplicate values and keeps the order. */
export function distinct(values: readonly Json[]): readonly Json[] {
  const seen = new Map<string, Json>();
  for (const value of values) {
    const text = canonicalText(value);
    if (!seen.has(text)) seen.set(text, value);
  }
  return [...seen.values()];
}
