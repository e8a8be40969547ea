import { breachOf, type Finding } from '../../finding/finding.ts';
import type { BrokenBody } from '../../finding/kinds/body.ts';
import type { InputMistake } from '../../finding/kinds/requests.ts';
import { headerValue } from '../../http/exchange.ts';
import type { UnreadableReason } from '../../http/parsed-response.ts';
import { decodeBody } from '../../json/decode.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import { compileSchema, type SchemaValidator } from '../../json-schema/compile.ts';
import { follow, isSchema, isSchemaObject, type JsonSchema } from '../../json-schema/schema.ts';
import type { ApiDocument, Operation, Parameter, RequestBody } from '../../openapi/document.ts';
import { lenientParsesOfText } from '../../openapi/lenient-parses.ts';
import { memoized } from '../../util/memoize.ts';
import { brokenBody } from '../broken-body.ts';
import { isOpen } from '../rule.ts';
import { type Arrival, bearerToken } from './arrival.ts';

/** A request path matched with the paths of the document. `operation` null: no operation has the method. */
export interface PathMatch {
  readonly operation: Operation | null;
  /** Percent-encoded, by name. */
  readonly values: Readonly<Record<string, string>>;
}

/** A path in which unreserved characters are not percent-encoded: both forms are equivalent (RFC 3986 6.2.2.2). */
const normalPath = (path: string): string =>
  path.replaceAll(/%(?:2D|2E|5F|7E|3\d|[46][1-9A-F]|[57][0-9A])/gi, (encoded) => decodeURIComponent(encoded));

const valuesIn = (template: string, path: string): PathMatch['values'] | null => {
  const [parts, segments] = [template.split('/'), normalPath(path).split('/')];
  if (parts.length !== segments.length) return null;
  const values: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? '';
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === '') return null;
    if (name !== undefined) values[name] = segment;
  }
  return values;
};

/** Finds the operation of a request. A path without parameters wins. Null: the document does not have the path. */
export const matchPath = ({ operations }: ApiDocument, method: string, path: string): PathMatch | null => {
  const matches = operations
    .flatMap((operation) => {
      const values = valuesIn(operation.path, path);
      return values === null ? [] : [{ operation, values }];
    })
    .toSorted((a, b) => Object.keys(a.values).length - Object.keys(b.values).length);
  const [first] = matches;
  if (first === undefined) return null;
  return matches.find(({ operation }) => operation.method === method) ?? { ...first, operation: null };
};

const validators = memoized((root: object) => memoizedBySchema(root));

/** The schemas of a document are compiled once. */
const memoizedBySchema = (root: object) => {
  const known = new Map<JsonSchema, SchemaValidator>();
  return (schema: JsonSchema): SchemaValidator => {
    const validate = known.get(schema) ?? compileSchema(schema, root);
    known.set(schema, validate);
    return validate;
  };
};

const validatorOf = (document: ApiDocument, schema: JsonSchema): SchemaValidator =>
  validators(isSchemaObject(document.root) ? document.root : document)(schema);

/** Removes the plus sign and leading zeros of an integer: the document does not specify them. Other texts are unchanged. */
const plainInteger = (text: string): string => text.replace(/^(?:\+|%2B|(-))?0*(?=\d+$)/i, '$1');

const valueMistake = (parameter: Parameter, text: string, document: ApiDocument): InputMistake | null => {
  const validate = validatorOf(document, parameter.schema);
  const problems = [text, plainInteger(text)].flatMap(lenientParsesOfText).map((value) => validate(value));
  if (problems.some((found) => found.every(({ undecided }) => undecided === true))) return null;
  // The last reading of a scalar is the most specific one, for example the number.
  const [first] = problems.findLast((found) => found[0]?.keyword !== 'type') ?? problems[0] ?? [];
  const { keyword = 'type', wanted = [] } = first ?? {};
  return { part: 'value', name: parameter.name, value: text, keyword, wanted };
};

const queryMistakes = (
  operation: Operation,
  query: string,
  document: ApiDocument,
): readonly InputMistake[] => {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const names = [...new URLSearchParams(query).keys()];
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  return [...new Set(names)].flatMap((name): readonly InputMistake[] => {
    const parameter = parameters.find((each) => each.name === name);
    if (parameter === undefined) return [{ part: 'parameter', name, how: 'unknown' }];
    if (name === repeated) return [{ part: 'parameter', name, how: 'repeated' }];
    const value = new URLSearchParams(query).get(name) ?? '';
    const mistake = valueMistake(parameter, encodeURIComponent(value), document);
    return mistake === null ? [] : [mistake];
  });
};

