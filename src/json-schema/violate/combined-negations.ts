import {
  isSchema,
  isSchemaObject,
  type JsonSchema,
  type SchemaObject,
  schemaList,
  schemaMap,
  stringList,
} from '../schema.ts';

/** One way to break a keyword that combines schemas. Combined with the other rules of the position, it describes the values. */
export interface CombinedNegation {
  readonly keyword: string;
  readonly label: string;
  readonly schema: JsonSchema;
}

/** The number of pairs of alternatives that are tried to find a value that is valid for both. */
const maxPairs = 10;

/** The ways to break the combining keywords of a schema object. */
export function combinedNegations(schema: SchemaObject): readonly CombinedNegation[] {
  return [...negateChoices(schema), ...negateConditions(schema), ...negateDependents(schema)];
}

function negateChoices(schema: SchemaObject): readonly CombinedNegation[] {
  const none = ['anyOf', 'oneOf']
    .filter((keyword) => Object.hasOwn(schema, keyword))
    .map((keyword) => ({
      keyword,
      label: 'none of the alternatives',
      schema: { not: { anyOf: schemaList(schema[keyword]) } },
    }));
  const branches = schemaList(schema.oneOf);
  const pairs = branches.flatMap((first, index) =>
    branches.slice(index + 1).map((second) => ({
      keyword: 'oneOf',
      label: 'two alternatives at once',
      schema: { allOf: [first, second] },
    })),
  );
  return [...none, ...pairs.slice(0, maxPairs)];
}

function negateConditions({
  not,
  if: condition,
  then,
  else: otherwise,
}: SchemaObject): readonly CombinedNegation[] {
  return [
    ...(isSchema(not) ? [{ keyword: 'not', label: 'what it must not be', schema: not }] : []),
    ...(isSchema(condition) && isSchema(then)
      ? [{ keyword: 'if', label: 'not what follows from it', schema: { allOf: [condition, { not: then }] } }]
      : []),
    ...(isSchema(condition) && isSchema(otherwise)
      ? [
          {
            keyword: 'if',
            label: 'not what it must be otherwise',
            schema: { allOf: [{ not: condition }, { not: otherwise }] },
          },
        ]
      : []),
  ];
}

function negateDependents({
  dependentRequired,
  dependentSchemas,
}: SchemaObject): readonly CombinedNegation[] {
  const required = isSchemaObject(dependentRequired) ? Object.entries(dependentRequired) : [];
  return [
    ...required.flatMap(([name, names]) =>
      stringList(names).map((missing) => ({
        keyword: 'dependentRequired',
        label: `${name} without ${missing}`,
        schema: { type: 'object', required: [name], properties: { [missing]: false } },
      })),
    ),
    ...[...schemaMap(dependentSchemas)].map(([name, dependent]) => ({
      keyword: 'dependentSchemas',
      label: `${name} without what it asks for`,
      schema: { type: 'object', required: [name], not: dependent },
    })),
  ];
}
