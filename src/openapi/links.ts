import { fromPointer } from '../json/pointer.ts';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema.ts';
import type { OperationLink } from './document.ts';

/** Reads the Link Objects of an operation's responses (OpenAPI 3.1, 4.8.20). A link without a target in this document is left out. */
export function readLinks(
  responses: SchemaObject,
  follow: (part: unknown) => SchemaObject,
): readonly OperationLink[] {
  return Object.entries(responses)
    .filter(([status]) => /^2/.test(status))
    .flatMap(([, response]) => Object.values(follow(follow(response).links)))
    .flatMap((described): readonly OperationLink[] => {
      const { operationId, operationRef, parameters } = follow(described);
      const target = typeof operationId === 'string' ? operationId : targetOf(operationRef);
      return target === null ? [] : [{ target, parameters: textsIn(parameters) }];
    });
}

/** `GET /pets/{petId}` for `#/paths/~1pets~1{petId}/get`; null: it leads elsewhere. */
function targetOf(reference: unknown): string | null {
  if (typeof reference !== 'string' || !reference.startsWith('#/paths/')) return null;
  const [, path = '', method = ''] = fromPointer(decodeURI(reference.slice(1)));
  return `${method.toUpperCase()} ${path}`;
}

/** Runtime expressions, and constants as text, by the name of the parameter without its place. */
function textsIn(parameters: unknown): Readonly<Record<string, string>> {
  if (!isSchemaObject(parameters)) return {};
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replace(/^(path|query|header|cookie)\./, ''),
      String(value),
    ]),
  );
}
