import { expect, test } from 'vitest';
import { exchangeOf } from '../../../test/support/build.ts';
import { createPet, getPet, listPets } from '../../check/requests.ts';
import type { About } from '../../finding/probe.ts';
import { aboutInWords, inWords, shownStatus } from '../../finding/words/requests.ts';
import { anonymous } from '../../http/credentials.ts';

test.each([
  [getPet('7'), 'GET /pets/7'],
  [listPets({ limit: 5 }), 'GET /pets with limit=5'],
  [getPet('1'.repeat(5_000)), `GET /pets/${'1'.repeat(54)}… (5006 characters)`],
  [
    { ...getPet('2e0', { label: 'an existing id as an exponent' }), labelsPath: true as const },
    'GET /pets/2e0 (an existing id as an exponent)',
  ],
  [createPet({}, { label: 'no fields at all' }), 'POST /pets with no fields at all'],
  [
    createPet({ status: 'gone' }, { label: 'status: none of the listed values' }),
    'POST /pets with status "gone" (none of the listed values)',
  ],
  [createPet({ status: 'gone' }, { label: 'status: "gone"' }), 'POST /pets with status "gone"'],
  [
    createPet({ name: 'a'.repeat(99) }, { label: 'name: without a status' }),
    `POST /pets with name "${'a'.repeat(59)}… (without a status)`,
  ],
  [createPet({ '': 0n }, { label: 'a member without a name' }), 'POST /pets with a member without a name'],
  [createPet({}, { label: 'Content-Type: text/plain' }), 'POST /pets with Content-Type: text/plain'],
])('inWords: a label that names a member -> quotes its value', (probe, words) => {
  expect(inWords(probe)).toBe(words);
});

const creation = createPet({ name: 'Rex', categoryId: 1n }, { label: 'a dog' });
const long = createPet({ name: 'x'.repeat(200), categoryId: 1n }, { label: 'a long name' });
const createdBy = exchangeOf(creation, { status: 201 });

test.each<[about: About, words: string]>([
  [{ kind: 'request', probe: creation }, 'POST /pets with a dog: {"name":"Rex","categoryId":1}'],
  [{ kind: 'request', probe: { ...creation, label: '' } }, 'POST /pets {"name":"Rex","categoryId":1}'],
  [{ kind: 'request', probe: long }, 'POST /pets with a long name'],
  [{ kind: 'request', probe: getPet('8') }, 'GET /pets/8'],
  [
    { kind: 'request', probe: getPet('7'), createdBy },
    'GET /pets/7, created by POST /pets {"name":"Rex","categoryId":1}',
  ],
  [
    {
      kind: 'request',
      probe: createPet({ name: 'Rex' }, { credential: anonymous }),
    },
    'POST /pets with no key',
  ],
  [{ kind: 'probe', probe: creation }, 'POST /pets with a dog'],
  [{ kind: 'creation', exchange: createdBy }, 'POST /pets {"name":"Rex","categoryId":1}'],
])('aboutInWords: words, and a short body', (about, words) => {
  expect(aboutInWords(about)).toBe(words);
});

test('shownStatus: a redirect -> its location', () => {
  const headers = { Location: ' /v1/pets ' };
  expect(shownStatus(exchangeOf(listPets({}), { status: 301, headers }))).toBe(
    'status 301, Location: /v1/pets',
  );
  expect(shownStatus(exchangeOf(listPets({}), { status: 404, headers }))).toBe('status 404');
});
