import { isJsonObject, type Json } from './json.ts';

/** Tells whether two values are the same JSON: integers to the digit, members in any order. */
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
