import type { Json, JsonObject } from '../json/json.ts';
import type { Clock } from '../time/clock.ts';
import type { IncomingRequest } from './incoming.ts';
import type { KeyGrant, Window } from './keys.ts';
import type { Limiter, LimiterFactory, WindowState } from './limiter.ts';
import type { NewPet, Pet, PetStatus } from './pet.ts';
import type { Reply } from './reply.ts';

export const operations = ['listPets', 'createPet', 'getPet', 'listOrders'] as const;
/** The operationIds of the document. The one of GET /store/orders is ours. */
export type Operation = (typeof operations)[number];

export type Route =
  | { readonly operation: 'listPets' | 'createPet' | 'listOrders' }
  /** `petId` from the path, percent-decoded. */
  | { readonly operation: 'getPet'; readonly petId: string }
  | { readonly operation: null; readonly problem: 'unknown-resource' }
  | { readonly operation: null; readonly problem: 'method-not-allowed'; readonly allow: string };

/** Why a request is rejected: the key to its status, `code`, and message. */
export type Rejection =
  | 'unauthenticated'
  | 'unknown-resource'
  | 'method-not-allowed'
  | 'unknown-pet'
  | 'removed'
  | 'invalid-parameter'
  | 'invalid-body'
  | 'body-too-large'
  | 'unreadable'
  | 'rate-limited'
  | 'banned';

export interface RejectionText {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** A value that the client sent, parsed. */
export type ReadResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/** The body of a request, or why it cannot be read. */
export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: Rejection };

/** The used requests of one caller. */
export interface Account {
  readonly limiters: readonly Limiter[];
  /** Until when it must wait. `ignoredWaits` counts the requests that it sent anyway. */
  waitUntil: number;
  ignoredWaits: number;
  bannedUntil: number;
}

/** The state of one server. */
export interface ServerState {
  readonly clock: Clock;
  /** A number from 0 up to 1, as `Math.random` gives. */
  readonly random: () => number;
  readonly keys: readonly KeyGrant[];
  /** In the order of creation. */
  readonly pets: Pet[];
  readonly petsById: Map<bigint, Pet>;
  lastId: bigint;
  /** By caller, named by the part `caller`. */
  readonly accounts: Map<string, Account>;
}

/** A request that arrived. */
export interface Incoming {
  readonly request: IncomingRequest;
  /** Identifies the connection, if it is known. */
  readonly connection: object;
  readonly url: URL;
  readonly route: Route;
  /** When it arrived in the server's own time, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly state: ServerState;
  /** The parts of this server with every patch applied. */
  readonly parts: Parts;
  /** Returns the body, which is read once. */
  body(): Promise<BodyReading>;
}

/** A request after authentication. `grant` is null if the key is missing or invalid. */
export interface Call extends Incoming {
  readonly grant: KeyGrant | null;
}

/** The decision of the rate limits on a request. */
export interface LimitDecision {
  readonly verdict: 'admitted' | 'limited' | 'banned';
  /** The state that the headers show. */
  readonly windowState: WindowState;
  /** When a request can succeed again, in milliseconds since the Unix epoch. Now, if this one is admitted. */
  readonly retryAt: number;
}

export interface ListQuery {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

type Awaitable<Value> = Value | Promise<Value>;

/** The parts of the server. A fault or a dialect replaces some of them. Parts call each other through `call.parts`. */
export interface Parts {
  // The path of a request, from the outside in.
  /** The server's own time, from the clock's. */
  readonly time: (now: number) => number;
  /** `path` as in the URL: percent-encoded, starting with `/`. */
  readonly route: (method: string, path: string) => Route;
  /** Wraps everything: `next` returns a reply with all its headers. */
  readonly wrap: (call: Call, next: () => Promise<Reply>) => Promise<Reply>;
  /** The HTTP parser can read the message; otherwise no code of the API runs. */
  readonly isReadable: (request: IncomingRequest) => boolean;
  /** Responds to an admitted request, without the headers that every response has. */
  readonly respond: (call: Call) => Promise<Reply>;
  readonly handlers: Readonly<Record<Operation, (call: Call) => Awaitable<Reply>>>;
  /** Lets other requests in, between reading and responding. */
  readonly settle: (call: Call) => Promise<void>;
  /** Adds the headers that every response has. */
  readonly decorate: (reply: Reply, decision: LimitDecision, call: Call) => Reply;
  readonly stringify: (value: Json) => string;

