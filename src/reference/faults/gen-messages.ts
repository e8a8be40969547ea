import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { leaveOnConnection } from '../patch-kit/connections.ts';
import { compose, respondInFront, withState, wrap } from '../patch-kit/core.ts';
import { failWith } from '../patch-kit/failures.ts';
import { hasHeadersAbove, isMessage } from '../patch-kit/messages.ts';
import { htmlPage } from '../patch-kit/responses.ts';
import { ownPage } from './companions.ts';
import { family } from './family.ts';

/** The process exits on such a message: neither it nor any later request gets a response. */
const endsWith = (when: (call: Call) => boolean): Patch =>
  withState(() => {
    let hasEnded = false;
    return wrap(async (call, next) => {
      hasEnded ||= when(call);
      return hasEnded ? failWith('drop') : next();
    });
  });

const failsOn = (when: (call: Call) => boolean): Patch =>
  wrap(async (call, next) => (when(call) ? htmlPage(500, 'Internal Server Error') : next()));

const leftAfter = (message: Parameters<typeof isMessage>[0]): Patch => leaveOnConnection(isMessage(message));

/** Mistakes in parsing messages. Most servers use a library, and some configure it to be lenient. */
export const messageFaults = family('GEN-4', {
  'malformed-length-fails': [
    'Content-Length is converted to a number without a check: 500 for one with a letter.',
    failsOn(isMessage('malformed length')),
  ],
  'malformed-length-leaves-the-body': [
    'A message with a malformed Content-Length gets 400, and its body is taken for the next request.',
    leftAfter('malformed length'),
    { companions: ownPage },
  ],
  'malformed-length-ends-the-server': [
    'A malformed Content-Length ends the process: no later request gets a response.',
    endsWith(isMessage('malformed length')),
  ],
  'missing-length-crashes': [
    'Content-Length is read as a number, although a POST without a body may have none: the connection is dropped.',
    wrap(async (call, next) => (isMessage('missing length')(call) ? failWith('drop') : next())),
  ],
  'malformed-chunk-size-fails': [
    'The size of a chunk that is not a number makes the server fail: 500.',
    failsOn(isMessage('malformed chunk size')),
  ],
  'malformed-chunk-size-ends-the-body': [
    'The size of a chunk that is not a number counts as 0: the rest is taken for the next request.',
    leftAfter('malformed chunk size'),
    { companions: ownPage },
  ],
  'malformed-chunk-size-ends-the-server': [
    'The size of a chunk that is not a number ends the process: no later request gets a response.',
    endsWith(isMessage('malformed chunk size')),
  ],
  'missing-host-fails': [
    'The server looks for the tenant of a missing Host: 500.',
    failsOn(isMessage('no host')),
  ],
  'missing-host-ends-the-server': [
    'A message without Host ends the process: no later request gets a response.',
    endsWith(isMessage('no host')),
  ],
  'missing-host-leaves-the-connection-unusable': [
    'A message without Host gets 400, and what follows on its connection is taken for a part of it.',
    compose(
      respondInFront((call) => (isMessage('no host')(call) ? htmlPage(400, 'Bad Request') : null)),
      leftAfter('no host'),
    ),
    { companions: ownPage },
  ],
  'large-headers-leave-their-rest': [
    'A header above 16 kB gets 431, and the rest of it is taken for the next request.',
    compose(
      respondInFront((call) => (hasHeadersAbove(16_000)(call) ? htmlPage(431, 'Too Large') : null)),
      leaveOnConnection(hasHeadersAbove(16_000)),
    ),
    { companions: ownPage },
  ],
  'headers-above-16-kb-fail': [
    'A header above 16 kB does not fit into the log: 500.',
    failsOn(hasHeadersAbove(16_000)),
  ],
  'headers-above-64-kb-end-the-server': [
    'A header above 64 kB is written beyond a buffer, and ends the process.',
    endsWith(hasHeadersAbove(64_000)),
  ],
});
