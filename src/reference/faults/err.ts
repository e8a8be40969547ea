import type { Json } from '../../json/json.ts';
import { isMalformed } from '../malformed-path.ts';
import type { Fault, Patch } from '../patch.ts';
import { around, editFields, editJson, editReply, perServer, together, type Where } from '../patches.ts';
import { isKeyless } from './auth-breaches.ts';
import { htmlPage } from './gen-answers.ts';

const all = [400, 401, 404];
const onCreation: Where = { operation: 'createPet', status: 400 };
const onUnknownAnimal: Where = { operation: 'getPet', status: 404 };

/** Where the document gives the status an Error, its shape is that of GEN-3; a 404 is to carry one by GET-2 as well. */
const alongside = (where: Where): readonly string[] => {
  const statuses = [where.status ?? all].flat();
  const animal = where.operation === undefined || [where.operation].flat().includes('getPet');
  return ['GEN-3', ...(animal && statuses.includes(404) ? ['GET-2', 'GET-3'] : [])];
};

const misshapen = (
  name: string,
  description: string,
  where: Where,
  edit: (where: Where) => Patch,
): Fault => ({
  name,
  requirement: 'ERR-1',
  companions: alongside(where),
  description,
  patch: edit(where),
});

const fields = (set: Readonly<Record<string, Json | undefined>>) => (where: Where) =>
  editFields(where, () => set);

/** A body that is no JSON breaches GEN-2 rather than GEN-3. */
const unreadable = (
  name: string,
  description: string,
  companions: readonly string[],
  patch: Patch,
): Fault => ({
  name,
  requirement: 'ERR-1',
  companions: ['GEN-2', ...companions],
  description,
  patch,
});

const shapeFaults: readonly Fault[] = [
  misshapen(
    'errors-without-code',
    'Errors have a message and a status, and no code.',
    { status: all },
    fields({ code: undefined }),
  ),
  {
    name: 'messages-in-an-array-where-all-is-wrong',
    requirement: 'ERR-1',
    companions: ['GEN-3'],
    description: 'message in the Error of a body is an array where three mistakes or more are told.',
    patch: editFields(onCreation, ({ message }) => {
      const messages = String(message).split('; ');
      return messages.length > 2 ? { message: messages } : {};
    }),
  },
  {
    name: 'messages-in-an-array-where-both-parameters-are-wrong',
    requirement: 'ERR-1',
    companions: ['GEN-3'],
    description: 'message in the Error of a list is an array where both its parameters are wrong.',
    patch: editFields({ operation: 'listPets', status: 400 }, ({ message }, { parts, url }) => {
      const { searchParams: sent } = url;
      const readings = [parts.readLimit(sent.getAll('limit')), parts.readStatus(sent.getAll('status'))];
      return readings.some(({ ok }) => ok) ? {} : { message: [String(message)] };
    }),
  },
  misshapen(
    'unknown-animal-without-message',
    'The Error of an unknown id has no message.',
    onUnknownAnimal,
    fields({ message: undefined }),
  ),
  misshapen(
    'creation-errors-without-status',
    'The Error of an invalid body has no status.',
    onCreation,
    fields({ status: undefined }),
  ),
  misshapen('error-status-as-string', 'status in an Error is a string: "404".', { status: all }, (where) =>
    editFields(where, ({ status }) => ({ status: String(status) })),
  ),
  misshapen(
    'error-code-as-number',
    'code in the Error of an invalid body is a number.',
    onCreation,
    fields({ code: 1001n }),
  ),
  misshapen(
    'error-messages-in-an-array',
    'message in the Error of an invalid body is an array, one item a mistake.',
    onCreation,
    (where) => editFields(where, ({ message }) => ({ message: [message ?? null] })),
  ),
  misshapen(
    'missing-key-message-null',
    'message is null where the key is missing.',
    { status: 401, when: (_reply, call) => isKeyless(call) },
    fields({ message: null }),
  ),
  misshapen('errors-in-an-envelope', 'Errors are wrapped: {"error": {…}}.', { status: all }, (where) =>
    editJson(where, (error) => ({ error })),
  ),
  misshapen(
    'unauthenticated-as-a-word',
    'A 401 is the JSON string "Unauthorized".',
    { status: 401 },
    (where) => editJson(where, () => 'Unauthorized'),
  ),
  misshapen(
    'errors-in-a-list',
    'The Error of an invalid body is the item of an array.',
    onCreation,
    (where) => editJson(where, (error) => [error]),
  ),
  misshapen(
    'errors-as-problems',
    'An unknown id gets a problem of RFC 9457: type, title, status, detail.',
    onUnknownAnimal,
    (where) =>
      editJson(where, () => ({
        type: 'about:blank',
        title: 'Not Found',
        status: 404n,
        detail: 'No such animal',
      })),
  ),
  misshapen(
    'malformed-json-as-framework-detail',
    'Malformed JSON gets the framework\'s own 400: {"detail": …}.',
    { ...onCreation, when: ({ body }) => JSON.stringify(body, written).includes('is not JSON') },
    (where) => editJson(where, () => ({ detail: 'JSON parse error' })),
  ),
  misshapen(
    'orders-401-in-an-envelope',
    'The 401 of GET /store/orders alone is wrapped: {"error": …}.',
    { operation: 'listOrders', status: 401 },
    (where) => editJson(where, (error) => ({ error })),
  ),
  misshapen(
    'empty-object-for-a-deprecated-error',
    'The 401 of GET /pets/{petId} is {}.',
    { operation: 'getPet', status: 401 },
    (where) => editJson(where, () => ({})),
  ),
];

