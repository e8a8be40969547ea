import type { IncomingRequest } from '../incoming.ts';
import type { Call } from '../parts.ts';

type About = (call: Pick<Call, 'request'>) => boolean;

/** Selects messages that are malformed in this way, or have no length. */
export const isMessage =
  (framing: NonNullable<IncomingRequest['framing']>): About =>
  ({ request }) =>
    request.framing === framing;

/** Selects messages with so large a header. */
export const hasHeadersAbove =
  (bytes: number): About =>
  ({ request }) =>
    (request.headers.get('x-padding')?.length ?? 0) > bytes;
