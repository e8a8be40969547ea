import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, handle, type ResponseFilter, respondInFront } from '../patch-kit/core.ts';
import { refusing } from '../patch-kit/keys.ts';
import { rateHeaders } from '../patch-kit/rate-limits.ts';
import { editJson, errorReply, htmlPage, mergeReply, removeHeaders } from '../patch-kit/responses.ts';
import { type Reply, textReply } from '../reply.ts';
import { mixed } from './family.ts';

const listed: ResponseFilter = { operation: 'listPets', status: 200 };
const errors: ResponseFilter = { status: [400, 401, 404] };

/** What fails if no list and no creation works. */
const noCollection = [
  'GEN-1',
  'GEN-4',
  'ERR-1',
  'RATE-1',
  'LIST-4',
  'LIST-8',
  'CREATE-1',
  ...['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4'],
];
const noCreation = ['CREATE-5', 'CREATE-6', 'CREATE-7'];

/** The router knows the collection only with a slash at its end. */
const slashOnly = (respond: (call: Call, location: string) => Reply): Patch =>
  respondInFront((call) =>
    call.url.pathname.endsWith('/pets') ? respond(call, `${call.url.pathname}/${call.url.search}`) : null,
  );

const redirect = (status: number, location: string): Reply => ({ status, headers: { location }, body: null });

/** The page that Django shows for a POST that it would redirect. */
const cannotRedirect = textReply(
  500,
  'text/html; charset=utf-8',
  `<!DOCTYPE html><html lang="en"><head><title>RuntimeError at /v1/pets</title></head><body><h1>RuntimeError at /v1/pets</h1><pre class="exception_value">You called this URL via POST, but the URL doesn&#x27;t end in a slash and you have APPEND_SLASH set.</pre><p>You're seeing this error because you have <code>DEBUG = True</code> in your Django settings file.</p></body></html>`,
);

/** Errors as a framework writes them, within the rate limits. */
const errorsAs = (body: (error: JsonObject) => JsonObject, filter: ResponseFilter = errors): Patch =>
  editJson(filter, (error) => (isJsonObject(error) ? body(error) : error));

const detail = ({ message }: JsonObject): JsonObject => ({ detail: message ?? '' });

const wrapped = { companions: ['GEN-3', 'LIST-8'] };
const wrongErrors = { companions: ['GEN-3', 'GET-2', 'GET-3'] };

/** The body parser refuses malformed JSON before the application runs. */
const ofTheParser: ResponseFilter = {
  operation: 'createPet',
  status: 400,
  when: ({ body }) =>
    body !== null &&
    'json' in body &&
    isJsonObject(body.json) &&
    String(body.json.message).includes('is not JSON'),
};

const crashed = textReply(
  500,
  'text/plain; charset=utf-8',
  'Traceback (most recent call last):\n  File "/srv/app/views.py", line 41, in create\n    name = body["name"]\nTypeError: \'NoneType\' object is not subscriptable\n',
);

const isNullBody = async (call: Call): Promise<boolean> => {
  const body = await call.body();
  return body.ok && new TextDecoder().decode(body.bytes).trim() === 'null';
};

/** Mistakes that the defaults of widespread frameworks make on a first day. */
export const firstDayFaults = mixed({
  'collection-redirected-to-a-slash': [
    'LIST-1',
    'The route of the collection ends in a slash: /pets is redirected to /pets/ with 307.',
    slashOnly((_, location) => redirect(307, location)),
    { companions: [...noCollection, ...noCreation] },
  ],
  'collection-moved-to-a-slash': [
    'LIST-1',
    'The route of the collection ends in a slash: GET /pets is redirected with 301, and POST /pets fails with a page of Django.',
    slashOnly(({ request }, location) =>
      request.method === 'POST' ? cannotRedirect : redirect(301, location),
    ),
    { companions: [...noCollection, ...noCreation] },
  ],
  'list-in-pages-of-results': [
    'LIST-1',
    'Lists are pages: {"count": n, "next": null, "previous": null, "results": […]}.',
    editJson(listed, (results) => ({
      ...{ count: BigInt(Array.isArray(results) ? results.length : 0), next: null, previous: null },
      results,
    })),
    wrapped,
  ],
  'list-in-pages-of-content': [
    'LIST-1',
    'Lists are pages: {"content": […], "totalElements": n, "number": 0}.',
    editJson(listed, (content) => ({
      content,
      ...{ totalElements: BigInt(Array.isArray(content) ? content.length : 0), number: 0n },
    })),
    wrapped,
  ],
  'pages-of-results-and-pages-for-browsers': [
    'LIST-1',
    'Lists are pages with results, and a client that prefers HTML gets a page for browsers.',
    compose(
      editJson(listed, (results) => ({ next: null, results })),
      mergeReply({ method: 'GET', status: 200 }, (_, { request }) =>
        (request.headers.get('accept') ?? '').startsWith('text/html') ? htmlPage(200, 'Pets') : {},
      ),
    ),
    { companions: ['GEN-2', 'GEN-3', 'GET-1', 'GET-4', 'LIST-4', 'LIST-8'] },
  ],
  'wrong-keys-forbidden': [
    'AUTH-1',
    'A missing or an invalid key gets 403: no authenticator gives a challenge.',
    refusing((call) => (call.grant === null ? errorReply(403, 'forbidden', 'No key')(call) : null)),
    { companions: ['AUTH-2', 'AUTH-3', 'AUTH-4', 'GEN-1'] },
  ],
  'errors-as-detail': [
    'ERR-1',
    'Every error is {"detail": …}, as of Django REST framework.',
    errorsAs(detail),
    wrongErrors,
  ],
  'errors-with-a-status-code': [
    'ERR-1',
    'Every error is {"statusCode": …, "message": …}, as of NestJS.',
    errorsAs(({ message, status }) => ({ statusCode: status ?? 0n, message: message ?? '' })),
    wrongErrors,
  ],
  'errors-of-the-router-as-pages': [
    'ERR-1',
    'A 404 is the page of the router; other errors are Errors.',
    mergeReply({ status: 404 }, () => htmlPage(404, 'Not Found')),
    { companions: ['GEN-2', 'GET-2', 'GET-3'] },
  ],
  'no-rate-headers-on-malformed-bodies': [
    'RATE-1',
    'The body parser refuses malformed JSON before the rate limit headers are set.',
    removeHeaders(rateHeaders, ofTheParser),
  ],
  'no-rate-headers-outside-of-handlers': [
    'RATE-1',
    'Handlers set the rate limit headers: a 401 of the guard, a 400 of the body parser, and a 404 have none.',
    compose(removeHeaders(rateHeaders, ofTheParser), removeHeaders(rateHeaders, { status: [401, 404] })),
  ],
  'null-body-shows-its-exception': [
    'GEN-4',
    'A body null raises an exception, and the 500 shows it.',
    handle('createPet', async (call, before) => ((await isNullBody(call)) ? crashed : before(call))),
    { companions: ['CREATE-7', 'GEN-1'] },
  ],
});
