import type { Call } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { editReply, instead } from '../patches.ts';
import type { Reply } from '../reply.ts';
import { problem } from './create-patches.ts';
import { failOn, htmlPage } from './gen-answers.ts';

const header = ({ request }: Call, name: string): string => request.headers.get(name) ?? '';

const asksForNoJson = (_: Reply, call: Call): boolean => !header(call, 'accept').includes('json');

/** Mistakes with what headers say of a body, and with what is asked for. */
export const contentFaults: readonly Fault[] = [
  {
    name: 'odd-parameters-of-the-media-type-crash',
    requirement: 'GEN-4',
    companions: [],
    description:
      'A charset that is not known, or multipart/form-data that names no boundary, is an exception: 500.',
    patch: failOn('createPet', (call) =>
      /^multipart\/(?!.*boundary=)|charset=(?!"?utf-?8)/i.test(header(call, 'content-type')),
    ),
  },
  {
    name: 'body-decoded-by-its-charset-crashes',
    requirement: 'GEN-4',
    companions: [],
    description: 'A body is decoded as its charset says: bytes that are not UTF-16 are an exception, 500.',
    patch: failOn('createPet', async (call) => {
      const body = await call.body();
      return /charset=utf-16/i.test(header(call, 'content-type')) && body.ok && body.bytes.length % 2 === 1;
    }),
  },
  {
    name: 'accept-compared-as-text',
    requirement: 'GEN-1',
    companions: ['GET-1', 'GET-2', 'GET-3', 'GET-4', 'LIST-1', 'LIST-4', 'LIST-8'],
    description:
      'Accept is compared with application/json as a text: whoever accepts more than that gets 406.',
    patch: instead(['listPets', 'getPet'], async (call, next) => {
      const reply = await next();
      if (call.grant === null || header(call, 'accept') === 'application/json') return reply;
      const { status, body } = problem(406, 'not_acceptable')(call);
      return { ...reply, status, body };
    }),
  },
  {
    name: 'refusals-in-html-unless-json-is-asked-for',
    requirement: 'GEN-2',
    companions: ['ERR-1', 'GET-2', 'GET-3', 'AUTH-1', 'AUTH-2'],
    description: 'Errors are pages for people, but for those whose Accept names JSON.',
    patch: editReply({ status: [400, 401, 404], when: asksForNoJson }, (reply) => {
      const page = htmlPage(reply.status, 'Error');
      return { ...page, headers: { ...reply.headers, ...page.headers } };
    }),
  },
  {
    name: 'pages-for-browsers',
    requirement: 'GEN-2',
    companions: ['LIST-1', 'GET-1', 'GET-4', 'LIST-4', 'LIST-8'],
    description: 'Whoever prefers text/html gets a page that people can browse the animals on.',
    patch: editReply(
      { method: 'GET', status: 200, when: (_, call) => header(call, 'accept').startsWith('text/html') },
      (reply) => {
        const page = htmlPage(reply.status, 'Animals');
        return { ...page, headers: { ...reply.headers, ...page.headers } };
      },
    ),
  },
  {
    name: 'date-that-is-none-crashes',
    requirement: 'GEN-4',
    companions: ['GEN-1', 'LIST-1', 'LIST-2', 'LIST-3', 'LIST-4', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8'],
    description: 'If-Modified-Since is read as a date without a look whether it is one: 500.',
    patch: failOn('listPets', (call) => Number.isNaN(Date.parse(header(call, 'if-modified-since') || '0'))),
  },
  {
    name: 'no-accept-header-crashes',
    requirement: 'GEN-4',
    companions: ['GEN-1', 'CREATE-1', 'CREATE-5', 'CREATE-6', 'CREATE-7', 'CREATE-10'],
    description: 'Whether Accept has a part is asked of a header that is not there: 500 without one.',
    patch: failOn('createPet', (call) => !call.request.headers.has('accept')),
  },
];
