import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { referenceProblems } from '../json-schema/refusals.ts';
import type { SchemaObject } from '../json-schema/schema.ts';
import { type FileReferences, type Resource, referencesOf, resourceOf, type Target } from './references.ts';
import { type Member, membersOf, methods } from './source-walk.ts';

/** Replaces what cannot be followed: its operations are left out, with this problem. */
const brokenKey = 'x-broken-reference';

/** The problem of a part that {@link prepareSource} could not follow; null: it is usable. */
export const brokenReference = (part: SchemaObject): string | null => {
  const problem = part[brokenKey];
  return typeof problem === 'string' ? problem : null;
};

const broken = (problem: string): JsonObject => ({ [brokenKey]: problem });

/** Extensions that the suite reads. */
const readExtensions = new Set(['x-sunset']);

/** Names of schemas, which are replaced by pointers. */
const schemaNames = new Set(['$id', '$anchor', '$dynamicAnchor', '$dynamicRef']);

const hasReference = (value: Json | undefined): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return (isJsonObject(value) && typeof value.$ref === 'string') || Object.values(value).some(hasReference);
};

const isRange = (name: string): boolean => /^[1-5]xx$/i.test(name);

/** The object has the responses of an operation, by status. */
const isOfResponses = (path: readonly string[]): boolean =>
  path.at(-1) === 'responses' && methods.includes(path.at(-2) ?? '');

/**
 * Prepares a file of a document for the library that bundles it, so that one oddity does not take the whole document away: it leaves
 * out extensions, examples that contain `$ref`, and a boolean `required` of a schema, writes references by JSON pointer, and marks the references
 * that lead nowhere.
 * @param path of the file
 */
export function prepareSource(source: Json, path: string): Json {
  if (!isJsonObject(source)) return source;
  const references = referencesOf(source, path);
  return preparedObject(source, 'keywords', { references, resource: references.file, path: [] });
}

interface Place {
  readonly references: FileReferences;
  readonly resource: Resource;
  readonly path: readonly string[];
}

const prepared = (value: Json, reading: Member['reading'], place: Place): Json => {
  if (Array.isArray(value))
    return value.map((item, index) =>
      prepared(item, reading, { ...place, path: [...place.path, String(index)] }),
    );
  if (reading === 'data' || !isJsonObject(value)) return value;
  return preparedObject(value, reading, place);
};

function preparedObject(object: JsonObject, reading: 'keywords' | 'names', place: Place): Json {
  const resource = resourceOf(object, place.path, place.resource);
  const targets = targetsIn(object, { ...place, resource });
  const problem = targets.find((target) => 'problem' in target);
  if (problem !== undefined && 'problem' in problem) return broken(problem.problem);
  const listed = [object.enum, object.const].some(hasReference);
  if (reading === 'keywords' && listed) return broken(referenceProblems.inData);
  const members = membersOf(object, reading)
    .filter((member) => reading === 'names' || (isKept(member) && !isOldRequired(member, object)))
    .map(({ keyword, value, reading: within }) => [
      isRange(keyword) && isOfResponses(place.path) ? keyword.toUpperCase() : keyword,
      prepared(value, within, { ...place, resource, path: [...place.path, keyword] }),
    ]);
  const [target] = targets;
  return Object.fromEntries([
    ...members,
    ...(target !== undefined && 'reference' in target ? [['$ref', target.reference]] : []),
  ]);
}

const targetsIn = ({ $ref, $dynamicRef }: JsonObject, { references, resource }: Place): readonly Target[] => [
  ...(typeof $ref === 'string' ? [references.target($ref, resource)] : []),
  ...(typeof $dynamicRef === 'string' ? [references.dynamicTarget($dynamicRef, resource)] : []),
];

/** `required: true` in a schema, as in JSON Schema draft 3: generators write it for response headers. Parameters have no type. */
const isOldRequired = ({ keyword, value }: Member, object: JsonObject): boolean =>
  keyword === 'required' && typeof value === 'boolean' && 'type' in object;

const isKept = ({ keyword, value, reading }: Member): boolean => {
  if (keyword.startsWith('x-')) return readExtensions.has(keyword);
  if (schemaNames.has(keyword)) return typeof value !== 'string';
  return reading !== 'data' || keyword === 'enum' || keyword === 'const' || !hasReference(value);
};
