/** Values from the schemas of the document: valid, with one violated rule, and simplified. */
export { distinct } from '../json/equal.ts';
export { fromPointer } from '../json/pointer.ts';
export { alternatives } from '../json-schema/alternatives.ts';
export { acceptedBy, compileSchema, type SchemaValidator } from '../json-schema/compile.ts';
export { type FlatSchema, itemSchema, propertySchema } from '../json-schema/flatten.ts';
export { hasGrammar } from '../json-schema/generate/formats.ts';
export { boundaries, type Effort, noEffort, valid } from '../json-schema/generate/valid.ts';
export { follow, type JsonSchema, UnsatisfiableSchema, UnsupportedKeyword } from '../json-schema/schema.ts';
export { dropParts, simplerTexts } from '../json-schema/shrink.ts';
export { kindOf } from '../json-schema/types.ts';
export { type Violation, violations } from '../json-schema/violate/violations.ts';
export { bodyViolations, validBody } from '../openapi/body-values.ts';
export { bodyExamples, parameterExamples } from '../openapi/examples.ts';
export { invalidTexts, malformedTexts } from '../openapi/invalid-texts.ts';
export { lenientParses } from '../openapi/lenient-parses.ts';
export { parameterViolations, validParameter } from '../openapi/parameters.ts';
export { sidesOf } from '../openapi/read-write-schema.ts';
export {
  type BodyForm,
  formOf,
  type WrittenBody,
  writableSchema,
  writeBody,
} from '../openapi/request-body.ts';
export { serializeParameter } from '../openapi/serialize-parameter.ts';
