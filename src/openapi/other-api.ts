import SwaggerParser from '@apidevtools/swagger-parser';
import { isJsonObject, isNumeric, type Json } from '../json/json.ts';
import { fromPointer } from '../json/pointer.ts';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema.ts';
import { fromOpenApi30 } from './from-openapi-30.ts';
import { prepareSource } from './prepare-source.ts';
import { firstLine, parseSource, readSource } from './read-source.ts';
import { documentProblems as problems } from './refusals.ts';

/** A user's document, and what is wrong in it. */
export interface ForeignDocument {
  /** The document as OpenAPI 3.1, with the files that it refers to. */
  readonly root: unknown;
  readonly problems: readonly LocatedProblem[];
}

/** A problem that the validator found; `path` leads to the part that has it. */
export interface LocatedProblem {
  readonly path: readonly string[];
  readonly problem: string;
}

/**
 * Reads a user's document: validates it with the schema of OpenAPI, bundles the files that it refers to, and upgrades it to 3.1. Fetches
 * nothing from the network.
 * @param text what the file contains, if it was read before: a pipe cannot be read twice
 * @throws Error of one line, with the file and the problem, if nothing of it can be read
 */
export async function readForeignDocument(file: string, text?: string): Promise<ForeignDocument> {
  const source = text === undefined ? readSource(file) : parseSource(text, file);
  const problem = commonProblem(source);
  if (problem !== null) throw new Error(`${file}: ${problem}`);
  const version = isSchemaObject(source) ? String(source.openapi) : '';
  try {
    const prepared = prepareSource(source, file);
    const problems = await validate(file, prepared);
    const bundled = await SwaggerParser.bundle(file, rootOf(prepared), optionsOf(exactParsers));
    return { root: version.startsWith('3.0') ? fromOpenApi30(bundled) : bundled, problems };
  } catch (error) {
    throw new Error(`${file}: ${firstLine(error)}`);
  }
}

/** The root of a document for the library, which changes it. */
const rootOf = (prepared: unknown): Root => prepared as Root;
type Root = Awaited<ReturnType<typeof SwaggerParser.bundle>>;

const optionsOf = (parse: ReturnType<typeof parsers>) => ({
  resolve: { http: false as const },
  parse,
  mutateInputSchema: true,
});

async function validate(file: string, prepared: Json): Promise<readonly LocatedProblem[]> {
  const validator = new SwaggerParser();
  // Each level of schemas that refer to each other would double the document that is validated.
  validator.dereference = validator.bundle;
  try {
    await validator.validate(file, rootOf(withDoubles(prepared)), optionsOf(plainParsers));
    return [];
  } catch (error) {
    const details: unknown = error instanceof Error && 'details' in error ? error.details : null;
    if (!Array.isArray(details)) throw error;
    return deepest(
      details
        .filter(isSchemaObject)
        .filter(({ keyword }) => keyword !== 'if')
        .map(located),
    );
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
const exactParsers = parsers(({ url, data }) => prepareSource(parseSource(String(data), url), filePath(url)));

/** The library encodes the path of a file as in a URL. */
const filePath = (url: string): string => decodeURIComponent(url);

/** Without bigints, which the validator does not support. */
const plainParsers = parsers(({ url, data }) =>
  withDoubles(prepareSource(parseSource(String(data), url), filePath(url))),
);

const withDoubles = (value: Json): unknown => {
  if (Array.isArray(value)) return value.map(withDoubles);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDoubles(member)]));
  return isNumeric(value) ? Number(value) : value;
};

/** Returns a problem with its place: a member that must not be there is the place itself. */
function located({ instancePath, message, params }: SchemaObject): LocatedProblem {
  const { additionalProperty, unevaluatedProperty } = isSchemaObject(params) ? params : {};
  const name = additionalProperty ?? unevaluatedProperty;
  return {
    path: [...fromPointer(String(instancePath)), ...(typeof name === 'string' ? [name] : [])],
    problem: `#${instancePath} ${message}${name === undefined ? '' : `: ${name}`}`,
  };
}

/** The problems without those of a part that has a problem within: the validator repeats it on each level. */
const deepest = (problems: readonly LocatedProblem[]): readonly LocatedProblem[] =>
  problems.filter(
    ({ path }) =>
      !problems.some(
        (other) => other.path.length > path.length && path.every((step, index) => step === other.path[index]),
      ),
  );
