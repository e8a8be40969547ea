import SwaggerParser from '@apidevtools/swagger-parser';
import { isJsonObject, isNumeric, type Json } from '../json/json.ts';
import { isSchemaObject } from '../json-schema/schema.ts';
import { documentProblems as problems } from '../report/text/refusals/documents.ts';
import { fromOpenApi30 } from './from-openapi-30.ts';
import { firstLine, parseSource, readSource } from './read-source.ts';

/**
 * Reads a user's document: validates it with the schema of OpenAPI, bundles the files that it refers to, and upgrades it to 3.1. Fetches
 * nothing from the network.
 * @throws Error of one line, with the file and the problem
 */
export async function readForeignDocument(file: string): Promise<unknown> {
  const source = readSource(file);
  const problem = commonProblem(source);
  if (problem !== null) throw new Error(`${file}: ${problem}`);
  const version = isSchemaObject(source) ? String(source.openapi) : '';
  try {
    const validator = new SwaggerParser();
    // Each level of schemas that refer to each other would double the document that is validated.
    validator.dereference = validator.bundle;
    await validator.validate(file, { resolve: { http: false }, parse: plainParsers });
    const bundled = await SwaggerParser.bundle(file, { resolve: { http: false }, parse: exactParsers });
    return version.startsWith('3.0') ? fromOpenApi30(bundled) : bundled;
  } catch (error) {
    throw new Error(`${file}: ${problemOf(error)}`);
  }
}

/** Common problems, because the validator describes them less clearly. */
function commonProblem(source: unknown): string | null {
  const isNot = problems.notOpenApi;
  if (!isSchemaObject(source)) return isNot;
  const { swagger, openapi, paths } = source;
  if (swagger !== undefined) return `${isNot}: ${problems.swagger(swagger)}`;
  if (openapi === undefined) return `${isNot}: ${problems.noVersion}`;
  if (typeof openapi !== 'string') return `${isNot}: ${problems.versionNotText}`;
  if (!/^3\.[01]\.\d+$/.test(openapi)) return `${isNot}: ${problems.otherVersion(openapi)}`;
  return isSchemaObject(paths) ? null : problems.noPaths;
}

interface SourceFile {
  readonly url: string;
  readonly data: unknown;
}

const parsers = (read: (file: SourceFile) => unknown) => ({
  json: false,
  yaml: { canParse: true, parse: read },
});

/** The default parsers of the library read numbers as doubles. */
const exactParsers = parsers(({ url, data }) => parseSource(String(data), url));

/** Without bigints, which the validator does not support. */
const plainParsers = parsers(({ url, data }) => withDoubles(parseSource(String(data), url)));

const withDoubles = (value: Json): unknown => {
  if (Array.isArray(value)) return value.map(withDoubles);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDoubles(member)]));
  return isNumeric(value) ? Number(value) : value;
};

/** The first problem that the parser found, without its headline and the other problems. */
function problemOf(error: unknown): string {
  const details = error instanceof Error && 'details' in error ? error.details : null;
  const first: unknown = Array.isArray(details) ? details[0] : null;
  if (!isSchemaObject(first)) return firstLine(error);
  const { additionalProperty, unevaluatedProperty } = isSchemaObject(first.params) ? first.params : {};
  const name = additionalProperty ?? unevaluatedProperty;
  return `#${first.instancePath} ${first.message}${name === undefined ? '' : `: ${name}`}`;
}
