import SwaggerParser from '@apidevtools/swagger-parser';
import { parse } from 'yaml';
import { isSchemaObject } from '../json-schema/schema.ts';
import { fromOpenApi30 } from './from-openapi-30.ts';
import { firstLine, parseSource, readSource } from './read-source.ts';

/**
 * Reads a document that is not ours: valid by OpenAPI's own schema, what it refers to in other files bundled in, in the terms of
 * 3.1. Nothing is fetched from the network.
 * @throws Error in one line that says what is wrong; it names the file where the file itself cannot be read
 */
export async function readForeignDocument(file: string): Promise<unknown> {
  const source = readSource(file);
  const problem = problemAtFirstSight(source);
  if (problem !== null) throw new Error(`${file}: ${problem}`);
  const version = isSchemaObject(source) ? String(source.openapi) : '';
  try {
    await SwaggerParser.validate(file, { resolve: { http: false }, parse: plainParsers });
    const bundled = await SwaggerParser.bundle(file, { resolve: { http: false }, parse: exactParsers });
    return version.startsWith('3.0') ? fromOpenApi30(bundled) : bundled;
  } catch (error) {
    throw new Error(`${file}: ${problemOf(error)}`);
  }
}

/** What can be said without a validator, which would name it less plainly. */
function problemAtFirstSight(source: unknown): string | null {
  const isNot = 'not an OpenAPI 3.0 or 3.1 document';
  if (!isSchemaObject(source)) return isNot;
  const { swagger, openapi, paths } = source;
  if (swagger !== undefined) return `${isNot}: it is one of Swagger ${swagger}, to be converted first`;
  if (openapi === undefined) return `${isNot}: it has no openapi, which gives the version`;
  if (typeof openapi !== 'string') return `${isNot}: openapi has to be a text, such as "3.1.0"`;
  if (!/^3\.[01]\.\d+$/.test(openapi))
    return `${isNot}: openapi is "${openapi}", where "3.0.3" or "3.1.0", say, is understood`;
  return isSchemaObject(paths) ? null : 'it has no paths, and so no operation to send requests to';
}

interface SourceFile {
  readonly url: string;
  readonly data: unknown;
}

const parsers = (read: (file: SourceFile) => unknown) => ({
  json: false,
  yaml: { canParse: true, parse: read },
});

/** The parser's own readers would make doubles of the numbers. */
const exactParsers = parsers(({ url, data }) => parseSource(String(data), url));

/** For the validator, which knows no bigints; the same YAML otherwise, merge keys too. */
const plainParsers = parsers(({ data }) => parse(String(data), { merge: true }));

/** What the parser found first, without its headline and its list of the rest. */
function problemOf(error: unknown): string {
  const details = error instanceof Error && 'details' in error ? error.details : null;
  const first: unknown = Array.isArray(details) ? details[0] : null;
  if (!isSchemaObject(first)) return firstLine(error);
  const { additionalProperty, unevaluatedProperty } = isSchemaObject(first.params) ? first.params : {};
  const name = additionalProperty ?? unevaluatedProperty;
  return `#${first.instancePath} ${first.message}${name === undefined ? '' : `: ${name}`}`;
}
