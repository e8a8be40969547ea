import { Ajv2020 } from 'ajv/dist/2020.js';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import formats from 'ajv-formats';
import type { Json } from '../json/json.ts';
import { exactKeywords } from './exact-keywords.ts';
import { type JsonSchema, toPortable } from './portable-schema.ts';
import { type SchemaProblem, toProblem } from './schema-problem.ts';

export type { JsonSchema, SchemaObject } from './portable-schema.ts';
export type { SchemaProblem } from './schema-problem.ts';

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
  return (value) => (validate(value) ? noProblems : (validate.errors ?? []).map(toProblem));
}

const noProblems: readonly SchemaProblem[] = [];

/** ajv compiles patterns in Unicode mode; those that only an older mode takes are still patterns. */
const lenientRegExp: RegExpEngine = (pattern, flags) => {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
};
lenientRegExp.code = 'new RegExp';

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
  code: { regExp: lenientRegExp },
});
formats.default(ajv);
for (const definition of exactKeywords) {
  ajv.removeKeyword(String(definition.keyword));
  ajv.addKeyword(definition);
}
