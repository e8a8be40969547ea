import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { leaveOnConnection } from '../patch-kit/connections.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { isKeyless } from '../patch-kit/keys.ts';
import { ownPage } from './companions.ts';
import { family } from './family.ts';

/** Refuses creations before it reads their bodies: the next request of the connection begins with the rest. */
const leavingUnread = (isEarly: (call: Call, status: number) => boolean): Patch =>
  leaveOnConnection(
    (call, status) => call.request.method === 'POST' && call.request.body !== null && isEarly(call, status),
  );

/** Mistakes that show in the next request of a connection. */
export const connectionFaults = family(
  'GEN-4',
  {
    'body-of-an-unauthenticated-creation-left-unread': [
      'The server sends 401 before it reads the body, and keeps the connection: the next request begins with it.',
      leavingUnread((_call, status) => status === 401),
    ],
    'body-of-a-creation-without-a-key-left-unread': [
      'Without Authorization the server sends 401 before it reads the body, and keeps the connection.',
      leavingUnread((call, status) => status === 401 && isKeyless(call)),
    ],
    'body-of-another-media-type-left-unread': [
      'The server refuses a body that is not JSON for its media type, and leaves it on the connection.',
      leavingUnread(
        ({ request }, status) =>
          status >= 400 && !(request.headers.get('content-type') ?? '').includes('json'),
      ),
    ],
    'body-that-is-too-large-left-unread': [
      'A body above 100 kB gets 413 before the server reads it, which keeps the connection.',
      compose(
        replace('maxBodyBytes', () => 100_000),
        leavingUnread((_call, status) => status === 413),
      ),
    ],
  },
  { companions: ownPage },
);
