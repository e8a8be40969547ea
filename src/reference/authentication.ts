import type { Incoming, Parts } from './parts.ts';

/** RFC 6750 2.1; the scheme's name is case-insensitive (RFC 9110 11.1). */
const bearer = /^bearer +([\x21-\x7e]+) *$/i;

const credential = ({ request }: Incoming): string | null =>
  bearer.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;

/** Section "Authentication": the key counts only as a bearer token. */
export const authenticationParts = {
  authenticate: (arrival) => {
    const { parts, state } = arrival;
    const presented = parts.credential(arrival);
    if (presented === null) return null;
    return state.keys.find(({ key }) => parts.keyMatches(presented, key)) ?? null;
  },
  credential,
  keyMatches: (presented, key) => presented === key,
  unauthenticated: (call) => {
    const reply = call.parts.fail('unauthenticated', call);
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Bearer realm="animal-store"' } };
  },
} satisfies Partial<Parts>;
