import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { withState, wrap } from '../patch-kit/core.ts';
import { hasToken } from '../patch-kit/keys.ts';
import { errorReply } from '../patch-kit/responses.ts';
import type { Reply } from '../reply.ts';
import { family } from './family.ts';

/** Refuses everything for a time after so many invalid keys in a row. */
const lockOut = (most: number, ms: number, refuse: (call: Call) => Reply): Patch =>
  withState(() => {
    let wrong = 0;
    let until = 0;
    return wrap(async (call, next) => {
      if (call.at < until) return refuse(call);
      if (call.grant !== null) wrong = 0;
      else if (hasToken(call)) wrong += 1;
      if (wrong >= most) until = call.at + ms;
      return next();
    });
  });

/** Whoever may have sent the invalid keys: the document has no lock-out. */
export const lockOutFaults = family(
  'LIST-1',
  {
    'address-locked-after-five-invalid-keys': [
      'Five invalid keys in a row lock the address out for 15 minutes: 403, with a valid key, too.',
      lockOut(5, 900_000, errorReply(403, 'locked', 'Too many attempts')),
    ],
    'keys-refused-after-ten-invalid-keys': [
      'Ten invalid keys in a row disable authentication for a minute: every key gets 401.',
      lockOut(10, 60_000, errorReply(401, 'unauthenticated', 'Too many attempts')),
    ],
  },
  { companions: ['GEN-1', 'GEN-2', 'RATE-1', 'AUTH-2', 'AUTH-6', 'LIST-4'] },
);
