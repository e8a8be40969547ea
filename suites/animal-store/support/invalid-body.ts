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

/** The body without the query, or with fewer members. */
export const withFewerMembers = function* ({ value, query }: InvalidBody): Generator<InvalidBody> {
  if (!isJsonObject(value)) return;
  const inQuery = query === undefined ? {} : { query };
  if (query) yield { label: `only ${Object.keys(value).join(' and ')}`, value, query: '' };
  for (const some of dropParts(Object.entries(value)))
    yield {
      label: `only ${some.map(([name]) => name).join(' and ')}`,
      value: Object.fromEntries(some),
      ...inQuery,
    };
};
