import { follow, type SchemaObject, schemaMap, stringList } from '../json-schema/schema.ts';
import type { Parameter } from './document.ts';

/** Keywords of an object that say nothing about several members at once, and annotations. */
const plainKeywords: readonly string[] = [
  ...['type', 'properties', 'required', 'additionalProperties'],
  ...[
    'title',
    'description',
    'example',
    'examples',
    'default',
    'deprecated',
    '$comment',
    'externalDocs',
    'xml',
  ],
];

const isPlain = ({ type, additionalProperties, ...others }: SchemaObject): boolean =>
  type === 'object' &&
  (additionalProperties === undefined || typeof additionalProperties === 'boolean') &&
  Object.keys(others).every((keyword) => plainKeywords.includes(keyword) || keyword.startsWith('x-'));

/** The members are repeated or nested, which no style defines. */
const isContainer = (schema: unknown, root: unknown): boolean => {
  const { type, properties, items } = follow(schema, root);
  return (
    [type].flat().some((each) => each === 'array' || each === 'object') ||
    properties !== undefined ||
    items !== undefined
  );
};

/**
 * Returns the members of an object in a query as parameters of their own, because they are written alike (OpenAPI 3.1, 4.8.12.6): `page=1&size=5`
 * for `{ page, size }`, and `page[size]=5` for a deepObject. Members that no style defines are left out if they are optional. The parameter itself
 * is returned if its members are not plain, or required only together.
 */
export const membersOfParameter = (parameter: Parameter, root: unknown): readonly Parameter[] => {
  const { name, style, explode, required, schema: described } = parameter;
  const isDeep = style === 'deepObject';
  if (parameter.in !== 'query' || !(isDeep || (style === 'form' && explode))) return [parameter];
  const schema = follow(described, root);
  const [members, wanted] = [schemaMap(schema.properties), stringList(schema.required)];
  const isTogether = wanted.length > 0 && !required;
  const isUnwritable = wanted.some((each) => !members.has(each) || isContainer(members.get(each), root));
  if (members.size === 0 || !isPlain(schema) || isTogether || isUnwritable) return [parameter];
  return [...members].flatMap(([member, each]): readonly Parameter[] =>
    isContainer(each, root)
      ? []
      : [
          {
            name: isDeep ? `${name}[${member}]` : member,
            in: 'query',
            required: wanted.includes(member),
            schema: each,
            style: 'form',
            explode: true,
          },
        ],
  );
};
