import type { KeyGrant } from '../keys.ts';
import type { Patch } from '../patch.ts';
import { compose, replace, withState } from '../patch-kit/core.ts';
import { admitting, isKeyless, refusing, refusingWhen, servingComplete } from '../patch-kit/keys.ts';
import { editReply, errorReply, mergeReply } from '../patch-kit/responses.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { family } from './family.ts';

/** A key in the wrong place is a missing key, also in a request with other mistakes. */
const alsoMissing = ['AUTH-3', 'AUTH-4'];
const otherStatus = { companions: ['GEN-1', ...alsoMissing] };

/** Returns a list without a key if it was returned with a key before. */
function listsCachedInFront(clearedBy: 'createPet' | null): Patch {
  return withState(() => {
    const cache = new Map<string, Reply>();
    return compose(
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

const missingHeader = jsonReply(422, {
  detail: [{ type: 'missing', loc: ['header', 'authorization'], msg: 'Field required' }],
});

/** Mistakes with requests that have no Authorization header. */
export const missingKeyFaults = family(
  'AUTH-1',
  {
    'nobody-needs-a-key': [
      'The server compares a key only if one is sent: requests without the header succeed.',
      admitting(isKeyless),
    ],
    'orders-need-no-key': [
      'GET /store/orders is registered before the authentication middleware.',
      admitting(isKeyless, ['listOrders']),
      { companions: ['AUTH-3'] },
    ],
    'reads-need-no-key': [
      'Reads need no key: only writes are protected.',
      admitting(isKeyless, ['listPets', 'getPet']),
    ],
    'creation-needs-no-key': [
      'The authentication middleware is mounted for GET only.',
      admitting(isKeyless, ['createPet']),
    ],
    'complete-creation-needs-no-key': [
      'A valid creation with a status needs no key: it passes as internal.',
      servingComplete(isKeyless),
      { companions: [] },
    ],
    'deprecated-operation-needs-no-key': [
      'The middleware does not match the route with the path parameter.',
      admitting(isKeyless, ['getPet']),
    ],
    'lists-with-a-query-need-no-key': [
      'The middleware compares the whole URL: a list with any parameter needs no key.',
      admitting((arrival) => isKeyless(arrival) && arrival.url.search !== '', ['listPets']),
    ],
    'available-animals-need-no-key': [
      'The list of available animals is public.',
      admitting(
        (arrival) => isKeyless(arrival) && arrival.url.searchParams.get('status') === 'available',
        ['listPets'],
      ),
    ],
    'missing-key-forbidden': [
      'A missing key gets 403 instead of 401.',
      refusingWhen(isKeyless, errorReply(403, 'forbidden', 'No key')),
      otherStatus,
    ],
    'missing-key-as-a-missing-header': [
      'The framework reports a missing Authorization header as a validation error, 422.',
      refusingWhen(isKeyless, () => missingHeader),
      otherStatus,
    ],
    'missing-key-redirected-to-login': [
      'A request without a key is redirected to a login page.',
      refusingWhen(isKeyless, () => ({ status: 302, headers: { location: '/login' }, body: null })),
      otherStatus,
    ],
    'missing-key-answered-with-200': [
      'The Error for a missing key has the status 200.',
      refusingWhen(isKeyless, (call) => ({ ...call.parts.fail('unauthenticated', call), status: 200 })),
      { companions: ['GEN-1', 'GEN-3', 'LIST-1', 'GET-1', ...alsoMissing] },
    ],
    'missing-key-hides-orders': [
      'Without a key GET /store/orders gets 404, to hide that it exists.',
      refusing((call) => (isKeyless(call) ? call.parts.fail('unknown-resource', call) : null), 'listOrders'),
      { companions: ['AUTH-3'] },
    ],
    'key-remembered-by-the-connection': [
      'The key of a request applies to the next requests on its connection.',
      withState(() => {
        const grants = new WeakMap<object, KeyGrant>();
        return replace('authenticate', (before) => (arrival) => {
          const grant = before(arrival);
          if (grant !== null) grants.set(arrival.connection, grant);
          return grant ?? (isKeyless(arrival) ? (grants.get(arrival.connection) ?? null) : null);
        });
      }),
    ],
    'session-opened-with-the-key': [
      'A request with a key gets a session cookie, which then replaces the key.',
      compose(
        mergeReply(
          { when: (_reply, { grant }) => grant !== null },
          { headers: { 'set-cookie': 'sid=0123456789abcdef; Path=/; HttpOnly' } },
        ),
        admitting(({ request }) => (request.headers.get('cookie') ?? '').includes('sid=0123456789abcdef')),
      ),
      { companions: [] },
    ],
    'lists-cached-before-authentication': [
      'A cache in front of authentication returns lists without a key after one request with a key.',
      listsCachedInFront(null),
    ],
    'lists-cached-in-front-until-a-creation': [
      'A cache in front of authentication returns lists without a key; creations clear it.',
      listsCachedInFront('createPet'),
    ],
    'last-caller-remembered': [
      'The current caller is never reset: a request without a key succeeds after one with a key.',
      withState(() => {
        let served = false;
        return compose(
          admitting((arrival) => isKeyless(arrival) && served),
          editReply({}, (reply, call) => {
            served ||= call.grant !== null;
            return reply;
          }),
        );
      }),
    ],
  },
  { companions: alsoMissing },
);
