import type { ApiDocument, Operation, Parameter } from '../../src/check/document.ts';
import { type ApiResponse, type CheckContext, isJsonObject, type Json } from '../../src/check/index.ts';
import { stringifyJson } from '../../src/check/json.ts';
import { acceptedBy, type JsonSchema } from '../../src/check/schemas.ts';
import { evaluate, linksTo } from './links.ts';
import { memberOfKind, normalize, stepsOf } from './names.ts';
import {
  collectionOf,
  hasPathParameters,
  isSafe,
  type OperationUnderTest,
  operationAt,
  pathParameters,
} from './operations.ts';
import { creationsBeside } from './relations.ts';
import { keyOf } from './request.ts';
import { idsInAddresses } from './resource-shapes.ts';
import { isSuccess } from './responses.ts';
import { isUnsupported } from './unsupported.ts';
import { plain } from './valid.ts';

/** Values of path parameters, by name. */
export type Found = Readonly<Record<string, Json>>;

/** Finds ids that exist according to the server itself. */
export interface KnownResources {
  /** Values of path parameters, by name; null if none could be found. Only resources that this run created are changed. */
  find(exercised: OperationUnderTest, context: CheckContext, finding?: Finding): Promise<Found | null>;
  /** The id of any resource of a collection without path parameters; null: none is known, and none can be created. */
  idIn(collection: string, reference: Reference, context: CheckContext): Promise<Json | null>;
  /** Bodies refer to other resources from now on, because those so far may be used up: a copy is lent, or a stock is sold. */
  renew(): void;
}

interface Finding {
  /** The last resource of the path is a new one, because the known one may be in a state that permits nothing further. */
  readonly isNew?: boolean;
  /** Another search waits for this one, which must not wait for it. */
  readonly isNested?: boolean;
}

