import type { Call, Parts } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { around, handle, perServer, replace, together } from '../patches.ts';
import { failOn, htmlPage } from './gen-answers.ts';

const isChunked = ({ request }: Pick<Call, 'request'>): boolean =>
  (request.headers.get('transfer-encoding') ?? '').toLowerCase() === 'chunked';

/** What is made of the chunks of a body. */
const readingChunks = (read: (chunks: readonly Uint8Array[]) => readonly Uint8Array[]): Patch =>
  replace('readBody', (before): Parts['readBody'] => async (request, max) => {
    if (!isChunked({ request })) return before(request, max);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request.body ?? []) chunks.push(chunk);
    return { ok: true, bytes: Buffer.concat(read(chunks)) };
  });

const misread = (
  name: string,
  description: string,
  read: (chunks: readonly Uint8Array[]) => readonly Uint8Array[],
): Fault => ({ name, requirement: 'CREATE-1', companions: [], description, patch: readingChunks(read) });

/** The bytes of a chunk, read by the decimal number that its size in hexadecimal digits looks like. */
const byDecimalSize = (chunk: Uint8Array): Uint8Array =>
  chunk.subarray(0, Number.parseInt(chunk.length.toString(16), 10) || 0);

/** Something is left on the connection of a creation, which spoils the next request. */
const leaving = (isLeft: (call: Call) => boolean): Patch =>
  perServer(() => {
    const spoiled = new WeakSet<object>();
    return around(async (call, next) => {
      if (spoiled.delete(call.connection)) return htmlPage(400, 'Bad request syntax');
      const reply = await next();
      if (isLeft(call)) spoiled.add(call.connection);
      return reply;
    });
  });

/** A page of the HTTP server itself. */
const ownPage = ['GEN-1', 'GEN-2', 'ERR-1', 'RATE-1'];

/** Mistakes with bodies in the chunked transfer coding, which clients send that stream. */
export const createChunkFaults: readonly Fault[] = [
  misread(
    'body-in-chunks-ignored',
    'Only Content-Length is looked at: a body in chunks counts as empty, 400.',
    () => [],
  ),
  misread('only-the-first-chunk-read', 'Of a body in chunks only the first chunk is read.', (chunks) =>
    chunks.slice(0, 1),
  ),
  misread(
    'chunk-sizes-read-as-decimal',
    'The sizes of chunks are read as decimal numbers, up to the first letter.',
    (chunks) => chunks.map(byDecimalSize),
  ),
  misread(
    'chunk-sizes-only-in-lower-case',
    'A chunk ends the body if its size has a digit in upper case.',
    (chunks) => {
      const end = chunks.findIndex(
        ({ length }, index) => index % 2 === 0 && /[a-f]/.test(length.toString(16)),
      );
      return end < 0 ? chunks : chunks.slice(0, end);
    },
  ),
  {
    name: 'bodies-in-chunks-refused',
    requirement: 'CREATE-1',
    companions: [],
    description: 'A creation without Content-Length is refused with 400.',
    patch: handle('createPet', (call, before) =>
      isChunked(call) ? call.parts.fail('invalid-body', call) : before(call),
    ),
  },
  {
    name: 'bodies-in-chunks-crash',
    requirement: 'GEN-4',
    companions: ['CREATE-1'],
    description: 'The length of a body that is sent in chunks is undefined: 500.',
    patch: failOn('createPet', isChunked),
  },
  {
    name: 'bodies-in-chunks-drop-the-connection',
    requirement: 'GEN-4',
    companions: ['CREATE-1'],
    description: 'A body in chunks ends the worker.',
    patch: failOn('createPet', isChunked, 'drop'),
  },
  {
    name: 'bodies-in-chunks-left-on-the-connection',
    requirement: 'GEN-4',
    companions: [...ownPage, 'CREATE-1'],
    description:
      'Only Content-Length is looked at: a body in chunks counts as empty, and is read as the next request.',
    patch: together(
      readingChunks(() => []),
      leaving(isChunked),
    ),
  },
  {
    name: 'last-chunk-left-on-the-connection',
    requirement: 'GEN-4',
    companions: ownPage,
    description:
      'Chunks are read until the JSON is whole: the last chunk, which is empty, joins the next request.',
    patch: leaving(isChunked),
  },
];
