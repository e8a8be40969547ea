import { isMalformed } from '../malformed-path.ts';
import type { Call } from '../parts.ts';
import { compose, type ResponseFilter, withState, wrap } from '../patch-kit/core.ts';
import { isKeyless } from '../patch-kit/keys.ts';
import { asPage, editFields, editJson, editReply, htmlPage } from '../patch-kit/responses.ts';
import type { Reply } from '../reply.ts';
import { family } from './family.ts';

const anywhere: ResponseFilter = { status: [400, 401, 404] };
const onCreation: ResponseFilter = { operation: 'createPet', status: 400 };
const onUnknownAnimal: ResponseFilter = { operation: 'getPet', status: 404 };
const onOrdersWithoutKey: ResponseFilter = { operation: 'listOrders', status: 401 };

const isSyntaxError = ({ body }: Reply): boolean =>
  JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  ).includes('is not JSON');
const onMalformedJson: ResponseFilter = { ...onCreation, when: isSyntaxError };
const onInvalidValue: ResponseFilter = { ...onCreation, when: (reply) => !isSyntaxError(reply) };

/** A 404 must carry an Error by GET-2 and GET-3 too. */
const withUnknownAnimals = { companions: ['GEN-3', 'GET-2', 'GET-3'] };

const errorShapeFaults = family(
  'ERR-1',
  {
    'errors-without-code': [
      'Errors have no code.',
      editFields(anywhere, () => ({ code: undefined })),
      withUnknownAnimals,
    ],
    'messages-in-an-array-where-all-is-wrong': [
      'A body with three or more problems gets an array as message.',
      editFields(onCreation, ({ message }) => {
        const messages = String(message).split('; ');
        return messages.length > 2 ? { message: messages } : {};
      }),
    ],
    'messages-in-an-array-where-both-parameters-are-wrong': [
      'A list with two invalid parameters gets an array as message.',
      editFields({ operation: 'listPets', status: 400 }, ({ message }, { parts, url }) => {
        const { searchParams: sent } = url;
        const readings = [parts.readLimit(sent.getAll('limit')), parts.readStatus(sent.getAll('status'))];
        return readings.some(({ ok }) => ok) ? {} : { message: [String(message)] };
      }),
    ],
    'unknown-animal-without-message': [
      'The Error of an unknown id has no message.',
      editFields(onUnknownAnimal, () => ({ message: undefined })),
      withUnknownAnimals,
    ],
    'creation-errors-without-status': [
      'The Error of an invalid body has no status.',
      editFields(onCreation, () => ({ status: undefined })),
    ],
    'error-status-as-string': [
      'The status in an Error is a string: "404".',
      editFields(anywhere, ({ status }) => ({ status: String(status) })),
      withUnknownAnimals,
    ],
    'error-code-as-number': [
      'The code in the Error of an invalid body is a number.',
      editFields(onCreation, () => ({ code: 1001n })),
    ],
    'error-messages-in-an-array': [
      'The message in the Error of an invalid body is an array.',
      editFields(onCreation, ({ message }) => ({ message: [message ?? null] })),
    ],
    'missing-key-message-null': [
      'The message is null if the key is missing.',
      editFields({ status: 401, when: (_reply, call) => isKeyless(call) }, () => ({ message: null })),
    ],
    'errors-in-an-envelope': [
      'Errors are wrapped: {"error": {…}}.',
      editJson(anywhere, (error) => ({ error })),
      withUnknownAnimals,
    ],
    'unauthenticated-as-a-word': [
      'The 401 body is the JSON string "Unauthorized".',
      editJson({ status: 401 }, () => 'Unauthorized'),
    ],
    'errors-in-a-list': [
      'The Error of an invalid body is the item of an array.',
      editJson(onCreation, (error) => [error]),
    ],
    'errors-as-problems': [
      'An unknown id gets a problem of RFC 9457: type, title, status, detail.',
      editJson(onUnknownAnimal, () => ({
        type: 'about:blank',
        title: 'Not Found',
        status: 404n,
        detail: 'No such animal',
      })),
      withUnknownAnimals,
    ],
    'malformed-json-as-framework-detail': [
      'Malformed JSON gets the 400 body of the framework: {"detail": …}.',
      editJson(onMalformedJson, () => ({ detail: 'JSON parse error' })),
    ],
    'orders-401-in-an-envelope': [
      'Only the 401 of GET /store/orders is wrapped: {"error": …}.',
      editJson(onOrdersWithoutKey, (error) => ({ error })),
    ],
    'empty-object-for-a-deprecated-error': [
      'The 401 of GET /pets/{petId} is {}.',
      editJson({ operation: 'getPet', status: 401 }, () => ({})),
    ],
  },
  { companions: ['GEN-3'] },
);

const isMalformedPath = ({ url }: Call): boolean => isMalformed(url.pathname);

/** A body that is not JSON fails GEN-2 rather than GEN-3. */
const errorPageFaults = family(
  'ERR-1',
  {
    'unauthenticated-without-a-body': [
      'A 401 has no body.',
      editReply({ status: 401 }, (reply) => ({ ...reply, body: null })),
    ],
    'unknown-animal-as-a-page': [
      "An unknown id gets the framework's HTML page for 404.",
      asPage(onUnknownAnimal, 'Not Found'),
      { companions: ['GEN-2', 'GET-2', 'GET-3'] },
    ],
    'malformed-json-as-a-page': [
      "Malformed JSON gets the framework's HTML page for 400.",
      asPage(onMalformedJson, 'Bad Request'),
    ],
    'malformed-percent-as-a-page': [
      "Malformed percent-encoding in a path gets the framework's HTML page for 400, even without a key.",
      wrap(async (call, next) => {
        const reply = await next();
        const { body } = htmlPage(400, 'Bad Request');
        const headers = { ...reply.headers, 'content-type': 'text/html' };
        return isMalformedPath(call) ? { status: 400, headers, body } : reply;
      }),
      { companions: ['GEN-2', 'GET-3', 'AUTH-4'] },
    ],
  },
  { companions: ['GEN-2'] },
);

const errorStatusFaults = family('ERR-2', {
  'error-status-always-400': [
    'The status in every Error is 400.',
    editFields(anywhere, () => ({ status: 400n })),
  ],
  'error-status-zero': [
    'The status in the Error of an invalid body is 0: it is never set.',
    editFields(onCreation, () => ({ status: 0n })),
  ],
  'unauthenticated-says-403': [
    'The status in the Error of a 401 is 403.',
    editFields({ status: 401 }, () => ({ status: 403n })),
  ],
  'unknown-animal-says-500': [
    'The status in the Error of an unknown id is 500.',
    editFields(onUnknownAnimal, () => ({ status: 500n })),
  ],
  'orders-401-says-404': [
    'The status in the Error of a 401 on GET /store/orders is 404.',
    editFields(onOrdersWithoutKey, () => ({ status: 404n })),
  ],
  'missing-member-says-422': [
    'The status in the Error of an invalid value is 422; the response has 400.',
    editFields(onInvalidValue, () => ({ status: 422n })),
  ],
  'error-status-of-the-last-error': [
    'All Errors share one object, and its status is set too late: it is the status of the previous Error.',
    withState(() => {
      let last = 400n;
      return compose(
        editFields(anywhere, () => ({ status: last })),
        editReply(anywhere, (reply) => {
          last = BigInt(reply.status);
          return reply;
        }),
      );
    }),
  ],
});

/** Mistakes in Errors: their shape, and the status that they contain. */
export const errorFaults = [...errorShapeFaults, ...errorPageFaults, ...errorStatusFaults];
