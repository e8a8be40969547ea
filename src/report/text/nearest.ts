import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import { sameJson } from '../../json/same.ts';

/** Names that the run makes up differ for no reason, and so do ids. */
const withoutNames = (words: string): string =>
  words.replaceAll(/conformance-[\w-]+/g, '…').replace(/^GET \/pets\/-?\d+, /, '');

/** The JSON object that a request in words ends in; null: none. */
const bodyOf = (words: string): JsonObject | null => {
  const parsed = words.includes('{') ? parseJson(words.slice(words.indexOf('{'))) : null;
  return parsed?.ok && isJsonObject(parsed.value) ? parsed.value : null;
};

const commonLength = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end;
};

/** How much of two texts is the same, before and behind where they part: from 0 to 1. */
const likeness = (a: string, b: string): number => commonLength(a, b) / Math.max(1, a.length, b.length);

/** In how many members two objects differ, and in how many of them by more than the value: one is missing, or of another type. */
const difference = (a: JsonObject, b: JsonObject): readonly [members: number, types: number] => {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const differing = names.filter((name) => {
    const [one, other] = [a[name], b[name]];
    return one === undefined || other === undefined || !sameJson(one, other);
  });
  return [differing.length, differing.filter((name) => typeof a[name] !== typeof b[name]).length];
};

/** How far one request is from another, the weightiest first: members of the body, then their types, then letters. */
const distance = (a: string, b: string): readonly number[] => {
  const [one, other] = [bodyOf(a), bodyOf(b)];
  const members =
    one === null || other === null
      ? [Number(one !== other) * Number.MAX_SAFE_INTEGER, 0]
      : difference(one, other);
  return [...members, 1 - likeness(a, b)];
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};

/** An animal by its id alone: nothing in the request tells it from another. */
const isBare = (words: string): boolean => /^GET \/pets\/-?\d+$/.test(words);

/** Of requests in words those that differ least from one, the nearest first: no two that only a made up name tells apart. */
export const nearest = (all: readonly string[], to: string, most: number): readonly string[] => {
  const kinds = new Map(all.filter((words) => !isBare(words)).map((words) => [withoutNames(words), words]));
  const wanted = withoutNames(to);
  kinds.delete(wanted);
  return [...kinds]
    .map(([kind, words]) => ({ words, far: distance(kind, wanted) }))
    .sort((a, b) => compare(a.far, b.far))
    .slice(0, most)
    .map(({ words }) => words);
};