  // Authentication.
  /** The grant whose key the request presents, else null. */
  readonly authenticate: (arrival: Incoming) => KeyGrant | null;
  /** The key as presented, else null. */
  readonly credential: (arrival: Incoming) => string | null;
  readonly keyMatches: (presented: string, key: string) => boolean;
  readonly unauthenticated: (call: Call) => Awaitable<Reply>;

  // Errors.
  readonly problems: Readonly<Record<Rejection, RejectionText>>;
  readonly renderError: (error: RejectionText, call: Call) => Json;
  /** `detail` completes the problem's message. */
  readonly fail: (problem: Rejection, call: Call, detail?: string) => Reply;

  // Parameters: every value of the query parameter, in order.
  readonly readLimit: (values: readonly string[]) => ReadResult<number>;
  readonly readStatus: (values: readonly string[]) => ReadResult<PetStatus | undefined>;
  /** Null: not an int64. */
  readonly readPetId: (text: string) => bigint | null;

  // The body of a creation.
  readonly maxBodyBytes: number;
  readonly readBody: (request: IncomingRequest, max: number) => Promise<BodyReading>;
  readonly parseBody: (bytes: Uint8Array, call: Call) => ReadResult<Json>;
  /** One sentence for each rule that the body breaks; empty: a valid NewPet. */
  readonly violations: (body: Json) => readonly string[];
  /** Called only without violations. */
  readonly toNewPet: (body: Json, call: Call) => NewPet;

  // The store.
  readonly assignId: (pet: NewPet, state: ServerState) => Awaitable<bigint>;
  readonly insert: (pet: Pet, state: ServerState) => Awaitable<void>;
  readonly find: (id: bigint, state: ServerState) => Awaitable<Pet | undefined>;
  /** All animals in the order in which they are listed. */
  readonly order: (state: ServerState) => Iterable<Pet>;
  /** Filters, then cuts to the limit. */
  readonly select: (pets: Iterable<Pet>, query: ListQuery, call: Call) => readonly Pet[];

  // Bodies of success.
  readonly renderPet: (pet: Pet, call: Call) => JsonObject;
  readonly renderPets: (pets: readonly Pet[], call: Call) => Json;
  readonly renderOrders: (call: Call) => Json;

  // Removal and deprecation of getPet.
  /** Milliseconds since the Unix epoch. */
  readonly removedAt: number;
  readonly deprecationHeaders: (call: Call) => Readonly<Record<string, string>>;

  // Rate limits.
  readonly limiter: LimiterFactory;
  /** Null: requests without a valid key, which share one account. */
  readonly windows: (grant: KeyGrant | null) => readonly Window[];
  /** Names the account that a request is charged to. */
  readonly caller: (call: Call) => string;
  /** Whether an admitted request is charged. */
  readonly counts: (call: Call) => boolean;
  /** The window that the headers show, from the windows of a caller (at least one). */
  readonly shown: (windowStates: readonly WindowState[]) => WindowState;
  /** A ban of `ms` milliseconds after `ignoredWaits` requests during a wait; null: never. */
  readonly ban: { readonly ignoredWaits: number; readonly ms: number } | null;
  readonly admit: (call: Call) => LimitDecision;
  readonly rateLimitHeaders: (windowState: WindowState, call: Call) => Readonly<Record<string, string>>;
  /** The value of Retry-After; times in milliseconds since the Unix epoch. */
  readonly retryAfter: (retryAt: number, now: number) => string;
  readonly rateLimited: (decision: LimitDecision, call: Call) => Reply;
}
