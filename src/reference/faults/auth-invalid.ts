import type { Fault } from '../patch.ts';
import { perServer, replace } from '../patches.ts';
import { jsonReply } from '../reply.ts';
import { admitting, authorization, comparing, hasToken, refusing } from './auth-breaches.ts';

/** Where a wrong key counts as right, it does so whatever else is wrong. */
const alsoOtherwise = ['AUTH-4'];

/** Ways of comparing a key that let others pass. */
const comparisons: readonly (readonly [name: string, description: string, matches: Comparison])[] = [
  [
    'key-compared-by-prefix',
    'Whatever the key starts with counts as the key.',
    (presented, key) => key.startsWith(presented),
  ],
  [
    'key-compared-by-suffix',
    'Whatever the key ends with counts as the key.',
    (presented, key) => key.endsWith(presented),
  ],
  [
    'longer-keys-accepted',
    'Only as many characters as the key has are compared: a longer one passes.',
    (presented, key) => presented.startsWith(key),
  ],
  [
    'key-searched-in-the-token',
    'A token passes that holds the key anywhere.',
    (presented, key) => presented.includes(key),
  ],
  [
    'key-compared-without-case',
    'The key is looked up in a column whose collation ignores case.',
    (presented, key) => presented.toLowerCase() === key.toLowerCase(),
  ],
  [
    'key-compared-by-length',
    'The comparison in constant time compares the lengths alone.',
    (presented, key) => presented.length === key.length,
  ],
  [
    'last-character-of-the-key-ignored',
    'The comparison ends one character early.',
    (presented, key) => presented.length === key.length && presented.slice(0, -1) === key.slice(0, -1),
  ],
  [
    'first-character-of-the-key-ignored',
    'The comparison starts one character late.',
    (presented, key) => presented.length === key.length && presented.slice(1) === key.slice(1),
  ],
  [
    'hyphens-in-keys-ignored',
    'Hyphens in a key are for people, and left out before it is compared.',
    (presented, key) => presented.replaceAll('-', '') === key.replaceAll('-', ''),
  ],
  [
    'middle-of-the-key-ignored',
    'Keys are compared in the abbreviated form in which they are logged: the first and the last three characters.',
    (presented, key) => abbreviated(presented) === abbreviated(key),
  ],
  [
    'key-compared-by-its-form',
    'A key is what looks like one: digits, small letters and capitals in the places where keys have them.',
    (presented, key) => formOf(presented) === formOf(key),
  ],
  [
    'characters-of-the-key-in-any-order',
    'Keys are compared by a checksum that does not depend on the order of the characters.',
    (presented, key) => [...presented].sort().join('') === [...key].sort().join(''),
  ],
  [
    'padding-of-the-key-ignored',
    'Equals signs at the end are taken for the padding of base64.',
    (presented, key) => presented.replace(/=+$/, '') === key,
  ],
  [
    'token-taken-for-a-pattern',
    'The token is a regular expression to the database, and need only match the key.',
    (presented, key) => presented === key || /^\.[*+]$/.test(presented),
  ],
];

type Comparison = (presented: string, key: string) => boolean;
const formOf = (key: string): string => key.replace(/\d/g, '0').replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A');
const abbreviated = (key: string): string => `${key.slice(0, 3)}…${key.slice(-3)}`;

