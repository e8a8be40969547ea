import { compileSchema } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { ApiDocument, Operation } from './document.ts';
import { firstLine } from './read-source.ts';

/**
 * Finds what a validator of OpenAPI documents lets pass and a run would stumble over: two operations of one id, a path parameter
 * that nothing describes, a schema that is none.
 * @throws Error in one line that names the place
 */
export function assertUsable({ operations, root }: ApiDocument): void {
  const ids = new Set<string>();
  for (const operation of operations) {
    const place = `${operation.method} ${operation.path}`;
    if (ids.has(operation.id)) throw new Error(`${place}: the operationId ${operation.id} is taken`);
    ids.add(operation.id);
    assertSendable(operation, place);
    assertPathParameters(operation, place);
    for (const [name, schema] of schemasOf(operation)) assertSchema(schema, root, `${place}, ${name}`);
  }
}

/** What would not go over the wire as the document has it. */
function assertSendable({ path, parameters }: Operation, place: string): void {
  const odd = /[^\x21-\x7e]|[?#]/.exec(path)?.[0];
  if (odd !== undefined)
    throw new Error(
      `${place}: a path has no ${JSON.stringify(odd)}: write it percent-encoded, and a query as parameters`,
    );
  for (const { in: where, name } of parameters)
    if ((where === 'header' || where === 'cookie') && !/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw new Error(`${place}: ${JSON.stringify(name)} cannot be the name of a ${where}`);
}

function assertPathParameters({ path, parameters }: Operation, place: string): void {
  const described = new Set(
    parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
  );
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g))
    if (!described.has(name)) throw new Error(`${place}: the path parameter ${name} is not described`);
}

function schemasOf({
  parameters,
  requestBody,
  responses,
}: Operation): [name: string, schema: JsonSchema | null][] {
  return [
    ...parameters.map(({ name, schema }): [string, JsonSchema] => [`parameter ${name}`, schema]),
    ['request body', requestBody?.schema ?? null],
    ...responses.flatMap(({ status, schema, headers }): [string, JsonSchema | null][] => [
      [`response ${status}`, schema],
      ...Object.entries(headers).map(([name, header]): [string, JsonSchema] => [
        `header ${name}`,
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
