import { compileSchema } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { ApiDocument, Operation } from './document.ts';
import type { LocatedProblem } from './other-api.ts';
import { firstLine } from './read-source.ts';
import { partNames, documentProblems as problems } from './refusals.ts';

/**
 * Returns a document whose operations have a `problem` if a run cannot handle them: because of what the validator found in them, or of
 * what validators accept, such as an undescribed path parameter or an invalid schema.
 */
export function withProblems(document: ApiDocument, found: readonly LocatedProblem[]): ApiDocument {
  const { root } = document;
  const operations = document.operations.map((operation) => ({
    ...operation,
    problem: operation.problem ?? validatorProblem(operation, found) ?? problemOf(operation, root),
  }));
  return { ...document, operations: withDifferentIds(operations) };
}

/** An `operationId` that is used twice identifies the first operation; the others have their method and path. */
const withDifferentIds = (operations: readonly Operation[]): readonly Operation[] =>
  operations.map((operation, index) =>
    operations.findIndex(({ id }) => id === operation.id) === index
      ? operation
      : { ...operation, id: `${operation.method} ${operation.path}` },
  );

/** Problems that do not prevent requests: a missing description, or what OpenAPI fixes anyway. */
const isHarmless = ({ path, problem }: LocatedProblem): boolean =>
  /must have required property '(description|required)'$/.test(problem) || path.at(-1) === '$ref';

const validatorProblem = ({ method, path }: Operation, found: readonly LocatedProblem[]): string | null => {
  const isOf = ({ path: [paths, name, member] }: LocatedProblem): boolean =>
    paths === 'paths' &&
    name === path &&
    (member === undefined || member === 'parameters' || member === method.toLowerCase());
  return found.find((each) => isOf(each) && !isHarmless(each))?.problem ?? null;
};

/** Returns the first problem of an operation, null if there is none. */
function problemOf(operation: Operation, root: unknown): string | null {
  const found = sendingProblem(operation) ?? undescribedParameter(operation);
  if (found !== null) return found;
  for (const [name, schema] of schemasOf(operation)) {
    const problem = schemaProblem(schema, root);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

/** The path or a name cannot be sent as it is. */
function sendingProblem({ path, parameters }: Operation): string | null {
  const invalid = /[^\x21-\x7e]|[?#]/.exec(path)?.[0];
  if (invalid !== undefined) return problems.unexpectedInPath(invalid);
  if (!path.startsWith('/')) return problems.relativePath;
  const misnamed = parameters.find(
    ({ in: location, name }) =>
      (location === 'header' || location === 'cookie') && !/^[!#$%&'*+\-.^_`|~\w]+$/.test(name),
  );
  return misnamed === undefined ? null : problems.invalidName(misnamed.name, misnamed.in);
}

function undescribedParameter({ path, parameters }: Operation): string | null {
  const described = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const undescribed = names.find((name) => !described.includes(name));
  return undescribed === undefined ? null : problems.pathParameter(undescribed);
}

function schemasOf({
  parameters,
  requestBody,
  responses,
}: Operation): [name: string, schema: JsonSchema | null][] {
  return [
    ...parameters.map(({ name, schema }): [string, JsonSchema] => [partNames.parameter(name), schema]),
    [partNames.requestBody, requestBody?.schema ?? null],
    ...responses.flatMap(({ status, schema, headers }): [string, JsonSchema | null][] => [
      [partNames.response(status), schema],
      ...Object.entries(headers).map(([name, header]): [string, JsonSchema] => [
        partNames.header(name),
        header.schema,
      ]),
    ]),
  ];
}

function schemaProblem(schema: JsonSchema | null, root: unknown): string | null {
  try {
    if (schema !== null) compileSchema(schema, root);
    return null;
  } catch (error) {
    return firstLine(error);
  }
}
