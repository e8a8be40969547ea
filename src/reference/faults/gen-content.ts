import type { Call } from '../parts.ts';
import { replaceOperation } from '../patch-kit/core.ts';
import { failOn } from '../patch-kit/failures.ts';
import { asPage, errorReply } from '../patch-kit/responses.ts';
import { mixed } from './family.ts';

const header = ({ request }: Call, name: string): string => request.headers.get(name) ?? '';

/** Mistakes with headers that describe a body, and with Accept. */
export const contentFaults = mixed({
  'odd-parameters-of-the-media-type-crash': [
    'GEN-4',
    'An unknown charset, or multipart/form-data without a boundary, raises an exception: 500.',
    failOn('createPet', (call) =>
      /^multipart\/(?!.*boundary=)|charset=(?!"?utf-?8)/i.test(header(call, 'content-type')),
    ),
  ],
  'body-decoded-by-its-charset-crashes': [
    'GEN-4',
    'The server decodes a body by its charset: bytes that are not UTF-16 raise an exception, 500.',
    failOn('createPet', async (call) => {
      const body = await call.body();
      return /charset=utf-16/i.test(header(call, 'content-type')) && body.ok && body.bytes.length % 2 === 1;
    }),
  ],
  'accept-compared-as-text': [
    'GEN-1',
    'The server compares Accept with "application/json" as text: other values get 406.',
    replaceOperation(['listPets', 'getPet'], async (call, next) => {
      const reply = await next();
      if (call.grant === null || header(call, 'accept') === 'application/json') return reply;
      const { status, body } = errorReply(406, 'not_acceptable')(call);
      return { ...reply, status, body };
    }),
    { companions: ['GET-1', 'GET-2', 'GET-3', 'GET-4', 'LIST-1', 'LIST-4', 'LIST-8'] },
  ],
  'refusals-in-html-unless-json-is-asked-for': [
    'GEN-2',
    'Errors are HTML pages unless Accept contains json.',
    asPage({ status: [400, 401, 404], when: (_, call) => !header(call, 'accept').includes('json') }, 'Error'),
    { companions: ['ERR-1', 'GET-2', 'GET-3', 'AUTH-1', 'AUTH-2'] },
  ],
  'pages-for-browsers': [
    'GEN-2',
    'A client that prefers text/html gets an HTML page of animals.',
    asPage(
      { method: 'GET', status: 200, when: (_, call) => header(call, 'accept').startsWith('text/html') },
      'Animals',
    ),
    { companions: ['LIST-1', 'GET-1', 'GET-4', 'LIST-4', 'LIST-8'] },
  ],
  'date-that-is-none-crashes': [
    'GEN-4',
    'The server reads an invalid If-Modified-Since as a date: 500.',
    failOn('listPets', (call) => Number.isNaN(Date.parse(header(call, 'if-modified-since') || '0'))),
    { companions: ['GEN-1', 'LIST-1', 'LIST-2', 'LIST-3', 'LIST-4', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8'] },
  ],
  'no-accept-header-crashes': [
    'GEN-4',
    'The server reads a missing Accept header: 500.',
    failOn('createPet', (call) => !call.request.headers.has('accept')),
    { companions: ['GEN-1', 'CREATE-1', 'CREATE-5', 'CREATE-6', 'CREATE-7', 'CREATE-10'] },
  ],
});
