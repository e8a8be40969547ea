import { isJsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, handle, replace, withState } from '../patch-kit/core.ts';
import { sentObject } from '../patch-kit/creations.ts';
import { authorization, hasToken, isKeyless, refusing, schemeAndRest } from '../patch-kit/keys.ts';
import { editJson, removeHeaders, setHeader, setStatus } from '../patch-kit/responses.ts';
import { hideFromPlainList } from '../patch-kit/store.ts';
import { family } from './family.ts';

const store = async (call: Call): Promise<null> => {
  await call.parts.handlers.createPet(call);
  return null;
};

/** Stores refused creations; the response stays the refusal. */
const storing = (when: (call: Call) => boolean | Promise<boolean>): Patch =>
  refusing(async (call) => ((await when(call)) ? store(call) : null), 'createPet');

/** Mistakes in the effects of a refused request. */
export const authEffectFaults = family('AUTH-5', {
  'refused-creation-stored': ['The server stores the animal before it checks the key.', storing(() => true)],
  'keyless-creation-stored': [
    'Without a key the server stores the animal and returns 401.',
    storing(isKeyless),
  ],
  'creation-with-invalid-key-stored': [
    'With an invalid key the server stores the animal and returns 401.',
    storing(hasToken),
  ],
  'refused-creation-with-a-status-stored': [
    'The server stores a refused creation that has a status.',
    storing(async (call) => (await sentObject(call))?.status !== undefined),
  ],
  'refused-creation-without-a-status-stored': [
    'The server stores a refused creation that has no status.',
    storing(async (call) => (await sentObject(call))?.status === undefined),
  ],
  'refused-creation-stored-later': [
    'A refused creation stays in a queue, and is stored with the next accepted one.',
    withState(() => {
      const queue: Call[] = [];
      return compose(
        handle('createPet', async (call, before) => {
          for (const refused of queue.splice(0)) await before(refused);
          return before(call);
        }),
        refusing(async (call) => {
          // Read now: the body is gone after the response.
          await call.body();
          queue.push(call);
          return null;
        }, 'createPet'),
      );
    }),
  ],
  'refused-creation-in-filtered-lists': [
    'A refused creation enters the index by status: only lists with its status show it.',
    withState(() => {
      const indexed = new Set<bigint>();
      return compose(
        refusing(async (call) => {
          const { body } = await call.parts.handlers.createPet(call);
          const id = body !== null && 'json' in body && isJsonObject(body.json) ? body.json.id : null;
          if (typeof id === 'bigint') indexed.add(id);
          return null;
        }, 'createPet'),
        hideFromPlainList(({ id }) => indexed.has(id)),
      );
    }),
  ],
});

const schemeAsWritten: Patch = replace('credential', (before) => (arrival) => {
  const isAsWritten = authorization(arrival)?.startsWith('Bearer ') ?? false;
  return isAsWritten || schemeAndRest(arrival)[0] !== 'bearer' ? before(arrival) : null;
});

const refusedForItsCase = {
  status: 401,
  when: (_reply: unknown, call: Call) => authorization(call)?.startsWith('bearer ') === true,
};

/** Mistakes in the challenge of a 401, and in reading the scheme: RFC 9110 requires both. */
export const challengeFaults = family('AUTH-6', {
  'no-challenge': ['No 401 has WWW-Authenticate.', removeHeaders(['www-authenticate'])],
  'no-challenge-for-an-invalid-key': [
    'A 401 has WWW-Authenticate if the key is missing, but not if it is invalid.',
    removeHeaders(['www-authenticate'], { when: (_reply, call) => hasToken(call) }),
  ],
  'challenge-without-a-scheme': [
    'WWW-Authenticate has no scheme: its value is a quoted realm.',
    setHeader('www-authenticate', '"animal-store"', { status: 401 }),
  ],
  'challenge-of-another-scheme': [
    'The challenge is the default of the framework, Basic.',
    setHeader('www-authenticate', 'Basic realm="Realm"', { status: 401 }),
  ],
  'scheme-in-lower-case-is-malformed': [
    'An Authorization header that does not begin with "Bearer" is malformed: 400.',
    compose(
      schemeAsWritten,
      editJson(refusedForItsCase, () => ({
        code: 'bad_request',
        message: 'The header Authorization is malformed',
        status: 400n,
      })),
      setStatus(400, refusedForItsCase),
    ),
  ],
  'scheme-compared-with-case': ['The server accepts "Bearer" and refuses "bearer".', schemeAsWritten],
  'scheme-compared-with-case-and-refusals-limited-alike': [
    'The server accepts "Bearer" only; refused requests have a separate limit, as high as that of a key.',
    compose(
      schemeAsWritten,
      replace('windows', (before) => (grant) => before(grant ?? { key: '', plan: 'business' })),
    ),
  ],
});
