import type { JsonSchema } from '../json-schema/schema.ts';

/** An OpenAPI document, whether 3.0 or 3.1, as the suite reads it. */
export interface ApiDocument {
  readonly title: string;
  readonly version: string;
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  /** `components.schemas` by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The whole document in 3.1's terms: what a `$ref` of any of its schemas (`#/components/schemas/Pet`) points into. */
  readonly root: unknown;
}

export interface Operation {
  /** The `operationId`; `GET /pets` where there is none. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The template: `/pets/{petId}`. */
  readonly path: string;
  readonly deprecated: boolean;
  /** The day of removal, `YYYY-MM-DD`, from `x-sunset`. */
  readonly sunset: string | null;
  /** No request is served without a bearer token. */
  readonly secured: boolean;
  /** The alternatives of the operation's `security`: each names the schemes that are needed together. */
  readonly security: readonly (readonly SecurityScheme[])[];
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | null;
  readonly responses: readonly ResponseDescription[];
}

export interface SecurityScheme {
  readonly name: string;
  /** `http`, `apiKey`, `oauth2`, `openIdConnect`, `mutualTLS`. */
  readonly type: string;
  /** Of `http`, in lower case: `bearer`, `basic`. */
  readonly scheme: string | null;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** A style of OpenAPI, or `json`: the value is written as JSON text. */
  readonly style: string;
  readonly explode: boolean;
}

export interface RequestBody {
  readonly required: boolean;
  /** JSON, where the operation takes it; else the first one named. */
  readonly mediaType: string;
  readonly schema: JsonSchema;
}

export interface ResponseDescription {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  /** JSON, where the response has it, else the first one named; null where the document shows no body. */
  readonly mediaType: string | null;
  readonly schema: JsonSchema | null;
  /** The schema of each media type or range, such as `application/*`, in lower case and without parameters; null: none is given. */
  readonly schemas: Readonly<Record<string, JsonSchema | null>>;
  /** By name, as the document writes it. */
  readonly headers: Readonly<Record<string, ResponseHeader>>;
}

export interface ResponseHeader {
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** What the document says of a status: by itself, else by its class (`4XX`), else by `default`; null where it says nothing. */
export function responseFor(operation: Operation, status: number): ResponseDescription | null {
  const named = (name: string) => operation.responses.find((response) => response.status === name);
  return named(String(status)) ?? named(`${Math.floor(status / 100)}XX`) ?? named('default') ?? null;
}