/** `JSON.stringify` knows no bigint. */
function written(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

const pageFaults: readonly Fault[] = [
  unreadable(
    'unauthenticated-without-a-body',
    'A 401 has no body.',
    [],
    editReply({ status: 401 }, (reply) => ({ ...reply, body: null })),
  ),
  unreadable(
    'unknown-animal-as-a-page',
    "An unknown id gets the framework's HTML page for 404.",
    ['GET-2', 'GET-3'],
    asPage(onUnknownAnimal, 'Not Found'),
  ),
  unreadable(
    'malformed-json-as-a-page',
    "Malformed JSON gets the framework's HTML page for 400.",
    [],
    asPage(
      { ...onCreation, when: ({ body }) => JSON.stringify(body, written).includes('is not JSON') },
      'Bad Request',
    ),
  ),
  unreadable(
    'malformed-percent-as-a-page',
    "Malformed percent-encoding in a path gets the framework's HTML page for 400, before all else.",
    ['GET-3', 'AUTH-4'],
    around(async ({ url }, next) => {
      const reply = await next();
      const { body } = htmlPage(400, 'Bad Request');
      const headers = { ...reply.headers, 'content-type': 'text/html' };
      return isMalformed(url.pathname) ? { status: 400, headers, body } : reply;
    }),
  ),
];

/** The page in place of the body; all headers but the media type stay. */
function asPage(where: Where, title: string): Patch {
  return editReply(where, (reply) => {
    const page = htmlPage(reply.status, title);
    return { ...page, headers: { ...reply.headers, ...page.headers } };
  });
}

const telling = (name: string, description: string, patch: Patch): Fault => ({
  name,
  requirement: 'ERR-2',
  companions: [],
  description,
  patch,
});

const statusFaults: readonly Fault[] = [
  telling(
    'error-status-always-400',
    'status in every Error is 400.',
    editFields({ status: all }, () => ({ status: 400n })),
  ),
  telling(
    'error-status-zero',
    'status in the Error of an invalid body is 0: it was never set.',
    editFields(onCreation, () => ({ status: 0n })),
  ),
  telling(
    'unauthenticated-says-403',
    'status in the Error of a 401 is 403.',
    editFields({ status: 401 }, () => ({ status: 403n })),
  ),
  telling(
    'unknown-animal-says-500',
    'status in the Error of an unknown id is 500, as the exception said.',
    editFields(onUnknownAnimal, () => ({ status: 500n })),
  ),
  telling(
    'orders-401-says-404',
    'status in the Error of a 401 on GET /store/orders is 404.',
    editFields({ operation: 'listOrders', status: 401 }, () => ({ status: 404n })),
  ),
  telling(
    'missing-member-says-422',
    'status in the Error is 422 where a body is JSON and invalid; the answer is 400.',
    editFields(
      { ...onCreation, when: ({ body }) => !JSON.stringify(body, written).includes('is not JSON') },
      () => ({ status: 422n }),
    ),
  ),
  telling(
    'error-status-of-the-last-error',
    'All Errors are one object, whose status is set too late: it is that of the Error before.',
    perServer(() => {
      let last = 400n;
      return together(
        editFields({ status: all }, () => ({ status: last })),
        editReply({ status: all }, (reply) => {
          last = BigInt(reply.status);
          return reply;
        }),
      );
    }),
  ),
];

/** Mistakes in Errors: their shape, and the status that they tell. */
export const errorFaults: readonly Fault[] = [...shapeFaults, ...pageFaults, ...statusFaults];
