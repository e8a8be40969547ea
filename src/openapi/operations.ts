import { toJson } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import {
  follow as followIn,
  isSchema,
  isSchemaObject,
  type JsonSchema,
  type SchemaObject,
} from '../json-schema/schema.ts';
import { memoized } from '../util/memoize.ts';
import { brokenWithin } from './broken-references.ts';
import type {
  BodyEncoding,
  Operation,
  Parameter,
  RequestBody,
  ResponseDescription,
  ResponseHeader,
  SecurityScheme,
} from './document.ts';
import { membersOfParameter } from './exploded-objects.ts';
import { readLinks } from './links.ts';
import { covers, isJsonType, plainMediaType, preferredType } from './media-types.ts';
import { brokenReference } from './prepare-source.ts';
import { firstLine } from './read-source.ts';
import { documentProblems as operationProblems } from './refusals.ts';
import { formOf } from './request-body.ts';
import { methods } from './source-walk.ts';

/** Returns a part of the document with its references followed. */
type Follow = (part: unknown) => SchemaObject;

/** Reads the operations of an OpenAPI 3.1 document. An operation whose description cannot be read has a `problem`. */
export function readOperations(root: SchemaObject): readonly Operation[] {
  return Object.entries(followIn(root.paths, root))
    .filter(([path]) => !path.startsWith('x-'))
    .flatMap(([path, item]) => readPath(path, item, root));
}

function readPath(path: string, described: unknown, root: SchemaObject): readonly Operation[] {
  const [item, problem] = orProblem(() => followIn(described, root));
  const broken = item === null ? problem : brokenReference(item);
  if (item === null || broken !== null) return [unreadable({ path, method: anyMethod }, broken)];
  return Object.entries(item)
    .filter(([name]) => methods.includes(name))
    .map(([name, operation]) => {
      const place = { path, method: name.toUpperCase() };
      const [read, why] = orProblem(() => readOperation(place, item, followIn(operation, root), root));
      return read ?? unreadable(place, why);
    });
}

/** The method of an operation in a path whose operations cannot be read. */
const anyMethod = '*';

type Place = Pick<Operation, 'path' | 'method'>;

const nothing: Omit<Operation, keyof Place | 'id' | 'problem'> = {
  tags: [],
  basePath: null,
  deprecated: false,
  sunset: null,
  security: [],
  parameters: [],
  requestBody: null,
  responses: [],
  links: [],
};

const unreadable = ({ path, method }: Place, problem: string | null): Operation => ({
  ...nothing,
  id: `${method} ${path}`,
  path,
  method,
  problem,
});

const orProblem = <Made>(make: () => Made): readonly [Made, null] | readonly [null, string] => {
  try {
    return [make(), null];
  } catch (error) {
    return [null, firstLine(error)];
  }
};

function readOperation(
  { path, method }: Pick<Operation, 'path' | 'method'>,
  item: SchemaObject,
  operation: SchemaObject,
  root: SchemaObject,
): Operation {
  const follow: Follow = (part) => followIn(part, root);
  const security = readSecurity(
    operation.security ?? root.security,
    follow(follow(root.components).securitySchemes),
    follow,
  );
  const sunset = operation['x-sunset'];
  const server = serverOf(operation, item, root);
  return {
    id: typeof operation.operationId === 'string' ? operation.operationId : `${method} ${path}`,
    method,
    path,
    tags: list(operation.tags).filter((tag) => typeof tag === 'string'),
    basePath: server?.basePath ?? null,
    deprecated: operation.deprecated === true,
    sunset: typeof sunset === 'string' ? sunset : null,
    security,
    parameters: readParameters([list(item.parameters), list(operation.parameters)].flat().map(follow), root),
    requestBody: readRequestBody(operation.requestBody, follow),
    responses: Object.entries(follow(operation.responses))
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, response]) => readResponse(status, follow(response), follow)),
    links: readLinks(follow(operation.responses), follow),
    problem: server?.problem ?? brokenWithin([item.parameters, operation], root),
  };
}

interface Server {
  readonly basePath: string | null;
  readonly problem: string | null;
}

/** The server of an operation that is not the server of the document; null: it has none. Only the path of a relative one is known. */
function serverOf(operation: SchemaObject, item: SchemaObject, root: SchemaObject): Server | null {
  const own = list(operation.servers ?? item.servers);
  if (own.length === 0) return null;
  const urls = own.map((server) => serverUrl(followIn(server, root)));
  const usual = list(root.servers).map((server) => serverUrl(followIn(server, root)));
  const [first = '/'] = urls;
  if (urls.some((url) => usual.includes(url))) return null;
  const relative = urls.find((url) => url.startsWith('/') && !url.startsWith('//'));
  return relative === undefined
    ? { basePath: null, problem: operationProblems.otherServer(first) }
    : { basePath: relative.replace(/\/$/, ''), problem: null };
}

/** The URL of a server, with the default values of its variables. */
const serverUrl = ({ url, variables }: SchemaObject): string =>
  String(url).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isSchemaObject(variables) ? variables[name] : undefined;
    return isSchemaObject(variable) && variable.default !== undefined ? String(variable.default) : whole;
  });

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function readSecurity(
  alternatives: unknown,
  schemes: SchemaObject,
  follow: Follow,
): readonly (readonly SecurityScheme[])[] {
  return list(alternatives).map((alternative) =>
    Object.keys(follow(alternative)).map((name) => {
      const { type, scheme, in: place, name: parameter } = follow(schemes[name]);
      return {
        name,
        type: String(type),
        scheme: typeof scheme === 'string' ? scheme.toLowerCase() : null,
        parameter: type === 'apiKey' ? { in: placeOf(place), name: String(parameter) } : null,
      };
    }),
  );
}

