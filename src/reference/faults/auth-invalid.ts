import type { Patch } from '../patch.ts';
import { compose, replace, withState } from '../patch-kit/core.ts';
import { admitting, authorization, comparing, hasToken, refusingWhen } from '../patch-kit/keys.ts';
import { errorReply, refuseAs } from '../patch-kit/responses.ts';
import { family } from './family.ts';

const formOf = (key: string): string => key.replace(/\d/g, '0').replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A');
const abbreviated = (key: string): string => `${key.slice(0, 3)}…${key.slice(-3)}`;
const sorted = (key: string): string => [...key].sort().join('');

/** Compares tokens and keys of one length in part. */
const comparingInPart = (part: (text: string) => string): Patch =>
  comparing((presented, key) => presented.length === key.length && part(presented) === part(key));

/** Compares tokens and keys in a form that several share. */
const comparingAs = (form: (text: string) => string): Patch =>
  comparing((presented, key) => form(presented) === form(key));

/** Reads the key from the Authorization header by the first group of a pattern. */
const readBy = (pattern: RegExp): Patch =>
  admitting((arrival, key) => pattern.exec(authorization(arrival) ?? '')?.[1] === key);

/** A wrong key that is accepted is also accepted in a request with other mistakes. */
const common = { companions: ['AUTH-4'] };

/** Mistakes in comparing a key. */
const comparisonFaults = family(
  'AUTH-2',
  {
    'key-compared-by-prefix': [
      'Any prefix of the key is accepted.',
      comparing((presented, key) => key.startsWith(presented)),
    ],
    'key-compared-by-suffix': [
      'Any suffix of the key is accepted.',
      comparing((presented, key) => key.endsWith(presented)),
    ],
    'longer-keys-accepted': [
      'The server compares as many characters as the key has: a longer token passes.',
      comparing((presented, key) => presented.startsWith(key)),
    ],
    'key-searched-in-the-token': [
      'A token that contains the key passes.',
      comparing((presented, key) => presented.includes(key)),
    ],
    'key-compared-without-case': [
      'The column of keys has a collation that ignores case.',
      comparingAs((text) => text.toLowerCase()),
    ],
    'key-compared-by-length': [
      'The comparison in constant time compares only the lengths.',
      comparing((presented, key) => presented.length === key.length),
    ],
    'last-character-of-the-key-ignored': [
      'The comparison ends one character early.',
      comparingInPart((text) => text.slice(0, -1)),
    ],
    'first-character-of-the-key-ignored': [
      'The comparison starts one character late.',
      comparingInPart((text) => text.slice(1)),
    ],
    'fifth-character-of-the-key-ignored': [
      'The comparison skips one character of the key, the fifth.',
      comparingInPart((text) => `${text.slice(0, 4)}${text.slice(5)}`),
    ],
    'third-last-character-of-the-key-ignored': [
      'The comparison skips one character of the key, the third from its end.',
      comparingInPart((text) => `${text.slice(0, -3)}${text.slice(-2)}`),
    ],
    'hyphens-in-keys-ignored': [
      'The server removes hyphens before it compares keys.',
      comparingAs((text) => text.replaceAll('-', '')),
    ],
    'middle-of-the-key-ignored': [
      'The server compares keys as the log abbreviates them: the first and the last three characters.',
      comparingAs(abbreviated),
    ],
    'key-compared-by-its-form': [
      'The server compares only the form of a key: where it has digits, small letters, and capitals.',
      comparingAs(formOf),
    ],
    'characters-of-the-key-in-any-order': [
      'The checksum of keys does not depend on the order of the characters.',
      comparingAs(sorted),
    ],
    'padding-of-the-key-ignored': [
      'The server removes equals signs at the end, as base64 padding.',
      comparing((presented, key) => presented.replace(/=+$/, '') === key),
    ],
    'token-taken-for-a-pattern': [
      'The database reads the token as a regular expression that the key must match.',
      comparing((presented, key) => presented === key || /^\.[*+]$/.test(presented)),
    ],
    'any-key-accepted': ['Any bearer token is accepted.', comparing(() => true)],
    'any-key-accepted-for-orders': [
      'GET /store/orders requires a bearer token, but does not compare it.',
      admitting(hasToken, 'listOrders'),
    ],
    'any-key-accepted-for-creations': [
      'POST /pets requires a bearer token, but does not compare it.',
      admitting(hasToken, 'createPet'),
    ],
    'any-key-accepted-for-one-animal': [
      'GET /pets/{petId} requires a bearer token, but does not compare it.',
      admitting(hasToken, 'getPet'),
    ],
    'empty-token-accepted': [
      'The server compares the token only if it is truthy: an empty token passes.',
      admitting((arrival) => /^bearer\s*$/i.test(authorization(arrival) ?? '')),
    ],
    'keys-looked-up-in-an-object': [
      'Keys are properties of an object, and inherited properties pass as keys.',
      comparing((presented, key) => presented === key || presented in {}),
    ],
    'empty-header-accepted': [
      'The server checks Authorization only if it is truthy: an empty header passes.',
      admitting((arrival) => authorization(arrival) === ''),
    ],
    'key-up-to-a-space': [
      'The server reads the word after the scheme, and ignores the rest.',
      readBy(/^bearer (\S*)/i),
    ],
    'key-behind-the-last-bearer': [
      'The server reads the key after the last "Bearer " in the header.',
      readBy(/.*Bearer (.*)/),
      // A scheme may end like Bearer.
      { companions: ['AUTH-4', 'AUTH-3'] },
    ],
    'key-up-to-what-no-key-holds': [
      'The pattern for keys reads letters, digits, hyphens, and underscores, and ignores the rest.',
      readBy(/^bearer ([\w-]+)/i),
    ],
    'key-searched-with-like': [
      'The server searches keys with LIKE: a percent sign matches every key.',
      admitting((arrival) => authorization(arrival)?.slice('Bearer '.length) === '%'),
    ],
  },
  common,
);

