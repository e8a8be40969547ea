import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { Call, Operation, Parts } from './parts.ts';
import { applyPatches, type Patch } from './patch.ts';
import type { Reply } from './reply.ts';

/** Which answers a patch is about; what is absent selects everything. */
export interface Where {
  readonly operation?: Operation | readonly Operation[];
  readonly method?: string;
  readonly status?: number | readonly number[];
  readonly when?: (reply: Reply, call: Call) => boolean;
}

const among = <Value>(wanted: Value | readonly Value[] | undefined, value: Value): boolean =>
  wanted === undefined || (Array.isArray(wanted) ? wanted.includes(value) : wanted === value);

/** Tells whether a request is for the operation; with none named, for any of the document's. */
export const isFor = (call: Call, operation?: Where['operation']): boolean =>
  call.route.operation !== null && among(operation, call.route.operation);

/** Tells whether an answer is selected. Without `operation`, answers to unknown resources are selected too. */
const selects = (where: Where, reply: Reply, call: Call): boolean =>
  (where.operation === undefined || isFor(call, where.operation)) &&
  among(where.method, call.request.method) &&
  among(where.status, reply.status) &&
  (where.when?.(reply, call) ?? true);

/** Several patches as one, applied in turn. */
export const together =
  (...patches: readonly Patch[]): Patch =>
  (parts) =>
    applyPatches(parts, patches);

/** Replaces one part by a new one made from the part so far: `replace('keyMatches', (before) => …)`. */
export const replace =
  <Name extends keyof Parts>(name: Name, make: (before: Parts[Name], parts: Parts) => Parts[Name]): Patch =>
  (parts) => ({ [name]: make(parts[name], parts) });

/** Wraps everything: sees the call before, and the finished reply after. */
export const around = (wrap: (call: Call, next: () => Promise<Reply>) => Promise<Reply>): Patch =>
  replace('around', (before) => (call, next) => wrap(call, () => before(call, next)));

/** Changes finished replies: every header is there and can be changed. */
export const editReply = (where: Where, edit: (reply: Reply, call: Call) => Reply | Promise<Reply>): Patch =>
  around(async (call, next) => {
    const reply = await next();
    return selects(where, reply, call) ? edit(reply, call) : reply;
  });

/** Sets a header of finished replies, named in lower case; undefined removes it. */
export const setHeader = (
  name: string,
  value: string | ((before: string | undefined, call: Call) => string | undefined),
  where: Where = {},
): Patch =>
  editReply(where, (reply, call) => {
    const { [name]: before, ...others } = reply.headers;
    const after = typeof value === 'string' ? value : value(before, call);
    return { ...reply, headers: after === undefined ? others : { ...others, [name]: after } };
  });

/** Removes headers, named in lower case, from finished replies. */
export const removeHeaders = (names: readonly string[], where: Where = {}): Patch =>
  together(...names.map((name) => setHeader(name, () => undefined, where)));

/** Changes the status of finished replies and nothing else: an Error's `status` stays as it was. */
export const setStatus = (status: number, where: Where): Patch =>
  editReply(where, (reply) => ({ ...reply, status }));

/** Changes JSON bodies, with integers exact. */
export const editJson = (where: Where, edit: (body: Json, call: Call) => Json): Patch =>
  editReply(where, (reply, call) =>
    reply.body !== null && 'json' in reply.body
      ? { ...reply, body: { json: edit(reply.body.json, call) } }
      : reply,
  );

/** Changes JSON objects (a Pet, an Error): `edit` gives the fields to set; undefined removes one. */
export const editFields = (
  where: Where,
  edit: (body: JsonObject, call: Call) => Readonly<Record<string, Json | undefined>>,
): Patch => editJson(where, (body, call) => (isJsonObject(body) ? withFields(body, edit(body, call)) : body));

/** Changes each Pet of successful answers, in the list as alone. */
export const editPets = (
  where: Pick<Where, 'operation' | 'when'>,
  edit: (pet: JsonObject, call: Call) => Readonly<Record<string, Json | undefined>>,
): Patch => {
  const edited = (body: Json, call: Call): Json => {
    if (Array.isArray(body)) return body.map((item: Json) => edited(item, call));
    return isJsonObject(body) ? withFields(body, edit(body, call)) : body;
  };
  const pets = ['listPets', 'createPet', 'getPet'] as const;
  return editJson({ operation: pets, ...where, status: [200, 201] }, edited);
};

/** Answers in place of the server, rate limits and all; `next` gives the server's own answer. */
export const instead = (
  operation: Where['operation'],
  answer: (call: Call, next: () => Promise<Reply>) => Promise<Reply> | Reply,
): Patch => around(async (call, next) => (isFor(call, operation) ? answer(call, next) : next()));

/** Handles an operation in place of its handler: key and limits are judged before, headers are added after. */
export const handle = (
  operation: Operation,
  answer: (call: Call, before: Parts['handlers'][Operation]) => Promise<Reply> | Reply,
): Patch =>
  replace('handlers', (before) => ({
    ...before,
    [operation]: (call: Call) => answer(call, before[operation]),
  }));

/**
 * Makes the patch anew for each server, so that variables declared in `make` are that server's own. Without it, a variable that an
 * `edit` closes over is shared by all servers.
 */
export const perServer =
  (make: () => Patch): Patch =>
  (parts) =>
    make()(parts);

/** Changes the body of a creation before it is validated: `edit` gives the fields to set; undefined removes one. */
export const editSent = (edit: (body: JsonObject) => Readonly<Record<string, Json | undefined>>): Patch =>
  replace('parseBody', (before) => (bytes, call) => {
    const parsed = before(bytes, call);
    if (!parsed.ok || !isJsonObject(parsed.value)) return parsed;
    return { ok: true, value: withFields(parsed.value, edit(parsed.value)) };
  });

/** A field may be left out if it is not required. */
const validValues = { name: 'Rex', categoryId: 1n, status: undefined } as const;

/** Accepts values of a field of NewPet that are invalid, and shows them as they were sent; a missing one has some default. */
export const accept = (
  field: 'name' | 'categoryId' | 'status',
  accepted: (value: Json | undefined) => boolean,
): Patch =>
  together(
    replace('violations', (before) => (body) => {
      const isAccepted = isJsonObject(body) && accepted(body[field]);
      return before(isAccepted ? withFields(body, { [field]: validValues[field] }) : body);
    }),
    replace('toNewPet', (before) => (body, call) => {
      const pet = before(body, call);
      if (!isJsonObject(body) || !accepted(body[field])) return pet;
      return { ...pet, extra: withFields(pet.extra, { [field]: body[field] }) };
    }),
  );

/** Moves the server's own time, so that its first request arrives at this date (RFC 3339). */
export const startAt = (date: string): Patch =>
  perServer(() => {
    let ahead: number | null = null;
    return replace('time', (before) => (now) => {
      const time = before(now);
      ahead ??= Date.parse(date) - time;
      return time + ahead;
    });
  });

/** Sets fields of a JSON object; undefined removes one. */
export const withFields = (
  object: JsonObject,
  fields: Readonly<Record<string, Json | undefined>>,
): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...object, ...fields }).filter(
      (field): field is [string, Json] => field[1] !== undefined,
    ),
  );
