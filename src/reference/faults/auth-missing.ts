import type { KeyGrant } from '../keys.ts';
import type { Fault, Patch } from '../patch.ts';
import { editReply, perServer, replace, together } from '../patches.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { admitting, isKeyless, refusing, servingComplete } from './auth-breaches.ts';

const reads = ['listPets', 'getPet'] as const;
/** A key in the wrong place is a missing key, and it stays missing whatever else is wrong. */
const alsoMissing = ['AUTH-3', 'AUTH-4'];

/** Without a key a list is served once more that somebody got with one. */
function listsCachedInFront(clearedBy: 'createPet' | null): Patch {
  return perServer(() => {
    const cache = new Map<string, Reply>();
    return together(
      refusing((call) => (isKeyless(call) ? (cache.get(call.url.href) ?? null) : null), 'listPets'),
      editReply({ operation: 'listPets', status: 200 }, (reply, call) => {
        if (call.grant !== null) cache.set(call.url.href, { ...reply, headers: {} });
        return reply;
      }),
      editReply({ operation: 'createPet', status: 201 }, (reply) => {
        if (clearedBy !== null) cache.clear();
        return reply;
      }),
    );
  });
}

/** Mistakes with requests that carry no Authorization header. */
export const missingKeyFaults: readonly Fault[] = [
  {
    name: 'nobody-needs-a-key',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'A key is compared only where one is sent: without the header everything is served.',
    patch: admitting(isKeyless),
  },
  {
    name: 'orders-need-no-key',
    requirement: 'AUTH-1',
    companions: ['AUTH-3'],
    description: 'GET /store/orders is registered before the authentication middleware.',
    patch: admitting(isKeyless, ['listOrders']),
  },
  {
    name: 'reads-need-no-key',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'Animals can be read without a key: only writing is protected.',
    patch: admitting(isKeyless, reads),
  },
  {
    name: 'creation-needs-no-key',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'The authentication middleware is mounted for GET only.',
    patch: admitting(isKeyless, ['createPet']),
  },
  {
    name: 'complete-creation-needs-no-key',
    requirement: 'AUTH-1',
    companions: [],
    description: 'A valid creation that sets a status passes for one of the service itself: it needs no key.',
    patch: servingComplete(isKeyless),
  },
  {
    name: 'deprecated-operation-needs-no-key',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'The route with the path parameter lies outside of what the middleware matches.',
    patch: admitting(isKeyless, ['getPet']),
  },
  {
    name: 'lists-with-a-query-need-no-key',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'The middleware compares the URL as a whole: a list with any parameter needs no key.',
    patch: admitting((arrival) => isKeyless(arrival) && arrival.url.search !== '', ['listPets']),
  },
  {
    name: 'available-animals-need-no-key',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'The list of available animals is public, as a shop window.',
    patch: admitting(
      (arrival) => isKeyless(arrival) && arrival.url.searchParams.get('status') === 'available',
      ['listPets'],
    ),
  },
  {
    name: 'missing-key-forbidden',
    requirement: 'AUTH-1',
    companions: ['GEN-1', ...alsoMissing],
    description: 'A missing key is answered with 403 in place of 401.',
    patch: refusing((call) =>
      isKeyless(call)
        ? jsonReply(403, call.parts.renderError({ status: 403, code: 'forbidden', message: 'No key' }, call))
        : null,
    ),
  },
  {
    name: 'missing-key-as-a-missing-header',
    requirement: 'AUTH-1',
    companions: ['GEN-1', ...alsoMissing],
    description: 'A missing Authorization header is reported as a validation error, 422, by the framework.',
    patch: refusing((call) => (isKeyless(call) ? missingHeader : null)),
  },
  {
    name: 'missing-key-redirected-to-login',
    requirement: 'AUTH-1',
    companions: ['GEN-1', ...alsoMissing],
    description: 'Whoever sends no key is redirected to a login page, as in a browser.',
    patch: refusing((call) =>
      isKeyless(call) ? { status: 302, headers: { location: '/login' }, body: null } : null,
    ),
  },
  {
    name: 'missing-key-answered-with-200',
    requirement: 'AUTH-1',
    companions: ['GEN-1', 'GEN-3', 'LIST-1', 'GET-1', ...alsoMissing],
    description: 'The Error for a missing key is sent with the status 200.',
    patch: refusing((call) => {
      if (!isKeyless(call)) return null;
      const { unauthenticated } = call.parts.problems;
      return jsonReply(200, call.parts.renderError(unauthenticated, call));
    }),
  },
  {
    name: 'missing-key-hides-orders',
    requirement: 'AUTH-1',
    companions: ['AUTH-3'],
    description: 'Without a key GET /store/orders answers 404, so as to hide that it exists.',
    patch: refusing(
      (call) => (isKeyless(call) ? call.parts.fail('unknown-resource', call) : null),
      'listOrders',
    ),
  },
  {
    name: 'key-remembered-by-the-connection',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'The key of a request counts for those that follow it on its connection.',
    patch: perServer(() => {
      const grants = new WeakMap<object, KeyGrant>();
      return replace('authenticate', (before) => (arrival) => {
        const grant = before(arrival);
        if (grant !== null) grants.set(arrival.connection, grant);
        return grant ?? (isKeyless(arrival) ? (grants.get(arrival.connection) ?? null) : null);
      });
    }),
  },
  {
    name: 'session-opened-with-the-key',
    requirement: 'AUTH-1',
    companions: [],
    description: 'Who was served with a key gets the cookie of a session, which then stands for the key.',
    patch: together(
      editReply({ when: (_reply, { grant }) => grant !== null }, (reply) => ({
        ...reply,
        headers: { ...reply.headers, 'set-cookie': 'sid=0123456789abcdef; Path=/; HttpOnly' },
      })),
      admitting(({ request }) => (request.headers.get('cookie') ?? '').includes('sid=0123456789abcdef')),
    ),
  },
  {
    name: 'lists-cached-before-authentication',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description:
      'A cache in front of the authentication serves a list without a key, once it was served with one.',
    patch: listsCachedInFront(null),
  },
  {
    name: 'lists-cached-in-front-until-a-creation',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description:
      'A cache in front of the authentication, which every creation clears, serves a list without a key.',
    patch: listsCachedInFront('createPet'),
  },
  {
    name: 'last-caller-remembered',
    requirement: 'AUTH-1',
    companions: alsoMissing,
    description: 'The current caller is never reset: a request without a key is served as an earlier one.',
    patch: perServer(() => {
      let served = false;
      return together(
        admitting((arrival) => isKeyless(arrival) && served),
        editReply({}, (reply, call) => {
          served ||= call.grant !== null;
          return reply;
        }),
      );
    }),
  },
];

const missingHeader = jsonReply(422, {
  detail: [{ type: 'missing', loc: ['header', 'authorization'], msg: 'Field required' }],
});
