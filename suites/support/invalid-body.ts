import type { ApiDocument } from '../../src/document/api-document.ts';
import { fewer } from '../../src/generate/narrowing.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { stringifyJson } from '../../src/json/stringify.ts';
import { excerpt } from '../../src/oracle/rule.ts';
import { problemsOf } from './new-pet.ts';

/** A body that breaks one rule of NewPet, or several. */
export interface InvalidBody {
  readonly label: string;
  readonly value: Json;
  /** What stands in the query, where nothing of it counts; empty: nothing any more, as the case is made small. */
  readonly query?: string;
}

const shown = ([name, value]: readonly [string, Json]): string =>
  `${name}: ${excerpt(stringifyJson(value), 40)}`;

/** The object with one of its members as in the plain one: gone, where that has none of the name. */
const withPlain = (value: JsonObject, name: string, plain: JsonObject): JsonObject => {
  const { [name]: _, ...others } = value;
  const usual = plain[name];
  return usual === undefined ? others : { ...value, [name]: usual };
};

/** Bodies with one value less that is not as in the plain one, in which a value remains invalid. */
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

/** Bodies with less in them, and nothing in the query: what is missing is missing there as well. */
export const withFewerMembers = function* ({ value, query }: InvalidBody): Generator<InvalidBody> {
  if (!isJsonObject(value)) return;
  const inQuery = query === undefined ? {} : { query };
  if (query) yield { label: `only ${Object.keys(value).join(' and ')}`, value, query: '' };
  for (const some of fewer(Object.entries(value)))
    yield {
      label: `only ${some.map(([name]) => name).join(' and ')}`,
      value: Object.fromEntries(some),
      ...inQuery,
    };
};
