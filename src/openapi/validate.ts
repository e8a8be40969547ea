import { compileSchema } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import { partNames, documentProblems as problems } from '../report/text/refusals/documents.ts';
import type { ApiDocument, Operation } from './document.ts';
import { firstLine } from './read-source.ts';

/**
 * Finds problems that validators of OpenAPI documents accept and a run cannot handle: two operations with one id, an undescribed path
 * parameter, an invalid schema.
 * @throws Error of one line, with the place
 */
export function assertUsable({ operations, root }: ApiDocument): void {
  const ids = new Set<string>();
  for (const operation of operations) {
    const place = `${operation.method} ${operation.path}`;
    if (ids.has(operation.id)) throw new Error(`${place}: ${problems.operationIdTwice(operation.id)}`);
    ids.add(operation.id);
    assertSendable(operation, place);
    assertPathParameters(operation, place);
    for (const [name, schema] of schemasOf(operation)) assertSchema(schema, root, `${place}, ${name}`);
  }
}

/** Throws if a path or a name cannot be sent as it is. */
function assertSendable({ path, parameters }: Operation, place: string): void {
  const invalid = /[^\x21-\x7e]|[?#]/.exec(path)?.[0];
  if (invalid !== undefined) throw new Error(`${place}: ${problems.unexpectedInPath(invalid)}`);
  for (const { in: location, name } of parameters)
    if ((location === 'header' || location === 'cookie') && !/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw new Error(`${place}: ${problems.invalidName(name, location)}`);
}

function assertPathParameters({ path, parameters }: Operation, place: string): void {
  const described = new Set(
    parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
  );
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g))
    if (!described.has(name)) throw new Error(`${place}: ${problems.pathParameter(name)}`);
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

function assertSchema(schema: JsonSchema | null, root: unknown, place: string): void {
  try {
    if (schema !== null) compileSchema(schema, root);
  } catch (error) {
    throw new Error(`${place}: ${firstLine(error)}`);
  }
}
