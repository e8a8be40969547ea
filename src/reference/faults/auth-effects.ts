import { isJsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { editJson, perServer, removeHeaders, replace, setHeader, setStatus, together } from '../patches.ts';
import { hasToken, isKeyless, refusing, schemeAndRest } from './auth-breaches.ts';

/** Creates the animal all the same; the answer to the request stays the refusal. */
const create = async (call: Call): Promise<null> => {
  await call.parts.handlers.createPet(call);
  return null;
};

/** The body of a creation, as an object. */
async function sentIn(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const body = await call.body();
  const parsed = body.ok ? call.parts.parseBody(body.bytes, call) : null;
  return parsed?.ok && isJsonObject(parsed.value) ? parsed.value : {};
}

const effect = (
  name: string,
  description: string,
  stores: (call: Call) => boolean | Promise<boolean>,
): Fault => ({
  name,
  requirement: 'AUTH-5',
  companions: [],
  description,
  patch: refusing(async (call) => ((await stores(call)) ? create(call) : null), 'createPet'),
});

/** Mistakes in what a refused request leaves behind. */
export const authEffectFaults: readonly Fault[] = [
  effect('refused-creation-stored', 'The animal is stored before the key is looked at.', () => true),
  effect('keyless-creation-stored', 'Without a key the animal is stored, and 401 is the answer.', isKeyless),
  effect(
    'creation-with-invalid-key-stored',
    'With an invalid key the animal is stored, and 401 is the answer.',
    hasToken,
  ),
  effect(
    'refused-creation-with-a-status-stored',
    'A refused creation is stored if it sends a status.',
    async (call) => (await sentIn(call)).status !== undefined,
  ),
  effect(
    'refused-creation-without-a-status-stored',
    'A refused creation is stored if it sends no status.',
    async (call) => (await sentIn(call)).status === undefined,
  ),
  {
    name: 'refused-creation-stored-later',
    requirement: 'AUTH-5',
    companions: [],
    description:
      'A refused creation stays in a queue, and is stored along with the next one that is accepted.',
    patch: perServer(() => {
      const queue: Call[] = [];
      return together(
        replace('handlers', (before) => ({
          ...before,
          createPet: async (call) => {
            for (const refused of queue.splice(0)) await before.createPet(refused);
            return before.createPet(call);
          },
        })),
        refusing(async (call) => {
          // Read now: the body of a request that was answered is gone.
          await call.body();
          queue.push(call);
          return null;
        }, 'createPet'),
      );
    }),
  },
  {
    name: 'refused-creation-in-filtered-lists',
    requirement: 'AUTH-5',
    companions: [],
    description: 'A refused creation enters the index by status, so that it is listed under its status only.',
    patch: perServer(() => {
      const indexed = new Set<bigint>();
      return together(
        refusing(async (call) => {
          const { body } = await call.parts.handlers.createPet(call);
          const created = body !== null && 'json' in body && isJsonObject(body.json) ? body.json.id : null;
          if (typeof created === 'bigint') indexed.add(created);
          return null;
        }, 'createPet'),
        replace('select', (before) => (pets, query, call) => {
          if (query.status !== undefined) return before(pets, query, call);
          return before(
            [...pets].filter(({ id }) => !indexed.has(id)),
            query,
            call,
          );
        }),
      );
    }),
  },
];

const schemeAsWritten: Patch = replace('credential', (before) => (arrival) => {
  const written = arrival.request.headers.get('authorization')?.startsWith('Bearer ') ?? false;
  return written || schemeAndRest(arrival)[0] !== 'bearer' ? before(arrival) : null;
});

const refusedForItsCase = {
  status: 401,
  when: (_reply: unknown, { request }: Call) =>
    request.headers.get('authorization')?.startsWith('bearer ') === true,
};

/** Mistakes in how a 401 is put, and how a scheme is read: RFC 9110 asks for it. */
export const challengeFaults: readonly Fault[] = [
  {
    name: 'no-challenge',
    requirement: 'AUTH-6',
    companions: [],
    description: 'No 401 carries WWW-Authenticate.',
    patch: removeHeaders(['www-authenticate']),
  },
  {
    name: 'no-challenge-for-an-invalid-key',
    requirement: 'AUTH-6',
    companions: [],
    description: 'WWW-Authenticate comes where the key is missing, and not where it is invalid.',
    patch: removeHeaders(['www-authenticate'], { when: (_reply, call) => hasToken(call) }),
  },
  {
    name: 'challenge-without-a-scheme',
    requirement: 'AUTH-6',
    companions: [],
    description: 'WWW-Authenticate names no scheme: its value is a quoted realm.',
    patch: setHeader('www-authenticate', '"animal-store"', { status: 401 }),
  },
  {
    name: 'challenge-of-another-scheme',
    requirement: 'AUTH-6',
    companions: [],
    description: 'The challenge is the default of the framework, Basic, which no key can meet.',
    patch: setHeader('www-authenticate', 'Basic realm="Realm"', { status: 401 }),
  },
  {
    name: 'scheme-in-lower-case-is-malformed',
    requirement: 'AUTH-6',
    companions: [],
    description: 'A header Authorization that does not begin with "Bearer" is malformed: 400.',
    patch: together(
      schemeAsWritten,
      editJson(refusedForItsCase, () => ({
        code: 'bad_request',
        message: 'The header Authorization is malformed',
        status: 400n,
      })),
      setStatus(400, refusedForItsCase),
    ),
  },
  {
    name: 'scheme-compared-with-case',
    requirement: 'AUTH-6',
    companions: [],
    description: 'The scheme is accepted as "Bearer" only: "bearer" is refused.',
    patch: schemeAsWritten,
  },
  {
    name: 'scheme-compared-with-case-and-refusals-limited-alike',
    requirement: 'AUTH-6',
    companions: [],
    description:
      'The scheme is accepted as "Bearer" only; what is refused is counted apart, with the limit that a key has.',
    patch: together(
      schemeAsWritten,
      replace('windows', (before) => (grant) => before(grant ?? { key: '', plan: 'business' })),
    ),
  },
];
