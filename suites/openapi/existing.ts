import type { Operation, Parameter } from '../../src/check/document.ts';
import { type ApiResponse, type CheckContext, isJsonObject, type Json } from '../../src/check/index.ts';
import { compileSchema } from '../../src/check/schemas.ts';
import {
  collectionOf,
  hasPathParameters,
  isSafe,
  type OperationUnderTest,
  operationAt,
  pathParameters,
} from './operations.ts';
import { toProbe } from './request.ts';
import { plain } from './valid.ts';
import { isUnsupported } from './values.ts';

type Found = Readonly<Record<string, Json>>;

/** Finds values of path parameters that exist according to the server itself. */
export interface KnownResources {
  /** By name; null if none could be found. Only resources that this run created are changed. */
  find(exercised: OperationUnderTest, context: CheckContext): Promise<Found | null>;
}

/** Remembers the resources found in one run, except for deletions. */
export const createKnownResources = (
  exercisedAs: (operation: Operation) => OperationUnderTest | null,
): KnownResources => {
  const memory = new Map<string, Promise<Json | null>>();

  const ask = async (operation: Operation | null, found: Found, context: CheckContext) => {
    const exercised = operation === null ? null : exercisedAs(operation);
    if (exercised === null || !exercised.authentic) return null;
    if (!isSafe(exercised.operation) && hasPathParameters(exercised.operation) && !exercised.mayGuess)
      return null;
    return context.send(toProbe(exercised, plain(exercised), { inputSpace: 'documented', found }));
  };

  const lookUp = async (
    { document, operation }: OperationUnderTest,
    parameter: Parameter,
    found: Found,
    context: CheckContext,
  ): Promise<Json | null> => {
    const collection = collectionOf(operation.path, parameter.name);
    const accepts = compileSchema(parameter.schema, document.root);
    const sources = isSafe(operation) ? ['GET', 'POST'] : ['POST'];
    for (const method of sources) {
      const response = await ask(operationAt(document, method, collection), found, context);
      const value =
        response === null
          ? undefined
          : valuesIn(response, parameter.name).find((each) => accepts(each).length === 0);
      if (value !== undefined) return value;
    }
    return null;
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

  return {
    find: async (exercised, context) => {
      const { operation } = exercised;
      const names = pathParameters(operation);
      let found: Found = {};
      for (const name of names) {
        const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
        if (parameter === undefined) return null;
        const look = () => withoutProblems(() => lookUp(exercised, parameter, found, context));
        const isDeleted = operation.method === 'DELETE' && name === names.at(-1);
        const place = `${isSafe(operation)} ${collectionOf(operation.path, name)} ${JSON.stringify(found, texts)}`;
        const value = await (isDeleted ? look() : remembered(place, look));
        if (value === null) return null;
        found = { ...found, [name]: value };
      }
      return found;
    },
  };
};

const texts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

/** A collection whose own requests cannot be generated shows nothing. */
const withoutProblems = async (look: () => Promise<Json | null>): Promise<Json | null> => {
  try {
    return await look();
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return null;
  }
};

const normalize = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** A field with the parameter's name, or `id` for a parameter that ends in it: `todoId`, `todo_id`. */
const isNamedFor = (member: string, parameter: string): boolean =>
  normalize(member) === normalize(parameter) ||
  (['id', 'uuid'].includes(normalize(member)) && normalize(parameter).endsWith(normalize(member)));

/** The outermost values of a response under the parameter's name, otherwise the last segment of its `Location`. */
const valuesIn = (response: ApiResponse, parameter: string): readonly Json[] => {
  if (response.status >= 300) return [];
  for (let level = [response.json ?? null]; level.length > 0; level = level.flatMap(membersOf)) {
    const values = level.filter(isJsonObject).flatMap((object) =>
      Object.entries(object)
        .filter(([name, value]) => isNamedFor(name, parameter) && typeof value !== 'object')
        .map(([, value]) => value),
    );
    if (values.length > 0) return values;
  }
  const [step] = (response.header('location')[0] ?? '').split(/[?#]/);
  const last = step?.split('/').at(-1) ?? '';
  return last === '' ? [] : [...(/^\d+$/.test(last) ? [BigInt(last)] : []), last];
};

const membersOf = (value: Json): readonly Json[] => {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
};
