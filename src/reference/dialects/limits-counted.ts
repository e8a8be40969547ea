import type { KeyGrant, Window } from '../keys.ts';
import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, replace } from '../patch-kit/core.ts';
import { showCounts } from '../patch-kit/rate-limits.ts';
import { editReply, mergeReply } from '../patch-kit/responses.ts';
import { withHeaders } from '../reply.ts';
import { choices, independent } from './choices.ts';

/** Counts only some requests of callers with a key. */
const onlyCounts = (counts: (call: Call) => boolean): Patch =>
  replace('counts', (before) => (call) => before(call) && (call.grant === null || counts(call)));

const isRead = ({ request }: Call): boolean => request.method === 'GET';

/** Counts and refuses only some requests; the headers of the others show the counts too. */
const onlyLimits = (limits: (call: Call) => boolean): Patch =>
  compose(
    onlyCounts(limits),
    replace('admit', (before) => (call) => {
      const decision = before(call);
      const isFree = call.grant !== null && !limits(call) && decision.verdict === 'limited';
      return isFree ? { ...decision, verdict: 'admitted' } : decision;
    }),
  );

/** Counts a creation after its animal is added. */
const countedOnceServed = editReply({ operation: 'createPet', status: 201 }, (reply, call) => {
  const { parts, state, at } = call;
  const limiters = state.accounts.get(parts.caller(call))?.limiters ?? [];
  for (const limiter of limiters) limiter.spend(at);
  const windowState = parts.shown(limiters.map((limiter) => limiter.windowState(at)));
  return withHeaders(reply, parts.rateLimitHeaders(windowState, call));
});

/** Returns whether a router accepts the path: a pattern of digits does not match a negative petId. */
const isRouted = ({ parts, route, state }: Call): boolean => {
  if (route.operation !== 'getPet') return true;
  const id = parts.readPetId(route.petId);
  return id !== null && (id >= 0n || state.petsById.has(id));
};

/** The limit of an address, which is not the limit of a plan. */
const ofAddress = 100;

const validParameters = ({ parts, route, url }: Call): boolean =>
  route.operation !== 'listPets' ||
  (parts.readLimit(url.searchParams.getAll('limit')).ok &&
    parts.readStatus(url.searchParams.getAll('status')).ok);

const windowsOf = (applies: (grant: KeyGrant | null) => boolean, windows: readonly Window[]): Patch =>
  replace('windows', (before) => (grant) => (applies(grant) ? windows : before(grant)));

const notCounted: Patch = replace('counts', (before) => (call) => call.grant !== null && before(call));

/** Never limits callers without a valid key: their headers are constant. */
const constant = (remaining: number): Patch =>
  compose(
    notCounted,
    showCounts((_, { grant }) => (grant === null ? { limit: 60, remaining } : {})),
  );

const ownAccounts = replace('caller', (before) => (call) => {
  const presented = call.grant === null ? call.parts.credential(call) : null;
  return presented === null ? before(call) : `invalid ${presented}`;
});

/** Choices about what counts towards a limit (RATE-12). */
export const limitsCountedDialects = [
  ...choices(
    'counted',
    {
      'counted-by-authorization-header': [
        'Requests are counted by the whole Authorization header: "bearer" and "Bearer" count separately.',
        replace('caller', (before) => (call) => {
          const lowerCase = call.request.headers.get('authorization')?.startsWith('bearer ') ?? false;
          return `${before(call)}${lowerCase ? ' in lower case' : ''}`;
        }),
      ],
      'creations-counted-only': [
        'Only creations count.',
        onlyCounts(({ route }) => route.operation === 'createPet'),
      ],
      'each-request-charged-as-two': [
        'Each request counts as two, as Remaining shows.',
        replace('limiter', (before) => (window) => {
          const limiter = before(window);
          const spend = (now: number) => {
            limiter.spend(now);
            limiter.spend(now);
          };
          return { ...limiter, spend };
        }),
      ],
      'served-creations-counted-only': [
        'Only successful creations count, and only creations are refused.',
        compose(
          onlyLimits(({ route }) => route.operation === 'createPet'),
          replace('counts', (before) => (call) => call.grant === null && before(call)),
          countedOnceServed,
        ),
      ],
      'reads-counted-only': ['Only reads count.', onlyCounts(isRead)],
      'reads-limited-only': [
        'Only reads count and are refused; creations succeed, and show what remains for reads.',
        onlyLimits(isRead),
      ],
      'orders-not-counted': [
        'Requests for orders do not count.',
        onlyCounts(({ route }) => route.operation !== 'listOrders'),
      ],
      'unknown-resources-not-counted': [
        'Requests for unknown resources do not count.',
        onlyCounts(({ route }) => route.operation !== null),
      ],
      'bad-parameters-not-counted': [
        'Lists with invalid parameters do not count.',
        onlyCounts(validParameters),
      ],
      'operations-limited-apart': [
        'Each operation has a separate limit.',
        replace('caller', (before) => (call) => `${before(call)} ${call.route.operation}`),
      ],
      'ids-that-no-route-takes-counted-by-address': [
        'A petId that no route accepts is counted by address, with another limit.',
        compose(
          replace('caller', (before) => (call) => (isRouted(call) ? before(call) : 'address')),
          showCounts(({ remaining }, call) =>
            isRouted(call) ? {} : { limit: ofAddress, remaining: Math.min(ofAddress, remaining) },
          ),
          // A path without a route is not found, also with another dialect for petIds.
          mergeReply(
            { operation: 'getPet', status: [400, 422], when: (_, call) => !isRouted(call) },
            (_, call) => {
              const { status, body } = call.parts.fail('unknown-pet', call);
              return { status, body };
            },
          ),
        ),
      ],
    },
    { needs: 'rate-limit-key' },
  ),
  ...choices(
    'anonymous',
    {
      'anonymous-not-counted': ['Requests without a valid key do not count.', notCounted],
      'anonymous-shown-a-full-limit': ['Without a valid key the headers always show 60 of 60.', constant(60)],
      'anonymous-shown-nothing': [
        'Without a valid key the headers show 0 of 60, and the response is 401.',
        constant(0),
      ],
      'anonymous-limited-early': [
        'Without a valid key the limit is 60 requests a minute.',
        windowsOf((grant) => grant === null, [{ limit: 60, seconds: 60 }]),
      ],
    },
    { needs: 'rate-limit-key' },
  ),
  ...independent({
    'invalid-keys-apart': ['Requests with an invalid key count for that key.', ownAccounts],
    'enterprise-quota': [
      'An Enterprise key has a limit of 77 requests a minute and 7,777 a day.',
      windowsOf(
        (grant) => grant?.plan === 'enterprise' && !grant.window,
        [
          { limit: 77, seconds: 60 },
          { limit: 7_777, seconds: 86_400 },
        ],
      ),
    ],
  }),
];
