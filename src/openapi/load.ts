import { join } from 'node:path';
import { isSchemaObject, type SchemaObject, schemaMap } from '../json-schema/schema.ts';
import type { ApiDocument } from './document.ts';
import { readOperations } from './operations.ts';
import { packageRoot } from './package-root.ts';
import { readSource } from './read-source.ts';
import { documentProblems } from './refusals.ts';

/** The document of the animal store: read once, and never changed. */
let own: ApiDocument | null = null;

/**
 * Loads an OpenAPI 3.0 or 3.1 document from a YAML or JSON file, with the files it refers to. An operation that cannot be requested has
 * a `problem`.
 * @param source path of the file; absent: the document of the animal store, which is not validated because a test does that
 * @param text what the file contains, if it was read before
 * @throws Error of one line, with the file and the problem, if no operation can be requested
 */
export async function loadDocument(source?: string, text?: string): Promise<ApiDocument> {
  if (source === undefined) {
    own ??= toDocument(readSource(join(packageRoot(), 'spec', 'openapi.yaml')));
    return own;
  }
  const { readForeignDocument } = await import('./other-api.ts');
  const { root, problems } = await readForeignDocument(source, text);
  const { withProblems } = await import('./validate.ts');
  const document = withProblems(toDocument(root), problems);
  const [first] = document.operations;
  if (first === undefined && problems[0] !== undefined) throw new Error(`${source}: ${problems[0].problem}`);
  if (first === undefined || document.operations.some(({ problem }) => problem === null)) return document;
  throw new Error(`${source}: ${first.method} ${first.path}: ${first.problem}`);
}

function toDocument(root: unknown): ApiDocument {
  if (!isSchemaObject(root)) throw new Error(documentProblems.notDocument);
  const info = members(root.info);
  return {
    title: String(info.title),
    version: String(info.version),
    operations: readOperations(root),
    schemas: Object.fromEntries(schemaMap(members(root.components).schemas)),
    root,
  };
}

const members = (value: unknown): SchemaObject => (isSchemaObject(value) ? value : {});
