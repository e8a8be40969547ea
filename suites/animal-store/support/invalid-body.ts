import type { ApiDocument } from '../../../src/check/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/check/index.ts';
import { excerpt, stringifyJson } from '../../../src/check/json.ts';
import { dropParts } from '../../../src/check/schemas.ts';
import { problemsOf } from './new-pet.ts';

/** A body that violates one or more rules of NewPet. */
export interface InvalidBody {
  readonly label: string;
  readonly value: Json;
  /** Fields in the query, which a server must ignore. Empty if shrinking removed them. */
  readonly query?: string;
}

const shown = ([name, value]: readonly [string, Json]): string =>
  `${name}: ${excerpt(stringifyJson(value), 40)}`;

/** The object with one field as in the plain one, without it if the plain one has none. */
const withPlain = (value: JsonObject, name: string, plain: JsonObject): JsonObject => {
  const { [name]: _, ...others } = value;
  const usual = plain[name];
  return usual === undefined ? others : { ...value, [name]: usual };
};

/** Bodies with one different value fewer than the plain one, and still an invalid value. */
export const withFewerInvalid = (
  { value }: InvalidBody,
  plain: JsonObject,
  document: ApiDocument,
): readonly InvalidBody[] => {
  if (!isJsonObject(value)) return [];
  const differing = Object.keys(value).filter((name) => value[name] !== plain[name]);
  return differing.flatMap((name) => {
    const smaller = withPlain(value, name, plain);
    const wrong = new Set(problemsOf(document)(smaller).map(({ pointer }) => pointer.split('/')[1]));
    const label = Object.entries(smaller)
      .filter((member) => wrong.has(member[0]))
      .map(shown)
      .join(' and ');
    return label === '' ? [] : [{ label, value: smaller }];
  });
};

/** Names the members, and a query whose fields the server must not take for members. */
const labelOf = (names: readonly string[], query: string): string => {
  const members = `only ${names.join(' and ')}`;
  return query === '' ? members : `${members} in the body, and ${query.split('=')[0]} in the query`;
};

/** The body without the query, or with fewer members. */
export const withFewerMembers = function* ({ value, query }: InvalidBody): Generator<InvalidBody> {
  if (!isJsonObject(value)) return;
  const inQuery = query === undefined ? {} : { query };
  if (query) yield { label: labelOf(Object.keys(value), ''), value, query: '' };
  for (const some of dropParts(Object.entries(value)))
    yield {
      label: labelOf(
        some.map(([name]) => name),
        query ?? '',
      ),
      value: Object.fromEntries(some),
      ...inQuery,
    };
};
