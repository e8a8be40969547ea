import { withoutSlash } from '../../src/check/creations.ts';
import type { ApiDocument, Operation, OperationLink } from '../../src/check/document.ts';
import { type ApiResponse, isJsonObject, type Json } from '../../src/check/index.ts';
import { fromPointer } from '../../src/check/schemas.ts';
import { nameOf, pathParameters } from './operations.ts';
import { usualAlternative } from './ordinary.ts';

/** An operation whose responses have the value of a parameter, with the expression for it. */
export interface LinkSource {
  readonly source: Operation;
  readonly expression: string;
}

const isTarget = ({ target }: OperationLink, operation: Operation): boolean =>
  target === operation.id || target === nameOf(operation);

/** The path through a parameter: `/todos/{id}` of `/todos/{id}/notes`. Operations below it share its values. */
const through = (path: string, parameter: string): string =>
  path.slice(0, path.indexOf(`{${parameter}}`) + parameter.length + 2);

/** The links that give a path parameter of an operation, or of another one with the same path so far. Creations come first. */
export const linksTo = (
  { operations }: ApiDocument,
  { path }: Pick<Operation, 'path'>,
  parameter: string,
): readonly LinkSource[] => {
  const place = through(path, parameter);
  const sharing = operations.filter((other) => other.path === place || other.path.startsWith(`${place}/`));
  return operations
    .filter(({ method }) => method === 'POST' || method === 'GET')
    .toSorted((a, b) => Number(b.method === 'POST') - Number(a.method === 'POST'))
    .flatMap((source) =>
      source.links.flatMap((link): readonly LinkSource[] => {
        const expression = link.parameters[parameter];
        return expression !== undefined && sharing.some((operation) => isTarget(link, operation))
          ? [{ source, expression }]
          : [];
      }),
    );
};

/** The item is below another path that creates it, or the creation has items below its own path. */
const isOfAnother = (operations: readonly Operation[], create: Operation, item: string): boolean => {
  const path = withoutSlash(create.path);
  const own = item.slice(0, item.lastIndexOf('/'));
  return (
    own !== path &&
    operations.some(
      (other) =>
        (other.method === 'POST' && withoutSlash(other.path) === own) ||
        other.path.slice(0, other.path.lastIndexOf('/{')) === path,
    )
  );
};

/** A member such as `customerId`, beside the `id` of what was created, is the id of something else. */
const isOtherMember = ({ responses }: Operation, member: string | null, root: unknown): boolean =>
  member !== null &&
  !/^_?(id|uuid)$/i.test(member) &&
  /(id|uuid)$/i.test(member) &&
  responses.some(
    ({ status, schema }) =>
      status.startsWith('2') &&
      schema !== null &&
      [...(usualAlternative(schema, root)?.properties.keys() ?? [])].some((name) =>
        /^_?(id|uuid)$/i.test(name),
      ),
  );

/** The item that a creation links to, with the expression for its id: its other path parameters are those of the creation. Null: none. */
export const linkedItem = (
  { operations, root }: ApiDocument,
  create: Operation,
): { readonly item: string; readonly expression: string } | null => {
  for (const link of create.links) {
    const target = operations.find((operation) => isTarget(link, operation));
    const item = target === undefined ? undefined : withoutSlash(target.path);
    if (item !== undefined && isOfAnother(operations, create, item)) continue;
    const [id = '', ...others] = item === undefined ? [] : pathParameters({ path: item }).toReversed();
    const expression = link.parameters[id];
    const isPlain = others.every((name) => pathParameters(create).includes(name));
    if (expression === undefined || isOtherMember(create, memberIn(expression), root)) continue;
    if (item?.endsWith(`{${id}}`) && isPlain) return { item, expression };
  }
  return null;
};

const bodyPrefix = '$response.body#';
const headerPrefix = '$response.header.';

/** The name of the member that an expression reads; null: it reads no body. */
export const memberIn = (expression: string): string | null =>
  expression.startsWith(bodyPrefix)
    ? (fromPointer(expression.slice(bodyPrefix.length)).at(-1) ?? null)
    : null;

/** The value of a runtime expression (OpenAPI 3.1, 4.8.20.3), or a constant. Undefined: the response has none. */
export const evaluate = (
  expression: string,
  response: ApiResponse,
  path: Readonly<Record<string, Json>>,
): Json | undefined => {
  if (expression.startsWith(bodyPrefix))
    return fromPointer(expression.slice(bodyPrefix.length)).reduce<Json | undefined>(
      (part, step) =>
        Array.isArray(part)
          ? part[Number(step)]
          : part !== undefined && isJsonObject(part)
            ? part[step]
            : undefined,
      response.json,
    );
  if (expression.startsWith(headerPrefix)) return response.header(expression.slice(headerPrefix.length))[0];
  if (expression.startsWith('$request.path.')) return path[expression.slice('$request.path.'.length)];
  return expression.startsWith('$') ? undefined : expression;
};
