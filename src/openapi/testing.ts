import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/folder.ts';
import { actualValue, expectedBySchema } from '../finding/words/schema.ts';
import type { Json } from '../json/json.ts';
import { compileSchema } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { ApiDocument } from './document.ts';

/** A folder for documents, deleted after the tests of the file; `file` writes one, and returns its path. */
export const documentFolder = () => {
  const folder = temporaryFolder();
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  return { folder, file };
};

/** A document with the given members. */
export const openapi = (members: object, version = '3.1.0') => ({
  openapi: version,
  info: { title: 'Test', version: '1' },
  paths: {},
  ...members,
});

export const ok = { responses: { '200': { description: 'ok' } } };

/** The violations of a schema of the document in a value. */
export const problems = (schema: JsonSchema, { root }: ApiDocument, value: Json): readonly string[] =>
  compileSchema(
    schema,
    root,
  )(value).map(
    (problem) => `${problem.pointer}: expected ${expectedBySchema(problem)}, got ${actualValue(problem)}`,
  );
