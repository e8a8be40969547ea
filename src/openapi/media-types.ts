import { follow, type SchemaObject } from '../json-schema/schema.ts';
import type { ApiDocument, Operation } from './document.ts';

/** An operation as the document writes it, and the path item that it stands in. */
export const writtenOperation = (
  { root }: Pick<ApiDocument, 'root'>,
  { path, method }: Pick<Operation, 'path' | 'method'>,
): { readonly item: SchemaObject; readonly operation: SchemaObject } => {
  const item = follow(follow(follow(root, root).paths, root)[path], root);
  return { item, operation: follow(item[method.toLowerCase()], root) };
};

/** Every media type that the document gives for a response (`status` as it stands there), without parameters, in lower case. */
export const mediaTypesOf = (document: ApiDocument, of: Operation, status: string): readonly string[] => {
  const { operation } = writtenOperation(document, of);
  const response = follow(follow(operation.responses, document.root)[status], document.root);
  return Object.keys(follow(response.content, document.root)).map(plainMediaType);
};

/** Lower case, without parameters. */
export const plainMediaType = (text: string): string => (text.split(';')[0] ?? '').trim().toLowerCase();

/** JSON itself, and what is written in it: `application/problem+json`. */
export const isJsonType = (mediaType: string | null): boolean =>
  /^(application\/([^;]*\+)?|text\/)json$/.test(mediaType ?? '');

/** Tells whether a media type is in a range: `application/json` in `application/*`, in the range of all types, and in itself; `a/b+json` in `a/*+json`. */
export const covers = (range: string, mediaType: string): boolean => {
  const [before = '', after = ''] = range === '*/*' ? ['', ''] : range.split('*');
  return (
    range === mediaType || (range.includes('*') && mediaType.startsWith(before) && mediaType.endsWith(after))
  );
};
