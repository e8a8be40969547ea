import SwaggerParser from '@apidevtools/swagger-parser';
import { isSchemaObject } from './portable-schema.ts';
import { firstLine, parseSource, readSource } from './read-source.ts';
import { upgrade } from './upgrade.ts';

/**
 * Reads a document that is not ours: valid by OpenAPI's own schema, what it refers to in other files bundled in, in the terms of
 * 3.1. Nothing is fetched from the network.
 * @throws Error in one line that says what is wrong; it names the file where the file itself cannot be read
 */
export async function readForeignDocument(file: string): Promise<unknown> {
  const source = readSource(file);
  const version = isSchemaObject(source) ? String(source.openapi) : '';
  if (!/^3\.[01]\.\d+$/.test(version)) throw new Error(`${file}: not an OpenAPI 3.0 or 3.1 document`);
  try {
    await SwaggerParser.validate(file, { resolve: { http: false } });
    const bundled = await SwaggerParser.bundle(file, { resolve: { http: false }, parse: exactParsers });
    return version.startsWith('3.0') ? upgrade(bundled) : bundled;
  } catch (error) {
    throw new Error(`${file}: ${problemOf(error)}`);
  }
}

/** The parser's own readers would make doubles of the numbers. */
const exactParsers = {
  json: false,
  yaml: {
    canParse: true,
    parse: (file: { readonly url: string; readonly data: unknown }) =>
      parseSource(String(file.data), file.url),
  },
};

/** What the parser found first, without its headline and its list of the rest. */
function problemOf(error: unknown): string {
  const details = error instanceof Error && 'details' in error ? error.details : null;
  const first: unknown = Array.isArray(details) ? details[0] : null;
  if (!isSchemaObject(first)) return firstLine(error);
  return `#${first.instancePath} ${first.message}`;
}
