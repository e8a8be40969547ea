import { expect, test } from 'vitest';
import { anonymous } from '../../src/check/credentials.ts';
import type { JsonSchema } from '../../src/check/schemas.ts';
import { document } from '../../test/support/build.ts';
import type { OperationUnderTest } from './operations.ts';
import { smallerValid, spread, validExamples } from './valid.ts';

/** The list of animals, its parameters of another schema where one is given. */
const exercisedWith = (schema: JsonSchema | null = null): OperationUnderTest => {
  const operation = document.operations.find(({ id }) => id === 'listPets');
  if (operation === undefined) throw new Error('the document has no listPets');
  const parameters = operation.parameters.map((parameter) =>
    schema === null ? parameter : { ...parameter, schema },
  );
  return {
    document,
    operation: { ...operation, parameters },
    credential: anonymous,
    authentic: true,
    mayGuess: true,
  };
};

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
  const exercised = exercisedWith();
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

test('a long value is named by its beginning, no character parted', () => {
  const cats = `${'x'.repeat(59)}${'🐈'.repeat(9)}`;
  const labels = validExamples(exercisedWith({ enum: [cats] })).map(({ label }) => label);
  expect(labels).toContain(`limit=${'x'.repeat(59)}…`);
});
