/** One header line, as written on the wire: order and repetition are kept. */
export type Header = readonly [name: string, value: string];

/** What is malformed about a message: it has no Host, or its Content-Length or the size of a chunk is not a number. */
export type Malformation = 'no host' | 'malformed length' | 'malformed chunk size';

/** How a body is sent: in two pieces, the second one a moment after the first, in chunks (RFC 9112 7.1), or in a malformed message. */
export type Framing = 'pieces' | 'chunks' | Malformation;

/** Tells whether a message is malformed in some way. */
export const isMalformed = (framing: Framing | undefined): framing is Malformation =>
  framing !== undefined && framing !== 'pieces' && framing !== 'chunks';

/** A request on its way to the wire. */
export interface WireRequest {
  readonly method: string;
  /** Absolute and percent-encoded; sent unchanged. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array | null;
  /** Absent: in one piece, after its length. */
  readonly framing?: Framing;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  /** Length of a long body, if only its beginning is kept. */
  readonly bodyBytes?: number;
  /** Only so many bytes of a longer body were read. */
  readonly cutAt?: number;
  /** The body is the beginning of a stream, which need not end. */
  readonly isStream?: true;
}

/** A longer body is read once, and then only its beginning is kept: a run may get a thousand of them. */
const LONG_BODY_BYTES = 64 * 1024;
const KEPT_BYTES = 16 * 1024;

/** A response as it is kept after it was read. */
export const keptPart = (response: WireResponse): WireResponse => {
  const { body } = response;
  if (body.length <= LONG_BODY_BYTES) return response;
  return { ...response, body: new Uint8Array(body.subarray(0, KEPT_BYTES)), bodyBytes: body.length };
};

/** Says that a body was not read to its end. */
export const cutReason = (bytes: number): string => `response body cut at ${bytes} bytes (--max-body)`;

/**
 * Why no response came. `reused`: the connection had served an earlier request and no part of a response had come, so a reset may be an
 * idle close.
 */
export interface TransportFailure {
  readonly kind: 'refused' | 'reset' | 'timeout' | 'malformed' | 'unreachable' | 'aborted';
  /** One sentence in the words of HTTP, with no stack and no library names. */
  readonly message: string;
  readonly reused: boolean;
}

export type TransportResult =
  | { readonly ok: true; readonly response: WireResponse; readonly reused: boolean }
  | { readonly ok: false; readonly failure: TransportFailure };

/** `fresh`: a new connection. `recently-used`: a new one, or one that is as unlikely to be closed when the request arrives. */
export type ConnectionPreference = 'any' | 'recently-used' | 'fresh';

/** How a request is sent. */
export interface TransportOptions {
  readonly timeoutMs: number;
  /** Bytes of the decoded body that are read; absent: all. */
  readonly maxBodyBytes?: number;
  /** Absent: any. */
  readonly connection?: ConnectionPreference;
  /** Only requests with this id share the connection, whatever came before on it. */
  readonly connectionId?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request once. Never throws for what the target does. */
export interface Transport {
  send(request: WireRequest, sending: TransportOptions): Promise<TransportResult>;
  close(): Promise<void>;
}

/** Which of the run's keys a request is charged to; null: it carries no valid key. */
export type KeySlot = 'main' | 'rate-limit';

/** How a request presents itself to authentication. */
export interface Credential {
  /** As reports show it: "a valid key", "the key cut short". */
  readonly label: string;
  /** The key whose limit the request counts towards; null: the credential should be refused. */
  readonly chargedTo: KeySlot | null;
  /**
   * It differs only in case from what other requests send: it gets a connection of its own, because a parser (Jetty's) may remember the
   * headers of a connection without regard to case, and confuse the two.
   */
  readonly dedicatedConnection?: true;
  /** What is added to the request for this key. `others`: further valid keys, which an altered key must not equal. */
  apply(
    key: string,
    others?: readonly string[],
  ): { readonly headers: readonly Header[]; readonly query?: string };
}

/** A request as a check describes it: without the base URL and without the key. */
export interface ApiRequest {
  /** The operationId in the OpenAPI document. */
  readonly operation: string;
  readonly method: string;
  /** Below the base URL, starting with `/`, percent-encoded as it is to be sent. */
  readonly path: string;
  /** Without `?`; empty: none. */
  readonly query: string;
  readonly headers: readonly Header[];
  /** Default headers that this request does not have. */
  readonly omits?: readonly string[];
  readonly body: string | Uint8Array | null;
  /** Absent: the body is sent in one piece. */
  readonly framing?: Framing;
  readonly credential: Credential;
}

interface Sent {
  readonly id: number;
  readonly request: ApiRequest;
  /** What was sent on the wire. */
  readonly wire: WireRequest;
  /** Milliseconds since the Unix epoch, by the run's clock. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** A request that got a response. */
export interface Answered extends Sent {
  readonly response: WireResponse;
  readonly failure: null;
}

/** A request that got no response. */
export interface Unanswered extends Sent {
  readonly response: null;
  readonly failure: TransportFailure;
}

/** A request and its response, or the reason why there is none. `id` counts up in the order of sending. */
export type Exchange = Answered | Unanswered;
