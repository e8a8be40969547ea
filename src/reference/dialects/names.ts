import type { Dialect, Patch } from '../patch.ts';
import { replace } from '../patches.ts';
import { nameRule } from './refusals.ts';

const editName = (edit: (name: string) => string): Patch =>
  replace('toNewPet', (before) => (body, call) => {
    const pet = before(body, call);
    return { ...pet, name: edit(pet.name) };
  });

const refused = (
  name: string,
  what: string,
  choice: string | null,
  breaks: (name: string) => boolean,
): Dialect => ({
  name,
  ...(choice === null ? {} : { choice }),
  description: `Names ${what} are refused with 400.`,
  patch: nameRule(`name must not be one ${what}`, breaks),
});

/** Limits on `name` that the document does not show, none of which touches an ordinary name (CREATE-2, CREATE-11). */
export const nameDialects: readonly Dialect[] = [
  refused('names-of-at-most-64', 'of more than 64 characters', 'name-length', (name) => name.length > 64),
  refused(
    'names-of-at-most-255-bytes',
    'of more than 255 bytes',
    'name-length',
    (name) => Buffer.byteLength(name) > 255,
  ),
  refused('empty-names-refused', 'without a character', null, (name) => name === ''),
  refused('blank-names-refused', 'of white space only', null, (name) => name.trim() === '' && name !== ''),
  refused('nul-refused', 'with a NUL', null, (name) => name.includes('\0')),
  refused('control-characters-refused', 'with control characters', null, (name) => /\p{Cc}/u.test(name)),
  refused('lone-surrogates-refused', 'with lone surrogates', null, (name) => !name.isWellFormed()),
  refused('wide-characters-refused', 'with characters beyond U+FFFF', null, (name) =>
    /[\u{10000}-\u{10ffff}]/u.test(name),
  ),
  refused('markup-refused', 'that look like markup', null, (name) => /[<>&]/.test(name)),
  refused('names-plain', 'with other than letters, digits, hyphens and spaces', 'alphabet', (name) =>
    /[^\p{L}\p{M}\p{N} -]/u.test(name),
  ),
  refused('non-ascii-names-refused', 'with characters beyond ASCII', 'alphabet', (name) =>
    /[\u0080-\uffff]/.test(name),
  ),
  refused('edge-spaces-refused', 'with white space at an end', 'edges', (name) => name !== name.trim()),
  {
    name: 'names-trimmed',
    choice: 'edges',
    description: 'White space at the ends of a name is removed.',
    patch: editName((name) => name.trim()),
  },
  ...(['NFC', 'NFD', 'NFKC'] as const).map((form) => ({
    name: `names-in-${form.toLowerCase()}`,
    choice: 'normal-form',
    description: `Names are brought into the Unicode normal form ${form}.`,
    patch: editName((name) => name.normalize(form)),
  })),
];
