import type { Call, Parts } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { leaveOnConnection } from '../patch-kit/connections.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { failOn, respondWhen } from '../patch-kit/failures.ts';
import { errorReply, refuseAs } from '../patch-kit/responses.ts';
import { ownPage } from './companions.ts';
import { family } from './family.ts';

const isChunked = ({ request }: Pick<Call, 'request'>): boolean =>
  (request.headers.get('transfer-encoding') ?? '').toLowerCase() === 'chunked';

/** Reads a body in chunks from some of them. */
const readingChunks = (read: (chunks: readonly Uint8Array[]) => readonly Uint8Array[]): Patch =>
  replace('readBody', (before): Parts['readBody'] => async (request, max) => {
    if (!isChunked({ request })) return before(request, max);
    const chunks: Uint8Array[] = [];
    for await (const chunk of request.body ?? []) chunks.push(chunk);
    return { ok: true, bytes: Buffer.concat(read(chunks)) };
  });

/** The bytes of a chunk if the hexadecimal digits of its size are read as a decimal number. */
const byDecimalSize = (chunk: Uint8Array): Uint8Array =>
  chunk.subarray(0, Number.parseInt(chunk.length.toString(16), 10) || 0);

/** Mistakes with bodies in the chunked transfer coding, which clients send that stream. */
export const createChunkFaults = [
  ...family('GEN-5', {
    'body-in-chunks-ignored': [
      'The server reads only Content-Length: a body in chunks counts as empty, 400.',
      readingChunks(() => []),
    ],
    'only-the-first-chunk-read': [
      'The server reads only the first chunk of a body.',
      readingChunks((chunks) => chunks.slice(0, 1)),
    ],
    'chunk-sizes-read-as-decimal': [
      'The server reads the sizes of chunks as decimal numbers, up to the first letter.',
      readingChunks((chunks) => chunks.map(byDecimalSize)),
    ],
    'chunk-sizes-only-in-lower-case': [
      'A chunk ends the body if its size has an upper-case digit.',
      readingChunks((chunks) => {
        const end = chunks.findIndex(
          ({ length }, index) => index % 2 === 0 && /[a-f]/.test(length.toString(16)),
        );
        return end < 0 ? chunks : chunks.slice(0, end);
      }),
    ],
    'bodies-in-chunks-refused': [
      'A creation without Content-Length gets 400.',
      respondWhen('createPet', isChunked, refuseAs('invalid-body')),
    ],
  }),
  ...family('CREATE-1', {
    'bodies-in-chunks-have-no-media-type': [
      'The server looks for the media type only beside Content-Length: a creation in chunks gets 415.',
      respondWhen('createPet', isChunked, errorReply(415, 'unsupported-media-type')),
    ],
    'bodies-in-chunks-unprocessable': [
      'The validator gets no body before the last chunk: a creation in chunks gets 422.',
      respondWhen('createPet', isChunked, errorReply(422, 'unprocessable')),
    ],
  }),
  ...family('CREATE-2', {
    'last-byte-of-a-chunk-lost': [
      'The server reads one byte too few if the size of a chunk is a single letter: the name lacks a character.',
      readingChunks((chunks) =>
        chunks.map((chunk) => (/^[a-f]$/.test(chunk.length.toString(16)) ? chunk.subarray(0, -1) : chunk)),
      ),
    ],
  }),
  ...family('GEN-4', {
    'bodies-in-chunks-crash': [
      'The server uses the length of a body in chunks, which is undefined: 500.',
      failOn('createPet', isChunked),
      { companions: ['CREATE-1'] },
    ],
    'bodies-in-chunks-drop-the-connection': [
      'A body in chunks ends the worker.',
      failOn('createPet', isChunked, 'drop'),
      { companions: ['CREATE-1'] },
    ],
    'bodies-in-chunks-left-on-the-connection': [
      'The server reads only Content-Length: it reads the chunks as the next request.',
      compose(
        readingChunks(() => []),
        leaveOnConnection(isChunked),
      ),
      { companions: [...ownPage, 'GEN-5'] },
    ],
    'last-chunk-left-on-the-connection': [
      'The server stops reading when the JSON ends: the last, empty chunk joins the next request.',
      leaveOnConnection(isChunked),
      { companions: ownPage },
    ],
  }),
];
