import type { Listening } from '../../examples/listening.ts';

/** `document`: a response differs from the document. `rule`: a request that breaks the document is accepted. `meaning`: a resource behaves wrongly. */
export type FaultClass = 'document' | 'rule' | 'meaning';

/** One direct request to a server, and its response. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined: the body is not JSON. */
  readonly json: unknown;
}

interface CallOptions {
  readonly body?: unknown;
  /** Instead of the valid key; null: none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends `POST /books` with the valid key. */
export type Call = (request: string, options?: CallOptions) => Promise<Reply>;

/** Shows the fault by direct requests: true on the faulty server, false on the clean one. */
type Proof = (call: Call) => Promise<boolean>;

export type Faults = Readonly<Record<string, readonly [faultClass: FaultClass, what: string, proof: Proof]>>;

/** A small server of its own API. */
export interface BenchApi {
  readonly name: string;
  readonly framework: string;
  /** Puts the key into a request; null: the API needs none. */
  readonly authenticate:
    | ((key: string) => { readonly header?: readonly [string, string]; readonly query?: string })
    | null;
  readonly key: string;
  /** The OpenAPI document of the server without faults. */
  document(): Promise<object>;
  readonly faults: Faults;
  /** Listens on a free port of this machine, with the named faults. */
  serve(faults: ReadonlySet<string>): Promise<Listening>;
}

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of a JSON object, or of a nested one: `at(json, 'address', 'zip')`. */
export const at = (value: unknown, ...names: readonly (string | number)[]): unknown =>
  names.reduce<unknown>(
    (part, name) =>
      Array.isArray(part) ? part[Number(name)] : isObject(part) ? part[String(name)] : undefined,
    value,
  );

/** The list in a response. */
export const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Sends requests to a server. */
export const callerOf =
  ({ authenticate, key: validKey }: Pick<BenchApi, 'authenticate' | 'key'>, baseUrl: string): Call =>
  async (request, { body, key = validKey, headers = {} } = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const { header, query } = key === null ? {} : (authenticate?.(key) ?? {});
    const response = await fetch(
      `${baseUrl}${path}${query === undefined ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`,
      {
        method,
        headers: {
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(header === undefined ? {} : { [header[0]]: header[1] }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
  };

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
