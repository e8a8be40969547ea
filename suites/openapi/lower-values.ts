import { isJsonObject, type Json, type JsonObject } from '../../src/check/index.ts';
import { isReference, valueAt, withValueAt } from './ordinary.ts';
import { isNumber } from './relations.ts';

/** Places of numbers, except those of ids. */
const numbersIn = (json: Json, steps: readonly string[] = []): readonly (readonly string[])[] => {
  if (isReference(steps.findLast((step) => !/^\d+$/.test(step)) ?? '')) return [];
  if (isNumber(json)) return [steps];
  if (!Array.isArray(json) && !isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([step, value]) => numbersIn(value, [...steps, step]));
};

/** Values that come before another one in any usual order, and have its form. */
const valuesBelow = (value: Json): readonly Json[] => {
  if (typeof value === 'bigint') return [value > 0n ? value / 2n : value - 1n, value - 1n];
  if (typeof value === 'number') return [value > 0 ? value / 2 : value - 1];
  if (typeof value !== 'string') return [];
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(value)) {
    const dayBefore = new Date(Date.parse(value.slice(0, 10)) - 86_400_000);
    return [`${dayBefore.toISOString().slice(0, 10)}${value.slice(10)}`];
  }
  const letter = /^[A-Z]/.test(value) ? 'A' : 'a';
  return [`${letter}${value}`, `${letter}${value.slice(1)}`];
};

/** The members of a resource that change if its numbers, and what some members have, are replaced by lower values that are valid. */
export const loweredMembers = (
  resource: JsonObject,
  members: readonly string[],
  accepts: (resource: Json) => boolean,
): JsonObject => {
  const places = [...numbersIn(resource), ...members.map((member) => [member])];
  const lowered = places.reduce<Json>((json, steps) => {
    const value = valueAt(resource, steps);
    const all = value === undefined ? [] : valuesBelow(value).map((each) => withValueAt(json, steps, each));
    return all.find(accepts) ?? json;
  }, resource);
  const changed = new Set(places.flatMap(([member = '']) => member));
  return isJsonObject(lowered)
    ? Object.fromEntries(Object.entries(lowered).filter(([name]) => changed.has(name)))
    : {};
};
