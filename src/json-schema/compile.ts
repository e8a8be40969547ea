import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import formats from 'ajv-formats';
import type { Json } from '../json/json.ts';
import { MAX_DEPTH } from '../json/parse.ts';
import { memoized } from '../util/memoize.ts';
import { exactKeywords, intRanges } from './exact-keywords.ts';
import { shapes } from './keywords.ts';
import { compilePattern, UndecidedMatch } from './patterns/pattern.ts';
import { keywordOf, type SchemaProblem, toProblem, undecidedProblem } from './problems.ts';
import { schemaProblems } from './refusals.ts';
import { follow, isSchemaObject, type JsonSchema, resolve, type SchemaObject } from './schema.ts';
import { exactFormats } from './string-formats.ts';

/** The definitions that the schemas of a document refer to, with a name for each, for ajv. */
interface Definitions {
  /** Names by reference. */
  readonly names: Map<string, string>;
  readonly byName: Map<string, SchemaObject>;
}

/**
 * Converts a schema of a document for ajv with our exact keywords: it refers to definitions by name, the numeric keywords that ajv
 * reserves are renamed, and counts become doubles. Annotations are left out.
 * @param root the document that its `$ref`s point into
 * @param known gets the needed definitions that it does not have
 * @throws Error if the target of a `$ref` does not exist, or is the reference itself
 */
function toPortable(schema: JsonSchema, root: unknown, known: Definitions): SchemaObject {
  const names = new Map(known.names);
  const main = rewritten(schema, names);
  const added: [string, SchemaObject][] = [];
  // The map grows during the iteration: a definition may refer to others.
  for (const [reference, name] of names) {
    if (known.byName.has(name)) continue;
    const definition = resolve(reference, root);
    follow(definition, root);
    added.push([name, rewritten(definition, names)]);
  }
  for (const [reference, name] of names) known.names.set(reference, name);
  for (const [name, definition] of added) known.byName.set(name, definition);
  return main;
}

/** Names of definitions by reference. */
type Names = Map<string, string>;

const rewritten = (schema: unknown, names: Names): SchemaObject => {
  const portable = rewrite(schema, names);
  return typeof portable === 'boolean' ? { allOf: [portable] } : portable;
};

function rewrite(schema: unknown, names: Names): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isSchemaObject(schema)) throw new Error(schemaProblems.notSchema(schema));
  const { $ref, $dynamicRef, ...keywords } = schema;
  if ($dynamicRef !== undefined) throw new Error(schemaProblems.dynamicRef);
  const entries = Object.entries(keywords).flatMap(([keyword, value]) => {
    const shape = shapes.get(keyword);
    return shape === undefined
      ? []
      : [[nameFor(keyword, value), shape.rewrite(value, (part) => rewrite(part, names))] as const];
  });
  return {
    ...Object.fromEntries(entries),
    ...($ref === undefined ? {} : { $ref: referTo(String($ref), names) }),
  };
}

function referTo(reference: string, names: Names): string {
  const name = names.get(reference) ?? `d${names.size}`;
  names.set(reference, name);
  return name;
}

const nameFor = (keyword: string, value: unknown): string => {
  if (keyword === 'type') return 'exactType';
  return keyword === 'format' && Object.hasOwn(intRanges, String(value)) ? 'exactFormat' : keyword;
};

export type { SchemaProblem } from './problems.ts';

/** Returns every problem of a value; empty: the value is valid. */
export type SchemaValidator = (value: Json) => readonly SchemaProblem[];

/**
 * Compiles a validator: JSON Schema 2020-12 by ajv, with exact numbers. Unknown keywords and formats are ignored. Each schema of a
 * document is compiled once.
 * @param root the document that the `$ref`s of the schema refer to, {@link ApiDocument.root}
 * @throws Error if the schema is malformed, or the target of a `$ref` does not exist or is the reference itself
 */
export const compileSchema = (schema: JsonSchema, root: unknown = schema): SchemaValidator =>
  compilerOf(root).problemsOf(schema);

/**
 * Compiles a test whether a schema accepts a value. It is faster than a validator, because it ends at the first problem.
 * @throws as {@link compileSchema} does
 */
export const acceptedBy = (schema: JsonSchema, root: unknown = schema): ((value: Json) => boolean) =>
  compilerOf(root).accepts(schema);

/**
 * Compiles what returns the keywords that a value breaks, anywhere in it. It is faster than a validator, because no problem is described.
 * @throws as {@link compileSchema} does
 */
export const brokenKeywords = (
  schema: JsonSchema,
  root: unknown = schema,
): ((value: Json) => readonly string[]) => compilerOf(root).keywords(schema);

