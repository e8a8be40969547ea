import type { JsonSchema } from '../json-schema/schema.ts';

/** An OpenAPI document, whether 3.0 or 3.1, as the suite reads it. */
export interface ApiDocument {
  readonly title: string;
  readonly version: string;
  /** In the order of the document. */
  readonly operations: readonly Operation[];
  /** `components.schemas` by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The whole document as OpenAPI 3.1: the target of every `$ref` of its schemas (`#/components/schemas/Pet`). */
  readonly root: unknown;
}

export interface Operation {
  /** The `operationId`; `GET /pets` if there is none. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The template: `/pets/{petId}`. */
  readonly path: string;
  readonly tags: readonly string[];
  /** The path of a server of its own, without a slash at its end; null: the operation is at the base URL. */
  readonly basePath: string | null;
  readonly deprecated: boolean;
  /** The day of removal, `YYYY-MM-DD`, from `x-sunset`. */
  readonly sunset: string | null;
  /** The alternatives of the operation's `security`: each names the schemes that are needed together. */
  readonly security: readonly (readonly SecurityScheme[])[];
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | null;
  readonly responses: readonly ResponseDescription[];
  /** The links of its successful responses. */
  readonly links: readonly OperationLink[];
  /** Why no request can be made from its description; null: one can. */
  readonly problem: string | null;
}

/** A response of one operation has values for the parameters of another one. */
export interface OperationLink {
  /** An operationId, or `GET /pets/{petId}`. */
  readonly target: string;
  /** Runtime expressions (`$response.body#/id`) or constants, by the name of the parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface SecurityScheme {
  readonly name: string;
  /** `http`, `apiKey`, `oauth2`, `openIdConnect`, `mutualTLS`. */
  readonly type: string;
  /** The HTTP scheme in lower case: `bearer`, `basic`. Null: `type` is not `http`. */
  readonly scheme: string | null;
  /** The parameter that carries the key. Null: `type` is not `apiKey`. */
  readonly parameter: Pick<Parameter, 'in' | 'name'> | null;
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
  /** JSON, if the operation accepts it; otherwise the first media type whose bodies can be written, if there is one. */
  readonly mediaType: string;
  readonly schema: JsonSchema;
  /** How the members of a form are written, by name; absent: in the usual way. */
  readonly encoding: Readonly<Record<string, BodyEncoding>>;
}

/** The Encoding Object of a member (OpenAPI 3.1, 4.8.15). */
export interface BodyEncoding {
  /** The media types of its part in a multipart body, separated by commas. */
  readonly contentType: string | null;
  /** Null: neither `style` nor `explode` is given. */
  readonly style: string | null;
  readonly explode: boolean | null;
}

export interface ResponseDescription {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  /** JSON, if the response has it; otherwise the first media type. Null: the document has no body for it. */
  readonly mediaType: string | null;
  readonly schema: JsonSchema | null;
  /** The schema of each media type or range, such as `application/*`, in lower case and without parameters; null: none is given. */
  readonly schemas: Readonly<Record<string, JsonSchema | null>>;
  /** By name, spelled as in the document. */
  readonly headers: Readonly<Record<string, ResponseHeader>>;
}

export interface ResponseHeader {
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** The description of a status: of the status itself, else of its class (`4XX`), else `default`. Null: there is none. */
export function responseFor(operation: Operation, status: number): ResponseDescription | null {
  const named = (name: string) => operation.responses.find((response) => response.status === name);
  return named(String(status)) ?? named(`${Math.floor(status / 100)}XX`) ?? named('default') ?? null;
}
