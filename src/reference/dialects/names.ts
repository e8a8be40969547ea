import type { Patch } from '../patch.ts';
import { handle, withState } from '../patch-kit/core.ts';
import { changeName, sentValid } from '../patch-kit/creations.ts';
import { failAs, nameRule } from '../patch-kit/refusals.ts';
import { choices, independent } from './choices.ts';

const refused = (what: string, breaks: (name: string) => boolean): Patch =>
  nameRule(`name must not be one ${what}`, breaks);

/** Refuses a creation if another animal has its name, or is being created with it. `plain`: the part of a name that is compared. */
const uniqueNames = (status: number, plain: (name: string) => string): Patch =>
  withState(() => {
    const underWay = new Set<string>();
    return handle('createPet', async (call, before) => {
      const name = (await sentValid(call))?.name;
      if (typeof name !== 'string') return before(call);
      const key = plain(name);
      if (underWay.has(key) || call.state.pets.some((pet) => plain(pet.name) === key))
        return failAs(status, 'invalid-body', call, 'another animal has that name');
      underWay.add(key);
      try {
        return await before(call);
      } finally {
        underWay.delete(key);
      }
    });
  });

const asIs = (name: string): string => name;

/** Limits on `name` that the document does not specify. None of them affects an ordinary name (CREATE-2, CREATE-11). */
export const nameDialects = [
  ...choices('name-length', {
    'names-of-at-most-40': [
      'Names of more than 40 characters get 400.',
      refused('of more than 40 characters', (name) => name.length > 40),
    ],
    'names-of-at-most-64': [
      'Names of more than 64 characters get 400.',
      refused('of more than 64 characters', (name) => name.length > 64),
    ],
    'names-of-at-most-255-bytes': [
      'Names of more than 255 bytes get 400.',
      refused('of more than 255 bytes', (name) => Buffer.byteLength(name) > 255),
    ],
  }),
  ...independent({
    'empty-names-refused': ['Empty names get 400.', refused('without a character', (name) => name === '')],
    'blank-names-refused': [
      'Names of white space get 400.',
      refused('of white space only', (name) => name.trim() === '' && name !== ''),
    ],
    'nul-refused': ['Names with NUL get 400.', refused('with a NUL', (name) => name.includes('\0'))],
    'control-characters-refused': [
      'Names with control characters get 400.',
      refused('with control characters', (name) => /\p{Cc}/u.test(name)),
    ],
    'lone-surrogates-refused': [
      'Names with lone surrogates get 400.',
      refused('with lone surrogates', (name) => !name.isWellFormed()),
    ],
    'wide-characters-refused': [
      'Names with characters beyond U+FFFF get 400.',
      refused('with characters beyond U+FFFF', (name) => /[\u{10000}-\u{10ffff}]/u.test(name)),
    ],
    'markup-refused': [
      'Names that look like markup get 400.',
      refused('that look like markup', (name) => /[<>&]/.test(name)),
    ],
  }),
  ...choices('alphabet', {
    'names-plain': [
      'Names may contain only letters, digits, hyphens, and spaces; others get 400.',
      refused('with other than letters, digits, hyphens and spaces', (name) =>
        /[^\p{L}\p{M}\p{N} -]/u.test(name),
      ),
    ],
    'non-ascii-names-refused': [
      'Names with characters beyond ASCII get 400.',
      refused('with characters beyond ASCII', (name) => /[\u0080-\uffff]/.test(name)),
    ],
  }),
  ...choices('edges', {
    'edge-spaces-refused': [
      'Names with white space at an end get 400.',
      refused('with white space at an end', (name) => name !== name.trim()),
    ],
  }),
  ...choices('unique-names', {
    'names-unique-400': ['A name that is in use gets 400.', uniqueNames(400, asIs)],
    'names-unique-409': ['A name that is in use gets 409.', uniqueNames(409, asIs)],
    'names-unique-422': ['A name that is in use gets 422.', uniqueNames(422, asIs)],
    'names-unique-in-any-case': [
      'A name that is in use, in any case, gets 409.',
      uniqueNames(409, (name) => name.toLowerCase()),
    ],
    'names-unique-trimmed': [
      'A name that is in use, except for white space at its ends, gets 400.',
      uniqueNames(400, (name) => name.trim()),
    ],
    'names-unique-plain': [
      'A name that is in use, except for case, spaces, and normal form, gets 409.',
      uniqueNames(409, (name) => name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()),
    ],
  }),
  ...choices('edges', { 'names-trimmed': ['The server trims names.', changeName((name) => name.trim())] }),
  ...choices('normal-form', {
    'names-in-nfc': ['Names are normalized to NFC.', changeName((name) => name.normalize('NFC'))],
    'names-in-nfd': ['Names are normalized to NFD.', changeName((name) => name.normalize('NFD'))],
    'names-in-nfkc': ['Names are normalized to NFKC.', changeName((name) => name.normalize('NFKC'))],
  }),
];
