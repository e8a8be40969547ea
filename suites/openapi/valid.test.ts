import { expect, test } from 'vitest';
import { anonymous } from '../../src/check/credentials.ts';
import type { JsonSchema } from '../../src/check/schemas.ts';
import { document } from '../../test/support/build.ts';
import type { OperationUnderTest } from './operations.ts';
import { smallerValid, spread, validExamples } from './valid.ts';

/** The list of animals; `schema`: another schema for its parameters. */
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
    schemes: [],
    mayGuess: true,
    stateStatuses: [],
  };
};

test('few values -> all sent', () => {
  expect(spread([1, 2, 3], 3)).toEqual([1, 2, 3]);
});

test('many values -> the first one, and some from every part', () => {
  const values = Array.from({ length: 102 }, (_, index) => index);
  const some = spread(values, 40);
  expect(some.length).toBe(40);
  expect(some[0]).toBe(0);
  expect(some.filter((value) => value >= 42).length).toBeGreaterThan(20);
});

test('request with every parameter -> smaller without optional ones, or with one of them', () => {
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

test('long value -> labeled by its beginning, without a cut character', () => {
  const cats = `${'x'.repeat(59)}${'🐈'.repeat(9)}`;
  const labels = validExamples(exercisedWith({ enum: [cats] })).map(({ label }) => label);
  expect(labels).toContain(`limit=${'x'.repeat(59)}…`);
});

test('member that is left out of a large body -> compared with the listed values far behind it', () => {
  const names = Array.from({ length: 40 }, (_, at) => `text${at}`);
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 9 }])),
      kind: { enum: ['import', 'export'] },
    },
  };
  const { operation, ...others } = exercisedWith();
  const requestBody = { required: true, mediaType: 'application/json', schema, encoding: {} };
  const exercised = { ...others, operation: { ...operation, method: 'POST', requestBody } };
  const leftOut = validExamples(exercised).find(({ label }) => label === 'no text0');
  expect(leftOut?.others?.map(({ request }) => request.body)).toContainEqual({
    json: expect.objectContaining({ kind: 'export' }),
  });
});
