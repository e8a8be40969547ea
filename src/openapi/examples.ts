import { type Json, toJson } from '../json/json.ts';
import { follow, type SchemaObject } from '../json-schema/schema.ts';
import type { ApiDocument, Operation, Parameter } from './document.ts';
import { covers, plainMediaType } from './media-types.ts';

/** An operation as the document writes it, with its path item. */
const rawOperation = (
  { root }: Pick<ApiDocument, 'root'>,
  { path, method }: Pick<Operation, 'path' | 'method'>,
): { readonly item: SchemaObject; readonly operation: SchemaObject } => {
  const item = follow(follow(follow(root, root).paths, root)[path], root);
  return { item, operation: follow(item[method.toLowerCase()], root) };
};

/** The schema's `default`, then `example` and `examples` as OpenAPI has them (by name, each with a `value`), then the schema's own. */
const examplesOf = (holder: SchemaObject, root: unknown): readonly Json[] => {
  const schema = follow(holder.schema, root);
  const named = Object.values(follow(holder.examples, root)).map((example) => follow(example, root).value);
  const listed = Array.isArray(schema.examples) ? schema.examples : [];
  return [schema.default, holder.example, ...named, schema.example, ...listed]
    .filter((value) => value !== undefined)
    .map(toJson);
};

/** The example values that the document has for a parameter. They may be invalid. */
export const parameterExamples = (
  document: ApiDocument,
  of: Operation,
  parameter: Pick<Parameter, 'name' | 'in'>,
): readonly Json[] => {
  const { item, operation } = rawOperation(document, of);
  const holder = [operation.parameters, item.parameters]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((each) => follow(each, document.root))
    .find(({ name, in: place }) => name === parameter.name && place === parameter.in);
  return holder === undefined ? [] : examplesOf(holder, document.root);
};

/** The example values that the document has for the body of a request. They may be invalid. */
export const bodyExamples = (document: ApiDocument, of: Operation): readonly Json[] => {
  const { operation } = rawOperation(document, of);
  const content = follow(follow(operation.requestBody, document.root).content, document.root);
  const isSent = (type: string) =>
    type === of.requestBody?.mediaType || covers(plainMediaType(type), 'application/json');
  const mediaType = Object.keys(content).find(isSent) ?? '';
  return examplesOf(follow(content[mediaType], document.root), document.root);
};
