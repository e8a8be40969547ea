import { expect, test } from 'vitest';
import { noCredential } from '../../src/client/credentials.ts';
import { document } from '../../test/support/judging.ts';
import { smallerValid, spread, validExamples } from './valid.ts';

test('few values are all sent', () => {
  expect(spread([1, 2, 3], 3)).toEqual([1, 2, 3]);
});

test('of many values the first is kept, and some of every part', () => {
  const values = Array.from({ length: 102 }, (_, index) => index);
  const some = spread(values, 40);
  expect(some.length).toBe(40);
  expect(some[0]).toBe(0);
  expect(some.filter((value) => value >= 42).length).toBeGreaterThan(20);
});

test('a request with every parameter is smaller with none that may be left out, or with one of them', () => {
  const operation = document.operations.find(({ id }) => id === 'listPets');
  if (operation === undefined) throw new Error('the document has no listPets');
  const exercised = { document, operation, credential: noCredential, authentic: true, mayGuess: true };
  const everything = validExamples(exercised).find(({ label }) => label === 'every parameter');
  if (everything === undefined) throw new Error('nothing is sent with every parameter');
  const smaller = [...smallerValid(exercised)(everything)];
  expect(smaller.map(({ values }) => Object.keys(values))).toEqual([[], ['query limit'], ['query status']]);
  expect(smaller.map(({ label }) => label)).toEqual([
    '',
    expect.stringMatching(/^limit=\d+$/),
    expect.stringMatching(/^status=\w+$/),
  ]);
  expect(smaller.slice(0, 1).flatMap((plain) => [...smallerValid(exercised)(plain)])).toEqual([]);
});
