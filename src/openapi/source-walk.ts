import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

/** The methods that a path may have operations for. */
export const methods: readonly string[] = [
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
];

/** How to read an object of a document: its keys are keywords, or names that its author chose, or it is data of an example. */
type Reading = 'keywords' | 'names' | 'data';

/** Keywords whose objects have names as keys. */
const mapsByName = new Set([
  '$defs',
  'callbacks',
  'content',
  'definitions',
  'dependentRequired',
  'dependentSchemas',
  'encoding',
  'examples',
  'headers',
  'links',
  'parameters',
  'pathItems',
  'paths',
  'patternProperties',
  'properties',
  'requestBodies',
  'responses',
  'schemas',
  'scopes',
  'securitySchemes',
  'variables',
  'webhooks',
]);

/** Keywords whose values are data, in which `$ref` is no reference. */
const dataKeywords = new Set(['const', 'default', 'enum', 'example', 'mapping', 'value']);

const readingOf = (keyword: string, value: Json): Reading => {
  if (dataKeywords.has(keyword) || (keyword === 'examples' && Array.isArray(value))) return 'data';
  if (keyword === 'security') return 'names';
  return mapsByName.has(keyword) && !Array.isArray(value) ? 'names' : 'keywords';
};

/** A member of an object of a document. */
export interface Member {
  readonly keyword: string;
  readonly value: Json;
  readonly reading: Reading;
}

/** The members of an object, with how to read each. Under a name, keywords follow. */
export const membersOf = (object: JsonObject, reading: 'keywords' | 'names'): readonly Member[] =>
  Object.entries(object).map(([keyword, value]) => ({
    keyword,
    value,
    reading: reading === 'names' ? 'keywords' : readingOf(keyword, value),
  }));

/**
 * Calls `visit` with each object of a document that is not data, with its JSON pointer as a path, from the outside in.
 * `visit` returns what is passed on to the objects within.
 */
export const walkObjects = <Passed>(
  root: Json,
  start: Passed,
  visit: (object: JsonObject, path: readonly string[], passed: Passed) => Passed,
): void => {
  const walk = (value: Json, path: readonly string[], passed: Passed, reading: Reading): void => {
    if (reading === 'data') return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, [...path, String(index)], passed, reading);
      return;
    }
    if (!isJsonObject(value)) return;
    const inner = visit(value, path, passed);
    for (const member of membersOf(value, reading))
      walk(member.value, [...path, member.keyword], inner, member.reading);
  };
  walk(root, [], start, 'keywords');
};