const createCompiler = (root: unknown) => {
  const definitions: Definitions = { names: new Map(), byName: new Map() };
  const compileWith = (ajv: Ajv2020, portable: SchemaObject): ValidateFunction => {
    for (const [name, definition] of definitions.byName)
      if (ajv.schemas[name] === undefined) ajv.addSchema(definition, name);
    const validate = ajv.compile(portable);
    ajv.removeSchema(portable);
    return validate;
  };
  const describing = createAjv({ allErrors: true, verbose: true });
  const deciding = createAjv();
  const described = once((schema) => {
    const portable = toPortable(schema, root, definitions);
    return { portable, validate: compileWith(describing, portable) };
  });
  return {
    problemsOf: once((schema) => {
      const { portable, validate } = described(schema);
      const judge = judgeBy(validate, toProblem, undecidedProblem);
      return dependsOnItemsOnly(portable, definitions) ? rememberingItems(judge) : judge;
    }),
    keywords: once((schema) => judgeBy(described(schema).validate, keywordOf, () => 'pattern')),
    accepts: once((schema) => {
      const validate = compileWith(deciding, toPortable(schema, root, definitions));
      return (value: Json) => isAccepted(validate, value);
    }),
  };
};

const once = <Compiled>(compile: (schema: JsonSchema) => Compiled): ((schema: JsonSchema) => Compiled) => {
  const compileOnce = memoized<SchemaObject, Compiled>(compile);
  return (schema) => (typeof schema === 'boolean' ? compile(schema) : compileOnce(schema));
};

const compilerOfDocument = memoized<object, ReturnType<typeof createCompiler>>(createCompiler);
const compilerOf = (root: unknown): ReturnType<typeof createCompiler> =>
  typeof root === 'object' && root !== null ? compilerOfDocument(root) : createCompiler(root);

const judgeBy =
  <Judged>(
    validate: ValidateFunction,
    describe: (error: ErrorObject) => Judged,
    undecided: (reason: string) => Judged,
  ) =>
  (value: Json): readonly Judged[] => {
    try {
      return validate(value) ? [] : decided(validate.errors ?? []).map(describe);
    } catch (error) {
      if (error instanceof UndecidedMatch) return [undecided(error.message)];
      throw error;
    }
  };

const isAccepted = (validate: ValidateFunction, value: Json): boolean => {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof UndecidedMatch) return false;
    throw error;
  }
};

/**
 * The errors that do not depend on parts that the parser left out. It returns an empty array for a part that is nested too deeply, so an
 * error there, or in a value that contains it, may be wrong.
 */
const decided = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const unread = errors.map(({ instancePath }) => instancePath).filter(isTooDeep);
  if (unread.length === 0) return errors;
  return errors.filter(
    ({ instancePath }) =>
      !unread.some((path) => path === instancePath || path.startsWith(`${instancePath}/`)),
  );
};

const isTooDeep = (pointer: string): boolean =>
  pointer.length >= MAX_DEPTH && pointer.split('/').length > MAX_DEPTH;

/** Tells whether an array is valid exactly if each of its items is. */
const dependsOnItemsOnly = (portable: SchemaObject, { byName }: Definitions): boolean => {
  const { $ref, ...others } = portable;
  const isReference = $ref !== undefined && Object.keys(others).length === 0;
  const list = isReference ? (byName.get(String($ref)) ?? portable) : portable;
  return Object.keys(list).every((keyword) => ['exactType', 'items'].includes(keyword));
};

/** Validates frozen objects that were valid before only once, because lists contain the same objects repeatedly. */
const rememberingItems = (judge: SchemaValidator): SchemaValidator => {
  const valid = new WeakSet<object>();
  const isKnown = (item: Json): boolean => typeof item === 'object' && item !== null && valid.has(item);
  return (value) => {
    if (!Array.isArray(value)) return judge(value);
    const others = value.filter((item) => !isKnown(item));
    if (judge(others).length > 0) return judge(value);
    for (const item of others)
      if (typeof item === 'object' && item !== null && Object.isFrozen(item)) valid.add(item);
    return [];
  };
};

/** ajv only uses `code` for validators that are saved as files. */
const boundedRegExp: RegExpEngine = Object.assign((pattern: string) => compilePattern(pattern), {
  code: 'compilePattern',
});

function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    // A member "constructor" is missing if only the prototype has it.
    ownProperties: true,
    strict: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    logger: false,
    // Compiles a definition once, if many schemas refer to it.
    inlineRefs: false,
    // Optimization of a large schema takes longer than its tests.
    code: { regExp: boundedRegExp, optimize: false },
  });
  formats.default(ajv);
  for (const [name, validate] of Object.entries(exactFormats))
    ajv.addFormat(name, { type: 'string', validate });
  for (const definition of exactKeywords()) {
    ajv.removeKeyword(String(definition.keyword));
    ajv.addKeyword(definition);
  }
  return ajv;
}
