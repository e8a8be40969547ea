/** One header line. Lists of lines keep order and repetition. */
export type Header = readonly [name: string, value: string];

/** Returns the values of all header lines with a name (in lower case), in order. */
export const headerValues = (headers: readonly Header[], name: string): readonly string[] =>
  headers
    .filter(([each]) => each.length === name.length && each.toLowerCase() === name)
    .map(([, value]) => value);

/** Returns the value of the first header line with a name (in lower case), or null. */
export const headerValue = (headers: readonly Header[], name: string): string | null => {
  for (const [each, value] of headers) if (each.toLowerCase() === name) return value;
  return null;
};

/** How a message is malformed: it has no Host, or its Content-Length or a chunk size is not a number. */
export type Malformation = 'no host' | 'malformed length' | 'malformed chunk size';

/**
 * How a body is sent: in two pieces with a pause between them, in chunks (RFC 9112 7.1), in a malformed message, or not at all: without any
 * length, a request has no body (RFC 9112 6.3).
 */
export type Framing = 'pieces' | 'chunks' | 'missing length' | Malformation;

export const isMalformed = (framing: Framing | undefined): framing is Malformation =>
  framing !== undefined && !['pieces', 'chunks', 'missing length'].includes(framing);

/** A request as it is sent. */
export interface WireRequest {
  readonly method: string;
  /** Absolute and percent-encoded; sent unchanged. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array | null;
  /** Absent: in one piece with Content-Length. */
  readonly framing?: Framing;
}

/** The header lines of a response. */
export interface HeaderLines {
  readonly headers: readonly Header[];
  /** Number of header lines that are not in `headers`. Absent if all are there. */
  readonly headersLeftOut?: number;
  /** These lines, each as `\nname:value`, until the response was parsed. */
  readonly otherHeaders?: string;
}

export interface WireResponse extends HeaderLines {
  readonly status: number;
  readonly body: Uint8Array;
  /** Length of the whole body, if only its beginning is kept. */
  readonly bodyBytes?: number;
  /** Number of bytes after which reading stopped; absent: the body was read to its end. */
  readonly cutAt?: number;
  /** The body is the beginning of a stream. */
  readonly isStream?: true;
}

/** Only the beginning of a longer body is kept after it was parsed, because a run may get a thousand of them. */
const LONG_BODY_BYTES = 64 * 1024;
const KEPT_BYTES = 16 * 1024;

/** Returns the part of a response that is kept after it was parsed. */
export const keptPart = (response: WireResponse): WireResponse => {
  const { otherHeaders, ...kept } = response;
  const { body } = response;
  if (body.length > LONG_BODY_BYTES)
    return { ...kept, body: new Uint8Array(body.subarray(0, KEPT_BYTES)), bodyBytes: body.length };
  return otherHeaders === undefined ? response : kept;
};

/** What went wrong with a connection or a response. */
export type FailureDetail =
  /** An error of the system, of TLS, or of undici. */
  | { readonly code: 'error'; readonly error: string }
  | { readonly code: 'no-connection' | 'no-response' | 'incomplete-response'; readonly withinMs: number }
  /** The server closed the connection; null: before a response. */
  | { readonly code: 'closed'; readonly bodyBytes: number | null }
  | { readonly code: 'bad-length' | 'unexpected-101' | 'run-ended' }
  | { readonly code: 'not-http'; readonly parser: string | null }
  | { readonly code: 'not-decoded'; readonly coding: string | null };

/**
 * Why there is no response. `reused`: the connection had served an earlier request, and no part of this response had come. A reset may
 * then be the close of an idle connection.
 */
export interface TransportFailure {
  readonly kind: 'refused' | 'reset' | 'timeout' | 'malformed' | 'unreachable' | 'aborted';
  readonly detail: FailureDetail;
  readonly reused: boolean;
}

export type TransportResult =
  | { readonly ok: true; readonly response: WireResponse; readonly reused: boolean }
  | { readonly ok: false; readonly failure: TransportFailure };

/** `fresh`: a new connection. `recently-used`: a new one, or one that the server is unlikely to close soon. */
export type ConnectionPreference = 'any' | 'recently-used' | 'fresh';

export interface TransportOptions {
  readonly timeoutMs: number;
  /** Limit for the decoded body; absent: unlimited. */
  readonly maxBodyBytes?: number;
  /** Read a longer body to its end, if it is not known yet whether it ends in time. */
  readonly awaitsEnd?: boolean;
  /** Absent: any. */
  readonly connection?: ConnectionPreference;
  /** Share a connection only with requests with this id. */
  readonly connectionId?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request once. Never rejects because of the target. */
export interface Transport {
  send(request: WireRequest, sending: TransportOptions): Promise<TransportResult>;
  close(): Promise<void>;
}

/** The run's keys. */
export type KeySlot = 'main' | 'rate-limit';

/** How a request authenticates. */
export interface Credential {
  /** Text for reports, for example "a valid key". */
  readonly label: string;
  /** The key whose rate limit the request counts towards; null: the credential is invalid. */
  readonly chargedTo: KeySlot | null;
  /** Valid, but a server may find no key in it, or take it for another caller's. */
  readonly mayCountElsewhere?: true;
  /** It is valid without a key. */
  readonly needsNoKey?: true;
  /** Names of given headers that a request must not have, in lower case. */
  readonly omits?: readonly string[];
  /** Differs only in case from other credentials. Jetty's parser caches the headers of a connection and ignores case. */
  readonly dedicatedConnection?: true;
  /**
   * Returns the headers, the query, and members of an object in the body for this key. `others`: valid keys that an invalid credential
   * must not match. `given`: the headers that each request has.
   */
  apply(
    key: string,
    others?: readonly string[],
    given?: readonly Header[],
  ): {
    readonly headers: readonly Header[];
    readonly query?: string;
    readonly members?: Readonly<Record<string, string>>;
  };
}

/** A request without base URL and key, as a check describes it. */
export interface ApiRequest {
  /** The operationId in the OpenAPI document. */
  readonly operation: string;
  readonly method: string;
  /** Relative to the base URL, starts with `/`, percent-encoded, sent unchanged. */
  readonly path: string;
  /** Replaces the path of the base URL. */
  readonly basePath?: string;
  /** Without `?`; empty: none. */
  readonly query: string;
  readonly headers: readonly Header[];
  /** Names of default headers to leave out. */
  readonly omits?: readonly string[];
  readonly body: string | Uint8Array | null;
  /** Absent: in one piece with Content-Length. */
  readonly framing?: Framing;
  readonly credential: Credential;
}

interface SentRequest {
  readonly id: number;
  readonly request: ApiRequest;
  /** The request with base URL and key, as it was sent. */
  readonly wire: WireRequest;
  /** Milliseconds since the Unix epoch, by the run's clock. */
  readonly startedAt: number;
  readonly durationMs: number;
}

export interface RespondedExchange extends SentRequest {
  readonly response: WireResponse;
  readonly failure: null;
}

export interface FailedExchange extends SentRequest {
  readonly response: null;
  readonly failure: TransportFailure;
}

/** A request with its response, or with the reason there is none. `id` counts up in the order of sending. */
export type Exchange = RespondedExchange | FailedExchange;
