import { isJsonObject } from '../../json/json.ts';
import type { Call } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { handle, perServer, replace } from '../patches.ts';
import { failAs, nameRule } from './refusals.ts';

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

/** Refuses a creation whose name another animal has, or is about to have; `plain`: what of a name is compared. */
const uniqueNames = (status: number, plain: (name: string) => string): Patch =>
  perServer(() => {
    const underWay = new Set<string>();
    return handle('createPet', async (call, before) => {
      const name = await validNameIn(call);
      if (name === null) return before(call);
      const key = plain(name);
      if (underWay.has(key) || call.world.pets.some((pet) => plain(pet.name) === key))
        return failAs(status, 'invalid-body', call, 'another animal has that name');
      underWay.add(key);
      try {
        return await before(call);
      } finally {
        underWay.delete(key);
      }
    });
  });

/** The name in the body of a valid NewPet; null: it is none. */
const validNameIn = async (call: Call): Promise<string | null> => {
  const body = await call.body();
  const parsed = body.ok ? call.parts.parseBody(body.bytes, call) : body;
  if (!('value' in parsed) || !isJsonObject(parsed.value)) return null;
  const { name } = parsed.value;
  return typeof name === 'string' && call.parts.violations(parsed.value).length === 0 ? name : null;
};

const unique = (name: string, description: string, patch: Patch): Dialect => ({
  name,
  choice: 'unique-names',
  description,
  patch,
});

const asIs = (name: string): string => name;

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
  unique('names-unique-400', 'A name that another animal has is refused with 400.', uniqueNames(400, asIs)),
  unique('names-unique-409', 'A name that another animal has is refused with 409.', uniqueNames(409, asIs)),
  unique('names-unique-422', 'A name that another animal has is refused with 422.', uniqueNames(422, asIs)),
  unique(
    'names-unique-in-any-case',
    'A name that another animal has, in any case, is refused with 409.',
    uniqueNames(409, (name) => name.toLowerCase()),
  ),
  unique(
    'names-unique-trimmed',
    'A name that another animal has, but for white space at its ends, is refused with 400.',
    uniqueNames(400, (name) => name.trim()),
  ),
  unique(
    'names-unique-plain',
    'A name that another animal has, but for case, spaces and normal form, is refused with 409.',
    uniqueNames(409, (name) => name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()),
  ),
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
