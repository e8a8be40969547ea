import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { replace, wrap } from '../patch-kit/core.ts';
import { failWith } from '../patch-kit/failures.ts';
import { hasHeadersAbove, isMessage } from '../patch-kit/messages.ts';
import { htmlPage } from '../patch-kit/responses.ts';
import type { Reply } from '../reply.ts';
import { choices } from './choices.ts';

const instead = (when: (call: Call) => boolean, respond: (call: Call) => Reply): Patch =>
  wrap(async (call, next) => (when(call) ? respond(call) : next()));

const isMalformedBody = (call: Call): boolean =>
  isMessage('malformed length')(call) || isMessage('malformed chunk size')(call);

const isMalformed = (call: Call): boolean => isMalformedBody(call) || isMessage('no host')(call);

/** What HTTP parsers do with messages that they reject (GEN-4). */
export const messageDialects = [
  ...choices('malformed-message', {
    'malformed-messages-refused-with-a-page': [
      'The HTTP parser refuses malformed messages with an HTML page.',
      instead(isMalformed, () => htmlPage(400, 'Bad Request')),
    ],
    'malformed-messages-closed': [
      'The HTTP parser closes the connection of a malformed message.',
      instead(isMalformed, () => failWith('drop')),
    ],
    'malformed-bodies-503': [
      'A cache that passes bodies on as they come responds with 503 to malformed chunks, and with 400 to a malformed length.',
      instead(isMalformedBody, ({ request }) =>
        htmlPage(request.framing === 'malformed length' ? 400 : 503, 'Error'),
      ),
    ],
    'malformed-messages-served': [
      'The HTTP parser reads the digits of a malformed length, and takes a body as one chunk if its size is malformed.',
      replace('isReadable', () => () => true),
    ],
    'missing-length-refused': [
      'A POST without a body that gives no length gets 411 from a gateway.',
      instead(isMessage('missing length'), () => htmlPage(411, 'Length Required')),
    ],
    'missing-host-refused': [
      'A message without Host gets 421 from a gateway.',
      instead(isMessage('no host'), () => htmlPage(421, 'Misdirected Request')),
    ],
  }),
  ...choices('large-header', {
    'large-headers-431': [
      'A header above 16 kB gets 431 without a body.',
      instead(hasHeadersAbove(16_000), () => ({ status: 431, headers: {}, body: null })),
    ],
    'large-headers-refused-with-a-page': [
      'A header above 8 kB gets 400 with an HTML page.',
      instead(hasHeadersAbove(8_000), () => htmlPage(400, 'Request Header Or Cookie Too Large')),
    ],
    'large-headers-closed': [
      'The connection of a header above 32 kB is closed.',
      instead(hasHeadersAbove(32_000), () => failWith('drop')),
    ],
  }),
];
