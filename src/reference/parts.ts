import type { Json, JsonObject } from '../json/json.ts';
import type { Clock } from '../time/clock.ts';
import type { IncomingRequest } from './incoming.ts';
import type { KeyGrant, Window } from './keys.ts';
import type { Limiter, LimiterFactory, WindowState } from './limiter.ts';
import type { NewPet, Pet, PetStatus } from './pet.ts';
import type { Reply } from './reply.ts';

export const operations = ['listPets', 'createPet', 'getPet', 'listOrders'] as const;
/** The document's operationIds; it gives none to GET /store/orders, so that one is ours. */
export type Operation = (typeof operations)[number];

export type Route =
  | { readonly operation: 'listPets' | 'createPet' | 'listOrders' }
  /** `petId` as it stands in the path, percent-decoded. */
  | { readonly operation: 'getPet'; readonly petId: string }
  | { readonly operation: null; readonly problem: 'unknown-resource' }
  | { readonly operation: null; readonly problem: 'method-not-allowed'; readonly allow: string };

/** Why a request is refused: the key to its status, `code` and message. */
export type Problem =
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

export interface ProblemText {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** What was made of something that a client wrote. */
export type ReadResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/** The result for the body also tells a body that is too large. */
export type BodyReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: Problem };

/** What one caller has used up. */
export interface Account {
  readonly limiters: readonly Limiter[];
  /** Until when it was told to wait, and how many requests it sent all the same. */
  waitUntil: number;
  ignoredWaits: number;
  bannedUntil: number;
}

/** The state of one server. */
export interface World {
  readonly clock: Clock;
  /** A number from 0 up to 1, as `Math.random` gives. */
  readonly random: () => number;
  readonly keys: readonly KeyGrant[];
  /** In the order of creation. */
  readonly pets: Pet[];
  readonly petsById: Map<bigint, Pet>;
  lastId: bigint;
  /** By caller, as the part `caller` names it. */
  readonly accounts: Map<string, Account>;
}

/** A request that arrived. */
export interface Arrival {
  readonly request: IncomingRequest;
  /** Stands for the connection that it came over, as far as requests that share one are known. */
  readonly connection: object;
  readonly url: URL;
  readonly route: Route;
  /** When it arrived by the server's own time, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly world: World;
  /** The parts of this server with every patch applied. */
  readonly parts: Parts;
  /** The body; read once, however often it is asked for. */
  body(): Promise<BodyReading>;
}

/** A request whose sender is known: null where the key is missing or invalid. */
export interface Call extends Arrival {
  readonly grant: KeyGrant | null;
}

/** What the rate limits say to a request. */
export interface Admission {
  readonly verdict: 'admitted' | 'limited' | 'banned';
  /** What the headers show. */
  readonly windowState: WindowState;
  /** Admitted: now. Else: when it is worth trying again, in milliseconds since the Unix epoch. */
  readonly retryAt: number;
}

export interface ListQuery {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

type Awaitable<Value> = Value | Promise<Value>;

/** The rules that the server is made of. A fault or a dialect replaces some of them; each calls the others through `call.parts`. */
export interface Parts {
  // The way of a request, from the outside in.
  /** The server's own time, from the clock's. */
  readonly time: (now: number) => number;
  /** `path` as in the URL: percent-encoded, starting with `/`. */
  readonly route: (method: string, path: string) => Route;
  /** Wraps everything: the reply that `next` gives has all its headers. */
  readonly wrap: (call: Call, next: () => Promise<Reply>) => Promise<Reply>;
  /** The HTTP parser can read the message; otherwise no code of the API runs. */
  readonly isReadable: (request: IncomingRequest) => boolean;
  /** An admitted request to its reply, still without the headers that every response has. */
  readonly respond: (call: Call) => Promise<Reply>;
  readonly handlers: Readonly<Record<Operation, (call: Call) => Awaitable<Reply>>>;
  /** Between reading and answering: lets other requests in. */
  readonly settle: (call: Call) => Promise<void>;
  /** Adds the headers that every response has. */
  readonly decorate: (reply: Reply, admission: Admission, call: Call) => Reply;
  readonly stringify: (value: Json) => string;

  // Authentication.
  /** The grant whose key the request presents, else null. */
  readonly authenticate: (arrival: Arrival) => KeyGrant | null;
  /** The key as presented, else null. */
  readonly credential: (arrival: Arrival) => string | null;
  readonly keyMatches: (presented: string, key: string) => boolean;
  readonly unauthenticated: (call: Call) => Awaitable<Reply>;

  // Errors.
  readonly problems: Readonly<Record<Problem, ProblemText>>;
  readonly renderError: (error: ProblemText, call: Call) => Json;
  /** `detail` completes the problem's message. */
  readonly fail: (problem: Problem, call: Call, detail?: string) => Reply;

  // Parameters: every value of the query parameter, in order.
  readonly readLimit: (values: readonly string[]) => ReadResult<number>;
  readonly readStatus: (values: readonly string[]) => ReadResult<PetStatus | undefined>;
  /** Null: no int64. */
  readonly readPetId: (text: string) => bigint | null;

  // The body of a creation.
  readonly maxBodyBytes: number;
  readonly readBody: (request: IncomingRequest, max: number) => Promise<BodyReading>;
  readonly parseBody: (bytes: Uint8Array, call: Call) => ReadResult<Json>;
  /** One sentence for each rule that the body breaks; empty: a valid NewPet. */
  readonly violations: (body: Json) => readonly string[];
  /** Called where there is no violation. */
  readonly toNewPet: (body: Json, call: Call) => NewPet;

  // The store.
  readonly assignId: (pet: NewPet, world: World) => Awaitable<bigint>;
  readonly insert: (pet: Pet, world: World) => Awaitable<void>;
  readonly find: (id: bigint, world: World) => Awaitable<Pet | undefined>;
  /** All animals in the order in which they are listed. */
  readonly order: (world: World) => Iterable<Pet>;
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
  /** Which of a caller's windows (one at least) the headers show. */
  readonly shown: (windowStates: readonly WindowState[]) => WindowState;
  /** A ban of `ms` milliseconds after `ignoredWaits` requests during a wait; null: never. */
  readonly ban: { readonly ignoredWaits: number; readonly ms: number } | null;
  readonly admit: (call: Call) => Admission;
  readonly rateLimitHeaders: (windowState: WindowState, call: Call) => Readonly<Record<string, string>>;
  /** The value of Retry-After; times in milliseconds since the Unix epoch. */
  readonly retryAfter: (retryAt: number, now: number) => string;
  readonly rateLimited: (admission: Admission, call: Call) => Reply;
}
