import type { SchemaObject } from '../json-schema/schema.ts';

/** Lower case, without parameters. */
export const plainMediaType = (text: string): string => (text.split(';')[0] ?? '').trim().toLowerCase();

/** Tells whether a media type is JSON or based on it: `application/problem+json`. */
export const isJsonType = (mediaType: string | null): boolean =>
  /^(application\/([^;]*\+)?|text\/)json$/.test(plainMediaType(mediaType ?? ''));

/** The media type that the suite sends and expects: JSON, if the document has it, otherwise the first one. Null: there is none. */
export const preferredType = (content: SchemaObject): string | null => {
  const types = Object.keys(content);
  return types.find(isJsonType) ?? types[0] ?? null;
};

/** Tells whether a media type is in a range: `application/json` in `application/*`, in the range of all types, and in itself; `a/b+json` in `a/*+json`. */
export const covers = (range: string, mediaType: string): boolean => {
  const [before = '', after = ''] = range === '*/*' ? ['', ''] : range.split('*');
  return (
    range === mediaType || (range.includes('*') && mediaType.startsWith(before) && mediaType.endsWith(after))
  );
};
