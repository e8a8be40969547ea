import { isMalformed } from '../malformed-path.ts';
import type { Patch } from '../patch.ts';
import { compose, type ResponseFilter, replace } from '../patch-kit/core.ts';
import { crashWhen, failWith } from '../patch-kit/failures.ts';
import { int64IdOf, isMalformedPath, petIdOf } from '../patch-kit/paths.ts';
import { htmlPage, mergeReply } from '../patch-kit/responses.ts';
import { idsBeyond } from '../patch-kit/store.ts';
import { asciiDigits } from '../patch-kit/texts.ts';
import { isInt64 } from '../pet.ts';
import { family } from './family.ts';

const onInvalidId: ResponseFilter = {
  operation: 'getPet',
  status: 404,
  when: (_reply, call) => int64IdOf(call) === null,
};

/** Reads more texts as ids. */
const readAlso = (read: (text: string) => bigint | null): Patch =>
  replace('readPetId', (before) => (text) => before(text) ?? read(text));

/** Ids start at a million, and more texts are read as ids: `repair` gives their digits. */
const largeIdReadAlso = (repair: (text: string) => string): Patch =>
  compose(
    idsBeyond(1_000_000n),
    readAlso((text) => (/^\d+$/.test(repair(text)) ? BigInt(repair(text)) : null)),
  );

/** Mistakes that find an animal by a petId that is not an int64. */
const foundFaults = family('GET-3', {
  'pet-id-read-by-parse-int': [
    'The server reads the leading digits of petId: 1abc and 1.5 return animal 1.',
    readAlso((text) => {
      const [digits] = /^\s*[-+]?\d+/.exec(text) ?? [];
      return digits === undefined ? null : BigInt(digits.trim().replace('+', ''));
    }),
  ],
  'pet-id-coerced-to-a-number': [
    'The server reads petId with Number(): 1e0, 0x1, and 1 with spaces return animal 1.',
    readAlso((text) => (Number.isSafeInteger(Number(text)) ? BigInt(Number(text)) : null)),
  ],
  'pet-id-wraps-at-64-bits': [
    'A petId beyond int64 wraps around: 2^64 + 1 returns animal 1.',
    readAlso((text) => (/^-?\d+$/.test(text) ? BigInt.asIntN(64, BigInt(text)) : null)),
  ],
  'pet-id-in-digits-of-any-script': [
    'Ids start at a million. The server reads petId like int() of Python: digits of any script, with underscores.',
    largeIdReadAlso((text) => asciiDigits(text).replaceAll(/(?<=\d)_(?=\d)/g, '')),
  ],
  'pet-id-in-groups-of-digits': [
    'Ids start at a million. The server accepts commas in petId, like NumberStyles.Number of .NET.',
    largeIdReadAlso((text) => text.replaceAll(/(?<=\d),/g, '')),
  ],
  'pet-id-checked-line-by-line': [
    'The pattern for petId matches any of its lines: "1", a line break, and "abc" return animal 1.',
    readAlso((text) => (/^\d+$/m.test(text) ? BigInt(/\d+/.exec(text)?.[0] ?? 0) : null)),
  ],
  'pet-id-checked-up-to-a-final-line-break': [
    'The pattern for petId ends in $, which matches before a final line break in Perl, PHP, and Python.',
    readAlso((text) => (/^\d+\n$/.test(text) ? BigInt(text.trim()) : null)),
  ],
});

/** Mistakes in the response to a petId that is not an int64. */
const refusedFaults = family(
  'GET-3',
  {
    'pet-id-beyond-int64-fails': [
      'A petId beyond int64 overflows: 500.',
      crashWhen('getPet', (call) => /^-?\d+$/.test(petIdOf(call)) && !isInt64(BigInt(petIdOf(call)))),
    ],
    'pet-id-in-letters-fails': [
      'The conversion of a petId that is not a number throws: 500.',
      crashWhen('getPet', (call) => Number.isNaN(Number(petIdOf(call)))),
    ],
    'malformed-path-fails': [
      'The router throws on a percent sign that encodes nothing: 500.',
      mergeReply({ status: 404, when: (_reply, call) => isMalformedPath(call) }, () => failWith('crash')),
    ],
    'pet-id-refused-with-a-page': [
      "A petId that is not an int64 gets 400 with the framework's HTML page.",
      mergeReply(onInvalidId, htmlPage(400, 'Bad Request')),
      { companions: ['ERR-1', 'GEN-2'] },
    ],
    'pet-id-refused-with-a-detail': [
      'A petId that is not an int64 gets 404 with {"detail": …} instead of an Error.',
      mergeReply(onInvalidId, { body: { json: { detail: 'Not Found' } } }),
      { companions: ['ERR-1', 'GEN-3'] },
    ],
    'pet-id-decoded-twice': [
      'The framework and the handler both decode petId: a percent sign gets 500.',
      crashWhen('getPet', (call) => isMalformed(petIdOf(call))),
      { requirement: 'GEN-4', companions: ['GET-3'] },
    ],
  },
  { companions: ['GEN-4'] },
);

/** Mistakes with a petId that is not an int64. */
export const getInvalidIdFaults = [...foundFaults, ...refusedFaults];
