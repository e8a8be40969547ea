import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Call, Rejection } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { type Reply, textReply, withHeaders } from '../reply.ts';
import { compose, type ResponseFilter, selects, wrap } from './core.ts';

/** Fields to set in a JSON object; undefined removes one. */
export type Fields = Readonly<Record<string, Json | undefined>>;

/** Sets fields of a JSON object. */
export const withFields = (object: JsonObject, fields: Fields): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...object, ...fields }).filter(
      (field): field is [string, Json] => field[1] !== undefined,
    ),
  );

/** Changes finished responses: every header is there and can be changed. */
export const editReply = (
  filter: ResponseFilter,
  edit: (reply: Reply, call: Call) => Reply | Promise<Reply>,
): Patch =>
  wrap(async (call, next) => {
    const reply = await next();
    return selects(filter, reply, call) ? edit(reply, call) : reply;
  });

/** Merges parts of another response into finished ones; headers that it does not set stay. */
export const mergeReply = (
  filter: ResponseFilter,
  changes: Partial<Reply> | ((reply: Reply, call: Call) => Partial<Reply>),
): Patch =>
  editReply(filter, (reply, call) => {
    const { headers = {}, ...others } = typeof changes === 'function' ? changes(reply, call) : changes;
    return { ...withHeaders(reply, headers), ...others };
  });

/** Sets a header of finished responses, named in lower case; undefined removes it. */
export const setHeader = (
  name: string,
  value: string | ((before: string | undefined, call: Call) => string | undefined),
  filter: ResponseFilter = {},
): Patch =>
  editReply(filter, (reply, call) => {
    const { [name]: before, ...others } = reply.headers;
    const after = typeof value === 'string' ? value : value(before, call);
    return { ...reply, headers: after === undefined ? others : { ...others, [name]: after } };
  });

/** Removes headers, named in lower case, from finished responses. */
export const removeHeaders = (names: readonly string[], filter: ResponseFilter = {}): Patch =>
  compose(...names.map((name) => setHeader(name, () => undefined, filter)));

/** Changes only the status of finished responses: the `status` of an Error does not change. */
export const setStatus = (status: number, filter: ResponseFilter): Patch => mergeReply(filter, { status });

/** Changes JSON bodies, with integers exact. */
export const editJson = (filter: ResponseFilter, edit: (body: Json, call: Call) => Json): Patch =>
  editReply(filter, (reply, call) =>
    reply.body !== null && 'json' in reply.body
      ? { ...reply, body: { json: edit(reply.body.json, call) } }
      : reply,
  );

/** Changes JSON objects (a Pet, an Error): `edit` gives the fields to set. */
export const editFields = (filter: ResponseFilter, edit: (body: JsonObject, call: Call) => Fields): Patch =>
  editJson(filter, (body, call) => (isJsonObject(body) ? withFields(body, edit(body, call)) : body));

/** Changes each Pet of successful responses, in the list too. */
export const editPets = (
  filter: Pick<ResponseFilter, 'operation' | 'when'>,
  edit: (pet: JsonObject, call: Call) => Fields,
): Patch => {
  const edited = (body: Json, call: Call): Json => {
    if (Array.isArray(body)) return body.map((item: Json) => edited(item, call));
    return isJsonObject(body) ? withFields(body, edit(body, call)) : body;
  };
  const pets = ['listPets', 'createPet', 'getPet'] as const;
  return editJson({ operation: pets, ...filter, status: [200, 201] }, edited);
};

/** Writes JSON bodies in another way: `write` gets their JSON text. */
export const rewriteJson = (
  filter: ResponseFilter,
  write: (text: string, body: Json) => string | Uint8Array,
): Patch =>
  editReply(filter, (reply, call) => {
    if (reply.body === null || !('json' in reply.body)) return reply;
    const written = write(call.parts.stringify(reply.body.json), reply.body.json);
    return { ...reply, body: typeof written === 'string' ? { text: written } : { bytes: written } };
  });

/** A page as web frameworks show by default. */
export const htmlPage = (status: number, title: string): Reply =>
  textReply(status, 'text/html; charset=utf-8', `<!doctype html><title>${title}</title><h1>${title}</h1>`);

/** Replaces the body with an HTML page; the other headers stay. */
export const asPage = (filter: ResponseFilter, title: string): Patch =>
  mergeReply(filter, ({ status }) => htmlPage(status, title));

/** An Error of any status. */
export const errorReply =
  (status: number, code: string, message = 'The request cannot be processed') =>
  (call: Call): Reply => ({
    status,
    headers: {},
    body: { json: call.parts.renderError({ status, code, message }, call) },
  });

/** The Error of servers that do not catch an exception. */
export const internalError = errorReply(500, 'internal_error');

/** The server's own Error for a problem. */
export const refuseAs =
  (problem: Rejection) =>
  (call: Call): Reply =>
    call.parts.fail(problem, call);