const pathMistakes = (
  operation: Operation,
  values: PathMatch['values'],
  document: ApiDocument,
): readonly InputMistake[] =>
  operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap((parameter) => valueMistake(parameter, values[parameter.name] ?? '', document) ?? []);

/** Members that the schema does not describe; none if it describes no members. */
const unknownMembers = (body: Json, schema: JsonSchema, root: unknown): readonly string[] => {
  if (!isJsonObject(body)) return [];
  const described = propertiesOf(schema, root);
  return described === null ? [] : Object.keys(body).filter((name) => !described.has(name));
};

/** The members that a schema and the schemas in its `allOf` describe; null: none. */
const propertiesOf = (schema: JsonSchema, root: unknown): ReadonlySet<string> | null => {
  const { properties, allOf } = follow(schema, root);
  const parts = Array.isArray(allOf) ? allOf.filter(isSchema) : [];
  const names = [
    ...(isSchemaObject(properties) ? Object.keys(properties) : []),
    ...parts.flatMap((part) => [...(propertiesOf(part, root) ?? [])]),
  ];
  return names.length === 0 ? null : new Set(names);
};

const readJson = (bytes: Uint8Array): { readonly value: Json } | { readonly broken: BrokenBody } => {
  const { text, problems } = decodeBody(bytes);
  const [encoding] = problems;
  const broken = (why: UnreadableReason, at: number | null) => ({
    broken: brokenBody({ kind: 'unreadable', text, why, at }),
  });
  if (encoding !== undefined) return broken({ code: 'encoding', encoding }, null);
  const read = parseJson(text);
  return read.ok ? { value: read.value } : broken(read.problem, read.position);
};

const bodyMistakes = (
  { exchange: { wire } }: Arrival,
  { schema, mediaType, required }: RequestBody,
  document: ApiDocument,
): readonly InputMistake[] => {
  const bytes = Buffer.from(wire.body ?? '');
  if (bytes.length === 0) return required ? [{ part: 'body', broken: null }] : [];
  const given = headerValue(wire.headers, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;
  if (given !== mediaType) return [{ part: 'media-type', mediaType: given }];
  const read = readJson(bytes);
  if ('broken' in read) return [{ part: 'body', broken: read.broken }];
  const mistakes = validatorOf(document, schema)(read.value).filter(({ undecided }) => undecided !== true);
  if (mistakes.length > 0) return mistakes.map((mistake) => ({ part: 'schema', mistake }));
  return unknownMembers(read.value, schema, document.root).map((name) => ({ part: 'member', name }));
};

/** A body that the document does not describe. */
const undescribedBody = ({ exchange: { wire } }: Arrival, operation: Operation): readonly InputMistake[] =>
  isOpen(operation) || Buffer.from(wire.body ?? '').length === 0 ? [] : [{ part: 'undescribed-body' }];

/** Why a request is outside the documented input space; empty: it is inside. The key is the subject of CLIENT-1. */
export const inputMistakes = (arrival: Arrival, document: ApiDocument): readonly InputMistake[] => {
  const { path, query, method } = arrival.exchange.request;
  const match = matchPath(document, method, path);
  // An arrival without an operation may be outside the base address.
  if (match === null || (match.operation !== null && arrival.operation === null)) return [{ part: 'path' }];
  const { operation, values } = match;
  if (operation === null) return [{ part: 'method' }];
  return [
    ...pathMistakes(operation, values, document),
    // The document shows no parameters of such an operation.
    ...(isOpen(operation) ? [] : queryMistakes(operation, query, document)),
    ...(operation.requestBody === null
      ? undescribedBody(arrival, operation)
      : bodyMistakes(arrival, operation.requestBody, document)),
  ];
};

/** CLIENT-5. A request without a bearer token is not yet evidence that the client is right. */
export const documentedInput =
  (document: ApiDocument) =>
  (arrival: Arrival): readonly Finding[] => {
    const mistakes = inputMistakes(arrival, document);
    if (mistakes.length > 0)
      return mistakes.map((mistake) =>
        breachOf('CLIENT-5', { rule: 'undocumented-request', mistake }, arrival.exchange),
      );
    return bearerToken(arrival) === null ? [] : [{ kind: 'passed', requirement: 'CLIENT-5' }];
  };

/** CLIENT-6. */
export const noDeprecatedOperation = ({ operation, exchange }: Arrival): readonly Finding[] => {
  if (operation === null) return [];
  if (!operation.deprecated) return [{ kind: 'passed', requirement: 'CLIENT-6' }];
  return [breachOf('CLIENT-6', { rule: 'deprecated-operation', operation: operation.id }, exchange)];
};
