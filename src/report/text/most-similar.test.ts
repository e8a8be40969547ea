import { expect, test } from 'vitest';
import { exchangeOf } from '../../../test/support/build.ts';
import { createPet, getPet, listPets } from '../../check/requests.ts';
import type { About, Probe } from '../../finding/probe.ts';
import { aboutInWords } from '../../finding/words/requests.ts';
import type { JsonObject } from '../../json/json.ts';
import { mostSimilar } from './most-similar.ts';

const of = (probe: Probe): About => ({ kind: 'request', probe });
const post = (name: string, rest: JsonObject = {}) => of(createPet({ name, ...rest }));
/** The indexes of the most similar requests. */
const indexes = (all: readonly About[], to: About, most: number) => {
  const words = all.map(aboutInWords);
  return mostSimilar(all, to, most).map((each) => words.indexOf(each));
};

test('mostSimilar -> the requests that differ least, at most so many', () => {
  const all = [listPets({}), listPets({ limit: 5 }), listPets({ limit: 51, status: 'sold' })].map(of);
  expect(indexes(all, of(listPets({ limit: 50 })), 2)).toEqual([1, 2]);
});

test('mostSimilar: a generated name -> ignored', () => {
  const all = [
    post('conformance-7-a-1', { status: 'sold' }),
    post('conformance-7-a-2', { status: 'sold' }),
    post('conformance-7-a-3'),
  ];
  expect(indexes(all, post('conformance-7-b-9'), 5)).toEqual([1]);
});

test('mostSimilar: only an id -> not listed', () => {
  const labeled = of(getPet('7', { label: 'a space before' }));
  expect(mostSimilar([of(getPet('7')), labeled], of(getPet('8')), 5)).toEqual([
    'GET /pets/7 with a space before',
  ]);
});

test('mostSimilar: animals by id -> compared by their creations, not by their ids', () => {
  const get = (id: number, name: string): About => ({
    kind: 'request',
    probe: getPet(`${id}`),
    createdBy: exchangeOf(createPet({ name }), { status: 201 }),
  });
  expect(indexes([get(7, 'abc'), get(1_234_567, 'Rex'), get(9, 'xyz')], get(8, 'Rey'), 1)).toEqual([1]);
});

test('mostSimilar: bodies -> another value before another type, before two different members', () => {
  const body = (rest: JsonObject) => post('conformance-7-a-1', rest);
  const all = [
    body({ categoryId: 5n, status: 1n }),
    body({ categoryId: '11' }),
    body({ categoryId: 10n }),
    of(createPet({ name: 'x'.repeat(200) }, { label: 'a long name' })),
  ];
  expect(indexes(all, body({ categoryId: 11n }), 4)).toEqual([2, 1, 0, 3]);
});

test('mostSimilar: creations -> compared by their bodies', () => {
  const creation = (pet: JsonObject): About => ({
    kind: 'creation',
    exchange: exchangeOf(createPet(pet), { status: 201 }),
  });
  const all = [creation({ name: 'Max', categoryId: 5n }), creation({ name: 'Rex', categoryId: 5n })];
  expect(indexes(all, creation({ name: 'Rex', categoryId: 6n }), 1)).toEqual([1]);
});
