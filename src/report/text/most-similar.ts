import { type About, isOrdinary } from '../../finding/probe.ts';
import { aboutInWords, asWritten, shortBody } from '../../finding/words/requests.ts';
import { sameJson } from '../../json/equal.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';

/** A request with the parts that are compared. */
interface Comparable {
  readonly words: string;
  /** The words without ids and generated names, which differ between all requests. */
  readonly kind: string;
  /** The JSON object that it sends, or that the animal was created with; null: none. */
  readonly body: JsonObject | null;
}

const withoutNames = (words: string): string => words.replaceAll(/conformance-[\w-]+/g, '…');

/** The creation that describes a request better than its own words. */
const creationOf = (about: About) => {
  if (about.kind === 'creation') return about.exchange;
  return about.kind === 'request' && isOrdinary(about.probe) ? about.createdBy : undefined;
};

/** The JSON object that is compared, without generated names. */
const bodyOf = (about: About): JsonObject | null => {
  const sent =
    about.kind === 'request' && about.probe.request.credential.chargedTo !== null
      ? (about.probe.request.body ?? about.createdBy?.request.body)
      : creationOf(about)?.request.body;
  if (typeof sent !== 'string' || sent.length > shortBody) return null;
  // Text before the object, for example a byte order mark, is ignored.
  const parsed = parseJson(withoutNames(sent.slice(Math.max(0, sent.indexOf('{')))));
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
};

/** Whether a request has only an id, so that nothing distinguishes it from others. */
const isIdOnly = (about: About): boolean =>
  about.kind !== 'creation' &&
  about.probe.request.operation === 'getPet' &&
  isOrdinary(about.probe) &&
  creationOf(about) === undefined;

const comparable = (about: About): Comparable => {
  const words = aboutInWords(about);
  const creation = creationOf(about);
  const kind =
    creation === undefined || about.kind === 'creation' ? words : `created by ${asWritten(creation)}`;
  return { words, kind: withoutNames(kind), body: bodyOf(about) };
};

const commonLength = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end;
};

/** The share of two texts that is equal, at their beginning and end: from 0 to 1. */
const similarity = (a: string, b: string): number => commonLength(a, b) / Math.max(1, a.length, b.length);

/** The number of members that differ, and the number of members that are missing or of another type. */
const difference = (a: JsonObject, b: JsonObject): readonly [members: number, types: number] => {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const differing = names.filter((name) => {
    const [one, other] = [a[name], b[name]];
    return one === undefined || other === undefined || !sameJson(one, other);
  });
  return [differing.length, differing.filter((name) => typeof a[name] !== typeof b[name]).length];
};

/** The distance between two requests, the most important part first: members of the body, their types, characters. */
const distance = (a: Comparable, b: Comparable): readonly number[] => {
  const [one, other] = [a.body, b.body];
  const members =
    one === null || other === null
      ? [Number(one !== other) * Number.MAX_SAFE_INTEGER, 0]
      : difference(one, other);
  return [...members, 1 - similarity(a.kind, b.kind)];
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};

/** Returns the requests that are most similar to one, in words, the nearest first. Requests that differ only in a generated name count once. */
export const mostSimilar = (
  all: readonly About[],
  to: About | undefined,
  most: number,
): readonly string[] => {
  const kinds = new Map(
    all
      .filter((about) => !isIdOnly(about))
      .map(comparable)
      .map((each) => [each.kind, each]),
  );
  const wanted = to === undefined ? { words: '', kind: '', body: null } : comparable(to);
  kinds.delete(wanted.kind);
  return [...kinds.values()]
    .map((each) => ({ words: each.words, distance: distance(each, wanted) }))
    .sort((a, b) => compare(a.distance, b.distance))
    .slice(0, most)
    .map(({ words }) => words);
};
