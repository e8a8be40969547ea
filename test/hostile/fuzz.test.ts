import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { parseKnownFailures } from '../../src/config/known-failures.ts';
import { loadDocument } from '../../src/openapi/load.ts';
import { compareReports } from '../../src/report/compare.ts';
import { conformanceJson } from '../../src/report/conformance.ts';
import { mergeShards } from '../../src/report/merge.ts';
import { whyNotOneRun } from '../../src/report/one-run.ts';
import { parseReport, UnreadableReport } from '../../src/report/read.ts';
import { brokenOutcome } from '../../src/report/testing.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

/** Texts that often break parsers of YAML, JSON, and OpenAPI. */
const fragments = [
  ...['', '\0', '\ufeff', '\t', '\r', '\n', '\ud800', '😀'],
  ...['- ', ': ', '? ', '{', '}', '[', ']', '{}', '[]', '"', "'", '#', '%', '@', '`'],
  ...['|\n', '>\n', '---\n', '...\n', '&a ', '*a', '<<: *a\n', '!!binary ', '!!js/function ', '!<x> '],
  ...['~', 'null', 'true', '.inf', '.nan', '-0', '-1', '1e999', '0x1F', '0o17', '1_000'],
  ...['9223372036854775808', '9'.repeat(400), '{"a":'.repeat(60), '['.repeat(300)],
  ...['__proto__: 1\n', 'constructor: {}\n', 'toString', 'ANIMAL'],
  ...['$ref: "#/"\n', '$ref: "#/components/schemas/Pet"\n', '$ref: other.yaml\n'],
  ...['$ref: http://127.0.0.1:9/x\n', 'type: [string, null]\n', 'pattern: "(a+)+$"\n', 'multipleOf: 0\n'],
  ...['minLength: 1e9\n', 'enum: []\n', 'allOf: [*a]\n', 'oneOf: []\n', 'not: {}\n'],
];

/** A valid text with some pieces replaced. */
const damaged = (text: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({
        from: fc.nat(text.length),
        length: fc.oneof(fc.constant(0), fc.nat(12), fc.nat(200)),
        piece: fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary', maxLength: 8 })),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((edits) =>
      edits.reduce((damagedText, { from, length, piece }) => {
        const at = Math.min(from, damagedText.length);
        return `${damagedText.slice(0, at)}${piece}${damagedText.slice(at + length)}`;
      }, text),
    );

type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** The path to every place in a JSON value, as names and indexes. */
const placesIn = (value: Value): readonly (readonly string[])[] =>
  value === null || typeof value !== 'object'
    ? [[]]
    : [
        [],
        ...Object.entries(value).flatMap(([name, item]) => placesIn(item).map((place) => [name, ...place])),
      ];

const withValue = (value: Value, [name, ...rest]: readonly string[], other: Value): Value => {
  if (name === undefined || value === null || typeof value !== 'object') return other;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === name ? withValue(item, rest, other) : item,
  ]);
  return Array.isArray(value) ? entries.map(([, item]) => item as Value) : Object.fromEntries(entries);
};

/** The same JSON with another value in one place, which a schema may still allow. */
const otherValues = (text: string): fc.Arbitrary<string> => {
  const value = JSON.parse(text) as Value;
  const otherValue = fc.oneof(
    fc.constantFrom<Value>(
      ...[null, true, -1, 0, 1e308, 0.5, '', 'x', '__proto__', '\n', '2026-02-30T00:00:00Z', '1/0', [], {}],
    ),
    fc.string({ unit: 'binary' }),
  );
  return fc
    .tuple(fc.constantFrom(...placesIn(value)), otherValue)
    .map(([place, other]) => JSON.stringify(withValue(value, place, other)));
};

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const config = `baseUrl: http://127.0.0.1:8080/v1
apiKey: some-key-of-a-test
plan: pro
runs: 5
only: [LIST, GET-1]
readOnly: true
budget: 300
`;
const known = `- id: LIST-3\n  reason: a ticket\n- id: GET-1\n  reason: another ticket\n`;

/** Expects one line that names the file, without a stack trace. */
const expectProblem = (problem: string, file: string): void => {
  expect(problem).toContain(file);
  expect(problem).not.toMatch(/\n\s+at /);
  expect(problem.split('\n').length).toBeLessThanOrEqual(3);
};

const expectError = (error: unknown, file: string): void => {
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(TypeError);
  expect(error).not.toBeInstanceOf(RangeError);
  expectProblem((error as Error).message, file);
};

const runs = { numRuns: 300 };

describe('damaged file -> read, or rejected with its name and the problem', () => {
  test.each([
    ['a configuration', config, parseConfig],
    ['known failures', known, parseKnownFailures],
  ] as const)('%s', (_, text, parse) => {
    fc.assert(
      fc.property(damaged(text), (given) => {
        const parsed = parse('the-file.yaml', given);
        if (!parsed.ok) for (const problem of parsed.problems) expectProblem(problem, 'the-file.yaml');
      }),
      runs,
    );
  });

  test('conformance.json, for compare and merge', () => {
    const report = conformanceJson(brokenOutcome());
    fc.assert(
      fc.property(fc.oneof(damaged(report), otherValues(report)), (given) => {
        try {
          const read = parseReport(given, 'the-file.json');
          expect(compareReports(read, read)).toEqual([]);
          if (whyNotOneRun([read]) === null)
            expect(mergeShards({ report: read, exchanges: [] })).toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableReport);
          expectError(error, 'the-file.json');
        }
      }),
      { numRuns: 150 },
    );
  });

  test.each(['../../spec/openapi.yaml', '../documents/specs/todo.json', '../documents/specs/weather.yaml'])(
    'an OpenAPI document: %s',
    async (name) => {
      const file = join(folder, `fuzzed-${name.replaceAll(/\W/g, '-')}.yaml`);
      await fc.assert(
        fc.asyncProperty(damaged(read(name)), async (given) => {
          writeFileSync(file, given);
          try {
            await loadDocument(file);
          } catch (error) {
            expectError(error, file);
          }
        }),
        { numRuns: 40 },
      );
    },
    120_000,
  );
});
