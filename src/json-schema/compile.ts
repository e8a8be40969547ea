import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import formats from 'ajv-formats';
import type { Json } from '../json/json.ts';
import { MAX_DEPTH } from '../json/parse.ts';
import { exactKeywords, intRanges } from './exact-keywords.ts';
import { shapes } from './keywords.ts';
import { compilePattern, UndecidedMatch } from './patterns/pattern.ts';
import { type SchemaProblem, toProblem, undecidedProblem } from './problems.ts';
import { isSchemaObject, type JsonSchema, resolve, type SchemaObject } from './schema.ts';

/**
 * Turns a schema of a document into one that stands alone, for ajv with our exact keywords: what it refers to moves into `$defs`,
 * the numeric keywords that ajv keeps for itself are renamed, counts become doubles. Keywords that only annotate are left out.
 * @param root the document that its `$ref`s point into
 * @throws Error where a `$ref` leads nowhere
 */
function toPortable(schema: JsonSchema, root: unknown): SchemaObject {
  const names = new Map<string, string>();
  const main = rewrite(schema, names);
  const definitions: Record<string, JsonSchema> = {};
  // The map grows while it is walked: a definition may refer to further ones.
  for (const [reference, name] of names) definitions[name] = rewrite(resolve(reference, root), names);
  return { ...(typeof main === 'boolean' ? { allOf: [main] } : main), $defs: definitions };
}

/** The definitions that are needed: names in `$defs` by reference. */
type Names = Map<string, string>;

function rewrite(schema: unknown, names: Names): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isSchemaObject(schema)) throw new Error(`${JSON.stringify(schema)} stands where a schema belongs`);
  const { $ref, $dynamicRef, ...keywords } = schema;
  if ($dynamicRef !== undefined) throw new Error('$dynamicRef is not supported');
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
  return `#/$defs/${name}`;
}

const nameFor = (keyword: string, value: unknown): string => {
  if (keyword === 'type') return 'exactType';
  return keyword === 'format' && Object.hasOwn(intRanges, String(value)) ? 'exactFormat' : keyword;
};

export type { SchemaProblem } from './problems.ts';

/** Lists every rule of the schema that a value breaks; empty: the value is valid. */
export type SchemaValidator = (value: Json) => readonly SchemaProblem[];

/**
 * Makes the validator of a schema: JSON Schema 2020-12 by ajv, with everything that concerns numbers judged exactly. Unknown
 * keywords and formats are ignored. Takes milliseconds: compile once, validate often.
 * @param root the document that `$ref`s of the schema point into, {@link ApiDocument.root}
 * @throws Error where the schema is malformed or a `$ref` leads nowhere
 */
export function compileSchema(schema: JsonSchema, root: unknown = schema): SchemaValidator {
  const portable = toPortable(schema, root);
  const validate = ajv.compile(portable);
  ajv.removeSchema(portable);
  const judge: SchemaValidator = (value) => {
    try {
      return validate(value) ? noProblems : decided(validate.errors ?? []).map(toProblem);
    } catch (error) {
      if (error instanceof UndecidedMatch) return [undecidedProblem(error.message)];
      throw error;
    }
  };
  return isOfItemsAlone(portable) ? rememberingItems(judge) : judge;
}

/**
 * The errors that do not depend on what the parser left out: an empty array stands for what is nested too deep, so an error there, or in
 * what contains it, may not be the value's.
 */
const decided = (errors: readonly ErrorObject[]): readonly ErrorObject[] => {
  const unread = errors.map(({ instancePath }) => instancePath).filter(isTooDeep);
  if (unread.length === 0) return errors;
  return errors.filter(
    ({ instancePath }) =>
      !unread.some((path) => path === instancePath || path.startsWith(`${instancePath}/`)),
  );
};

const isTooDeep = (pointer: string): boolean => pointer.split('/').length > MAX_DEPTH;

/** An array is valid where each of its items is. */
const isOfItemsAlone = (portable: SchemaObject): boolean => {
  const { $defs, ...main } = portable;
  const { $ref, ...others } = main;
  const list =
    $ref === undefined ? main : Object.keys(others).length === 0 ? resolve(String($ref), portable) : null;
  return (
    isSchemaObject(list) && Object.keys(list).every((keyword) => ['exactType', 'items'].includes(keyword))
  );
};

/** Lists show the same objects again and again: those that were valid, and cannot have changed since, are not looked at again. */
const rememberingItems = (judge: SchemaValidator): SchemaValidator => {
  const valid = new WeakSet<object>();
  const isKnown = (item: Json): boolean => typeof item === 'object' && item !== null && valid.has(item);
  return (value) => {
    if (!Array.isArray(value)) return judge(value);
    const others = value.filter((item) => !isKnown(item));
    if (judge(others).length > 0) return judge(value);
    for (const item of others)
      if (typeof item === 'object' && item !== null && Object.isFrozen(item)) valid.add(item);
    return noProblems;
  };
};

const noProblems: readonly SchemaProblem[] = [];

/** ajv writes `code` only into validators that are kept as files. */
const boundedRegExp: RegExpEngine = Object.assign((pattern: string) => compilePattern(pattern), {
  code: 'compilePattern',
});

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  // A member called "constructor" is missing where only the prototype has it.
  ownProperties: true,
  strict: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
  code: { regExp: boundedRegExp },
});
formats.default(ajv);
for (const definition of exactKeywords) {
  ajv.removeKeyword(String(definition.keyword));
  ajv.addKeyword(definition);
}