/** What an id is called, and its schema. */
interface Reference {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Remembers the resources found in one run, except for deletions. */
export const createKnownResources = (
  document: ApiDocument,
  helperAs: (operation: Operation | null) => OperationUnderTest | null,
  sendOrdinary: (exercised: OperationUnderTest, found: Found, context: CheckContext) => Promise<ApiResponse>,
): KnownResources => {
  const memory = new Map<string, Promise<Json | null>>();
  /** What may permit no further reference, by its key in the memory. */
  const usedUp = new Set<string>();
  /** How many creations in a collection returned no id. */
  const withoutId = new Map<string, number>();

  const ask = async (operation: Operation | null, found: Found, context: CheckContext) => {
    const exercised = helperAs(operation);
    if (operation === null || exercised === null) return null;
    const isAllowed = isSafe(operation) || !hasPathParameters(operation) || exercised.mayGuess;
    return isAllowed ? sendOrdinary(exercised, found, context) : null;
  };

  const idIn = (response: ApiResponse, item: string, { name, schema }: Reference): Json | undefined =>
    [...valuesIn(response, item, name), ...idsInAddresses(response.json, item)].find(
      acceptedBy(schema, document.root),
    );

  const lookUp = async (
    collection: string,
    { name, schema }: Reference,
    { found, sources }: { readonly found: Found; readonly sources: readonly string[] },
    context: CheckContext,
  ): Promise<Json | null> => {
    const item = `${collection}/{${name}}`;
    for (const method of sources) {
      const operation = operationAt(document, method, collection);
      const isKnownToFail = method === 'POST' && (withoutId.get(collection) ?? 0) >= mostWithoutId;
      const response = isKnownToFail ? null : await ask(operation, found, context);
      const value = response === null ? undefined : idIn(response, item, { name, schema });
      if (value !== undefined) return value;
      if (method === 'POST' && response !== null && isSuccess(response))
        withoutId.set(collection, (withoutId.get(collection) ?? 0) + 1);
    }
    return null;
  };

  /** The id of a resource that is created below another one, although its path is elsewhere. */
  const fromBeside = async (path: string, parameter: Parameter, context: CheckContext) => {
    const item = `${collectionOf(path, parameter.name)}/{${parameter.name}}`;
    for (const create of creationsBeside(document).get(item) ?? []) {
      const exercised = helperAs(create);
      const parents =
        exercised === null ? null : await find(exercised, context, { isNew: true, isNested: true });
      const response = parents === null ? null : await ask(create, parents, context);
      const value = response === null ? undefined : idIn(response, item, parameter);
      if (value !== undefined) return value;
    }
    return null;
  };

  /** The value that a response of another operation links to this parameter. Only creations give ids of what may be changed. */
  const fromLinks = async (
    operation: Operation,
    { name, schema }: Parameter,
    found: Found,
    context: CheckContext,
  ): Promise<Json | null> => {
    const accepts = acceptedBy(schema, document.root);
    for (const { source, expression } of linksTo(document, operation, name)) {
      const isUsable = isSafe(operation) || source.method === 'POST';
      if (!isUsable || pathParameters(source).some((each) => !(each in found))) continue;
      const response = await ask(source, found, context);
      const value =
        response === null || !isSuccess(response) ? undefined : evaluate(expression, response, found);
      if (value === undefined || value === null) continue;
      const [fitting] = [value, ...numberIn(value)].filter(accepts);
      if (fitting !== undefined) return fitting;
    }
    return null;
  };

  /** The id of a resource that PUT creates. */
  const put = async ({ path }: Operation, parameter: Parameter, found: Found, context: CheckContext) => {
    const item = `${path.slice(0, path.indexOf(`{${parameter.name}}`))}{${parameter.name}}`;
    const operation = operationAt(document, 'PUT', item);
    const exercised = helperAs(operation);
    const value = exercised?.mayGuess === true ? plain(exercised).values[keyOf(parameter)] : undefined;
    const response = value === undefined ? null : await ask(operation, found, context);
    return response !== null && isSuccess(response) ? (value ?? null) : null;
  };

  const remembered = (key: string, look: () => Promise<Json | null>): Promise<Json | null> => {
    const known = memory.get(key);
    if (known !== undefined) return known;
    const looking = look();
    memory.set(key, looking);
    // A resource that was not found may exist later.
    looking.then((value) => value === null && memory.delete(key)).catch(() => memory.delete(key));
    return looking;
  };

  const find = async (
    exercised: OperationUnderTest,
    context: CheckContext,
    { isNew = false, isNested = false }: Finding = {},
  ): Promise<Found | null> => {
    const { operation } = exercised;
    const names = pathParameters(operation);
    let found: Found = {};
    for (const name of names) {
      const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
      if (parameter === undefined) return null;
      const collection = collectionOf(operation.path, name);
      const isLast = name === names.at(-1);
      const sources = isSafe(operation) && !(isNew && isLast) ? ['GET', 'POST'] : ['POST'];
      const look = () =>
        withoutProblems(
          async () =>
            (await fromLinks(operation, parameter, found, context)) ??
            (await lookUp(collection, parameter, { found, sources }, context)) ??
            (operation.method === 'PUT' ? null : await put(operation, parameter, found, context)) ??
            (isNested ? null : await fromBeside(operation.path, parameter, context)),
        );
      const place = `${isSafe(operation)} ${isNested} ${collection} ${stringifyJson(found)}`;
      const isOwn = isLast && (isNew || operation.method === 'DELETE');
      const value = await (isOwn ? look() : remembered(place, look));
      if (value === null) return null;
      if (isOwn && isNew) memory.set(place, Promise.resolve(value));
      found = { ...found, [name]: value };
    }
    return found;
  };

  return {
    renew: () => {
      for (const key of memory.keys()) if (key.startsWith('any ')) usedUp.add(key);
    },
    idIn: async (collection, reference, context) => {
      const look = () =>
        withoutProblems(() =>
          lookUp(collection, reference, { found: {}, sources: ['POST', 'GET'] }, context),
        );
      const key = `any ${collection}`;
      const known = remembered(key, look);
      if (!usedUp.delete(key)) return known;
      // Until there is another one, other cases use the known one: if this case waits for them, they do not wait for it.
      const other = await look();
      if (other !== null) memory.set(key, Promise.resolve(other));
      return other ?? known;
    },
    find,
  };
};

/** Each search for an id may create something. */
const mostWithoutId = 3;

/** A collection whose own requests cannot be generated shows nothing. */
const withoutProblems = (look: () => Promise<Json | null>): Promise<Json | null> =>
  look().catch((error: unknown) => {
    if (!isUnsupported(error)) throw error;
    return null;
  });

/** A field with the parameter's name, or `id` for a parameter that ends in it: `todoId`, `todo_id`. */
const isNamedFor = (member: string, parameter: string): boolean =>
  normalize(member) === normalize(parameter) ||
  (['id', 'uuid'].includes(normalize(member)) && normalize(parameter).endsWith(normalize(member)));

/** The outermost values of a response under the name of the item's parameter, otherwise the last segment of its `Location`. */
const valuesIn = (response: ApiResponse, item: string, parameter: string): readonly Json[] => {
  if (!isSuccess(response)) return [];
  for (let level = [response.json ?? null]; level.length > 0; level = level.flatMap(membersOf)) {
    const values = level.filter(isJsonObject).flatMap((object) => {
      const ofKind = memberOfKind(Object.keys(object), item);
      return Object.entries(object)
        .filter(([name]) => isNamedFor(name, parameter) || name === ofKind)
        .flatMap(([, value]) => (typeof value === 'object' ? [] : [value]));
    });
    if (values.length > 0) return values;
  }
  const [step] = (response.header('location')[0] ?? '').split(/[?#]/);
  const last = stepsOf(step ?? '').at(-1) ?? '';
  return last === '' ? [] : [...numberIn(last), last];
};

/** The number that a text is. */
const numberIn = (value: Json): readonly Json[] =>
  typeof value === 'string' && /^\d+$/.test(value) ? [BigInt(value)] : [];

const membersOf = (value: Json): readonly Json[] => {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
};
