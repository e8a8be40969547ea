import { isJsonObject, type Json } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { both, follow, type JsonSchema, type SchemaObject } from '../json-schema/schema.ts';
import type { BodyEncoding, RequestBody } from './document.ts';
import { isJsonType, plainMediaType } from './media-types.ts';
import { percentEncode, serializeParameter } from './serialize-parameter.ts';

/** How a body is written. */
export type BodyForm = 'json' | 'form' | 'multipart' | 'text' | 'binary';

const forms: Readonly<Record<string, BodyForm>> = {
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
  'text/plain': 'text',
  'application/octet-stream': 'binary',
};

/** How bodies of a media type are written. Null: no valid body can be generated for it, for example an image. */
export const formOf = (mediaType: string): BodyForm | null =>
  isJsonType(mediaType) ? 'json' : (forms[plainMediaType(mediaType)] ?? null);

const wholeTypes: Readonly<Record<BodyForm, JsonSchema>> = {
  json: true,
  form: { type: 'object' },
  multipart: { type: 'object' },
  text: { type: ['string', 'number', 'boolean'] },
  binary: { type: 'string' },
};

/** The schema of the values that can be written as a body: a form is an object, for example. */
export const writableSchema = (form: BodyForm, schema: JsonSchema): JsonSchema =>
  both(schema, form === 'text' && schema === true ? { type: 'string' } : wholeTypes[form]);

/** A body as it is sent. */
export interface WrittenBody {
  readonly text: string;
  /** With the boundary of a multipart body. */
  readonly mediaType: string;
}

/**
 * Writes a value as a request body (OpenAPI 3.1, 4.8.14 and 4.8.15). The value must be writable, see `validBody`.
 * @param root the document that the schema's references are in
 */
export function writeBody(body: RequestBody, value: Json, root: unknown): WrittenBody {
  const { mediaType } = body;
  const form = formOf(mediaType);
  if (form === 'form') return { mediaType, text: formMembers(value).map(toPair(body)).join('&') };
  if (form === 'multipart') return toMultipart(mediaType, formMembers(value).flatMap(toParts(body, root)));
  return { mediaType, text: form === 'json' ? stringifyJson(value) : plainText(value) };
}

type Entry = readonly [name: string, value: Json];

/** The members of a form. It has neither null nor an empty list: such a member is missing. */
export const formMembers = (value: Json): readonly Entry[] =>
  isJsonObject(value)
    ? Object.entries(value).filter(([, member]) => member !== null && !isEmptyList(member))
    : [];

const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0;

/** An object within a form is JSON text, as OpenAPI says. */
const plainText = (value: Json): string => (typeof value === 'object' ? stringifyJson(value) : String(value));

const itemsOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value]);

const toPair =
  ({ encoding }: RequestBody) =>
  ([name, value]: Entry): string => {
    const { style, explode } = encoding[name] ?? noEncoding;
    if (style !== null)
      return serializeParameter(
        { name, in: 'query', required: false, schema: true, style, explode: explode ?? style === 'form' },
        value,
      );
    return itemsOf(value)
      .map((item) => `${percentEncode(name)}=${percentEncode(plainText(item))}`)
      .join('&');
  };

const noEncoding: BodyEncoding = { contentType: null, style: null, explode: null };

interface Part {
  readonly name: string;
  readonly text: string;
  readonly type: string | null;
  readonly isFile: boolean;
}

const toParts =
  ({ schema, encoding }: RequestBody, root: unknown) =>
  ([name, value]: Entry): readonly Part[] => {
    const isFile = isBinary(schemaOfMember(schema, name, root));
    const [given = null] = encoding[name]?.contentType?.split(',') ?? [];
    return itemsOf(value).map((item) => {
      const usual = isFile ? 'application/octet-stream' : isJsonObject(item) ? 'application/json' : null;
      return { name, text: plainText(item), type: given?.trim() ?? usual, isFile };
    });
  };

/** The schema of a member, or of its items: each of them is a part. */
const schemaOfMember = (schema: JsonSchema, name: string, root: unknown): SchemaObject => {
  const member = follow(follow(follow(schema, root).properties, root)[name], root);
  return member.type === 'array' ? follow(member.items, root) : member;
};

const isBinary = ({ format, contentMediaType, contentEncoding }: SchemaObject): boolean =>
  format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);

/** The same text for the same parts, so that a run repeats. */
const toMultipart = (mediaType: string, parts: readonly Part[]): WrittenBody => {
  const boundary = boundaryFor(parts);
  const written = parts.map(({ name, text, type, isFile }) =>
    [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${quoted(name)}"${isFile ? '; filename="file.bin"' : ''}`,
      ...(type === null ? [] : [`Content-Type: ${type}`]),
      '',
      text,
    ].join('\r\n'),
  );
  return {
    mediaType: `${plainMediaType(mediaType)}; boundary=${boundary}`,
    text: [...written, `--${boundary}--`, ''].join('\r\n'),
  };
};

const boundaryFor = (parts: readonly Part[], suffix = 0): string => {
  const boundary = `conformance-part-${suffix}`;
  return parts.some(({ text }) => text.includes(boundary)) ? boundaryFor(parts, suffix + 1) : boundary;
};

/** As browsers escape names (WHATWG HTML, multipart/form-data encoding). */
const quoted = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