/** Header parameters that OpenAPI says to ignore, because other parts of the document describe them. */
const describedElsewhere = ['accept', 'content-type', 'authorization'];

/** Headers that encode or frame a message, or belong to a connection (RFC 9110 sections 7.6.1 and 8.4, RFC 9112): the HTTP client sets them. */
const setByClient = [
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const ignoredHeaders = new Set([...describedElsewhere, ...setByClient]);

/** A later parameter replaces an earlier one with the same name and place: an operation overrides its path. */
function readParameters(described: readonly SchemaObject[], root: SchemaObject): readonly Parameter[] {
  const parameters = described
    .flatMap(parameterIn(root))
    .filter(({ in: place, name }) => place !== 'header' || !ignoredHeaders.has(name.toLowerCase()));
  return [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

/** Operations share equal parameters, so that their values are made once. */
const parameterIn = memoized((root: SchemaObject) => {
  const known = new Map<string, readonly Parameter[]>();
  return (described: SchemaObject): readonly Parameter[] => {
    const text = stringifyJson(toJson(described));
    const parameters = known.get(text) ?? membersOfParameter(readParameter(described, root), root);
    known.set(text, parameters);
    return parameters;
  };
});

const readParameter = (described: SchemaObject, root: SchemaObject): Parameter => {
  const follow: Follow = (part) => followIn(part, root);
  const place = placeOf(described.in);
  const style = styleOf(described, place, follow);
  return {
    name: String(described.name),
    in: place,
    required: described.required === true || place === 'path',
    schema: schemaOf(described, follow) ?? true,
    style,
    explode: typeof described.explode === 'boolean' ? described.explode : style === 'form',
  };
};

/** A parameter with `content` instead of `schema` is written in its media type, which is JSON. */
const styleOf = ({ style, content }: SchemaObject, place: Parameter['in'], follow: Follow): string => {
  if (isJsonType(readContent(content, follow).mediaType)) return 'json';
  return typeof style === 'string' ? style : defaultStyles[place];
};

const defaultStyles = { query: 'form', cookie: 'form', path: 'simple', header: 'simple' } as const;

const placeOf = (place: unknown): Parameter['in'] =>
  place === 'path' || place === 'header' || place === 'cookie' ? place : 'query';

/** The schema of a parameter or header, which may be in its `content`. */
function schemaOf(holder: SchemaObject, follow: Follow): JsonSchema | null {
  return toSchema(holder.schema) ?? readContent(holder.content, follow).schema;
}

const toSchema = (value: unknown): JsonSchema | null => (isSchema(value) ? value : null);

/** The preferred media type, and its schema. */
function readContent(
  described: unknown,
  follow: Follow,
): { mediaType: string | null; schema: JsonSchema | null } {
  const content = follow(described);
  const mediaType = preferredType(content);
  return { mediaType, schema: mediaType === null ? null : toSchema(follow(content[mediaType]).schema) };
}

function readRequestBody(described: unknown, follow: Follow): RequestBody | null {
  const { required, content } = follow(described);
  const types = Object.keys(follow(content));
  const writable = types.find(isJsonType) ?? types.find((type) => formOf(type) !== null);
  const mediaType = writable ?? types[0];
  if (mediaType === undefined) return null;
  const { schema, encoding } = follow(follow(content)[mediaType]);
  const sent = covers(plainMediaType(mediaType), 'application/json') ? 'application/json' : mediaType;
  return {
    required: required === true,
    mediaType: sent,
    schema: toSchema(schema) ?? true,
    encoding: Object.fromEntries(
      Object.entries(follow(encoding)).map(([name, each]) => [name, readEncoding(follow(each))]),
    ),
  };
}

const readEncoding = ({ contentType, style, explode }: SchemaObject): BodyEncoding => ({
  contentType: typeof contentType === 'string' ? contentType : null,
  style: typeof style === 'string' ? style : explode === undefined ? null : 'form',
  explode: typeof explode === 'boolean' ? explode : null,
});

function readResponse(status: string, response: SchemaObject, follow: Follow): ResponseDescription {
  const headers = Object.entries(follow(response.headers)).filter(
    ([name]) => name.toLowerCase() !== 'content-type',
  );
  return {
    status,
    ...readContent(response.content, follow),
    schemas: readSchemas(follow(response.content), follow),
    headers: Object.fromEntries(headers.map(([name, header]) => [name, readHeader(follow(header), follow)])),
  };
}

/** Media types that only differ in parameters, such as a version, permit the schemas of all. */
function readSchemas(content: SchemaObject, follow: Follow): ResponseDescription['schemas'] {
  const byType = Map.groupBy(Object.keys(content), plainMediaType);
  return Object.fromEntries(
    [...byType].map(([type, variants]) => {
      const schemas = variants.map((variant) => toSchema(follow(content[variant]).schema));
      const [only = null] = schemas;
      if (schemas.length === 1) return [type, only];
      return [type, schemas.includes(null) ? null : { anyOf: schemas }];
    }),
  );
}

const readHeader = (header: SchemaObject, follow: Follow): ResponseHeader => ({
  required: header.required === true,
  schema: schemaOf(header, follow) ?? true,
});