/** Mistakes in the response to an invalid key. */
const responseFaults = family(
  'AUTH-2',
  {
    'token-beyond-ascii-fails': [
      'The comparison in constant time fails on a token that is not ASCII: 500.',
      refusingWhen((call) => /[^ -~]/.test(authorization(call) ?? ''), errorReply(500, 'internal', 'Oops')),
      { requirement: 'GEN-4', companions: ['AUTH-2', 'GEN-1'] },
    ],
    'invalid-key-forbidden': [
      'An invalid key gets 403 instead of 401; a missing key gets 401.',
      refusingWhen(hasToken, errorReply(403, 'forbidden', 'Bad key')),
      { companions: ['GEN-1', 'AUTH-4'] },
    ],
    'invalid-key-hides-the-animal': [
      'GET /pets/{petId} with an invalid key gets 404, as if the animal did not exist.',
      refusingWhen(hasToken, refuseAs('unknown-pet'), 'getPet'),
    ],
    'invalid-key-as-an-invalid-body': [
      'POST /pets with an invalid key gets 400, like any other invalid value.',
      refusingWhen(hasToken, refuseAs('invalid-body'), 'createPet'),
    ],
    'invalid-key-served-beside-a-valid-one': [
      'The caller is a global variable: an invalid key passes while a valid one is being served.',
      withState(() => {
        let underWay = 0;
        return compose(
          admitting((arrival) => hasToken(arrival) && underWay > 0),
          replace('respond', (before) => async (call) => {
            if (call.grant === null) return before(call);
            underWay += 1;
            try {
              await call.state.clock.sleep(5);
              return await before(call);
            } finally {
              underWay -= 1;
            }
          }),
        );
      }),
    ],
  },
  common,
);

/** Mistakes with keys in the right place that are not valid. */
export const invalidKeyFaults = [...comparisonFaults, ...responseFaults];