/** Mistakes with keys that are presented as they should be, and are not valid. */
export const invalidKeyFaults: readonly Fault[] = [
  ...comparisons.map(([name, description, matches]) => ({
    name,
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description,
    patch: comparing(matches),
  })),
  {
    name: 'any-key-accepted',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'That there is a bearer token is all that is looked at.',
    patch: comparing(() => true),
  },
  {
    name: 'any-key-accepted-for-orders',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'GET /store/orders looks for a bearer token, and never compares it.',
    patch: admitting(hasToken, ['listOrders']),
  },
  {
    name: 'any-key-accepted-for-creations',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'POST /pets looks for a bearer token, and never compares it.',
    patch: admitting(hasToken, ['createPet']),
  },
  {
    name: 'any-key-accepted-for-one-animal',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'GET /pets/{petId} looks for a bearer token, and never compares it.',
    patch: admitting(hasToken, ['getPet']),
  },
  {
    name: 'empty-token-accepted',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'The token is compared only if it is truthy, so an empty one passes.',
    patch: admitting((arrival) => /^bearer\s*$/i.test(authorization(arrival) ?? '')),
  },
  {
    name: 'keys-looked-up-in-an-object',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'Keys are properties of an object, and what every object inherits is found as well.',
    patch: comparing((presented, key) => presented === key || presented in {}),
  },
  {
    name: 'empty-header-accepted',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'Authorization is looked at only if it is truthy, so an empty one passes.',
    patch: admitting((arrival) => authorization(arrival) === ''),
  },
  {
    name: 'key-up-to-a-space',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'Behind the scheme the next word is the key, whatever follows.',
    patch: admitting((arrival, key) => /^bearer (\S*)/i.exec(authorization(arrival) ?? '')?.[1] === key),
  },
  {
    name: 'key-behind-the-last-bearer',
    requirement: 'AUTH-2',
    // The scheme may end like Bearer.
    companions: [...alsoOtherwise, 'AUTH-3'],
    description: 'The last "Bearer " in the header is looked for, and what follows is the key.',
    patch: admitting((arrival, key) => /.*Bearer (.*)/.exec(authorization(arrival) ?? '')?.[1] === key),
  },
  {
    name: 'key-up-to-what-no-key-holds',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'A pattern takes letters, digits, hyphens and underscores from the token, whatever follows.',
    patch: admitting((arrival, key) => /^bearer ([\w-]+)/i.exec(authorization(arrival) ?? '')?.[1] === key),
  },
  {
    name: 'key-searched-with-like',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'Keys are searched with LIKE: a percent sign matches every one.',
    patch: admitting((arrival) => authorization(arrival)?.slice('Bearer '.length) === '%'),
  },
  {
    name: 'token-beyond-ascii-fails',
    requirement: 'GEN-4',
    companions: ['AUTH-2', 'GEN-1'],
    description: 'The comparison in constant time takes ASCII only: any other token ends in a 500.',
    patch: refusing((call) =>
      /[^ -~]/.test(authorization(call) ?? '')
        ? jsonReply(500, call.parts.renderError({ status: 500, code: 'internal', message: 'Oops' }, call))
        : null,
    ),
  },
  {
    name: 'invalid-key-forbidden',
    requirement: 'AUTH-2',
    companions: ['GEN-1', ...alsoOtherwise],
    description: 'An invalid key is answered with 403 in place of 401; a missing one with 401.',
    patch: refusing((call) =>
      hasToken(call)
        ? jsonReply(403, call.parts.renderError({ status: 403, code: 'forbidden', message: 'Bad key' }, call))
        : null,
    ),
  },
  {
    name: 'invalid-key-hides-the-animal',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'GET /pets/{petId} answers an invalid key with 404, as if the animal did not exist.',
    patch: refusing((call) => (hasToken(call) ? call.parts.fail('unknown-pet', call) : null), 'getPet'),
  },
  {
    name: 'invalid-key-as-an-invalid-body',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description: 'POST /pets answers an invalid key with 400, like every other invalid value.',
    patch: refusing((call) => (hasToken(call) ? call.parts.fail('invalid-body', call) : null), 'createPet'),
  },
  {
    name: 'invalid-key-served-beside-a-valid-one',
    requirement: 'AUTH-2',
    companions: alsoOtherwise,
    description:
      'The caller stands in a global variable: while a valid key is being served, an invalid one passes.',
    patch: perServer(() => {
      let underWay = 0;
      return (parts) => ({
        ...admitting((arrival) => hasToken(arrival) && underWay > 0)(parts),
        ...replace('respond', (before) => async (call) => {
          if (call.grant === null) return before(call);
          underWay += 1;
          try {
            await call.world.clock.sleep(5);
            return await before(call);
          } finally {
            underWay -= 1;
          }
        })(parts),
      });
    }),
  },
];
