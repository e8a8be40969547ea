import type { Clock } from '../time/clock.ts';
import { authenticationParts } from './authentication.ts';
import { endpointParts } from './endpoints.ts';
import type { IncomingRequest } from './incoming.ts';
import type { KeyGrant } from './keys.ts';
import { limitParts } from './limits.ts';
import type { BodyReading, Call, Incoming, Parts, ServerState } from './parts.ts';
import { applyPatches, type Patch } from './patch.ts';
import { petStatuses } from './pet.ts';
import { problemParts } from './problems.ts';
import { readingParts } from './reading.ts';
import { type Reply, toResponse, type WrittenReply, writeReply } from './reply.ts';
import { storeParts } from './store.ts';

/** The conforming server, as its parts. */
export const standardParts: Parts = {
  ...endpointParts,
  ...authenticationParts,
  ...limitParts,
  ...problemParts,
  ...readingParts,
  ...storeParts,
};

export interface ReferenceOptions {
  readonly clock: Clock;
  readonly keys: readonly KeyGrant[];
  /** A number from 0 up to 1, as `Math.random` gives. */
  readonly random: () => number;
  /** The number of animals in the initial store; absent: 0. */
  readonly seedPets?: number;
  /** Faults and dialects, applied in order; absent: none. */
  readonly patches?: readonly Patch[];
}

/** A server without a socket, with web-standard requests and responses. */
export interface WebServer {
  readonly keys: readonly KeyGrant[];
  /**
   * Responds to a request below `/v1` of any host; `connection` identifies its connection. Rejects with `ConnectionDropped` if a fault
   * drops the connection. The conforming server never rejects.
   */
  fetch(request: Request, connection?: object): Promise<Response>;
  /** The response to input that is not a valid `Request`: 400 with an Error, and the headers of every response. */
  refuse(): Promise<Response>;
}

export interface Reference extends WebServer {
  /** Like `fetch`, but without the cost of a `Request` and a `Response`: for callers in this process. */
  respond(request: IncomingRequest, connection?: object): Promise<WrittenReply>;
}

/** Creates a server for the whole interface document. Its parts decide everything that the document does not specify. */
export function createReference(options: ReferenceOptions): Reference {
  const parts = applyPatches(standardParts, options.patches ?? []);
  const { clock, keys, random } = options;
  const state: ServerState = {
    clock,
    random,
    keys,
    pets: [],
    petsById: new Map(),
    lastId: 0n,
    accounts: new Map(),
  };
  const ready = seed(state, parts, options.seedPets ?? 0);

  const respondWith = async (
    request: IncomingRequest,
    connection: object,
    handle: (call: Call) => Promise<Reply>,
  ): Promise<WrittenReply> => {
    const call = arrive(request, connection, parts, state);
    await ready;
    const reply = await parts.wrap(call, async () => {
      const decision = parts.admit(call);
      const admitted = decision.verdict === 'admitted';
      return parts.decorate(
        admitted ? await handle(call) : parts.rateLimited(decision, call),
        decision,
        call,
      );
    });
    return writeReply(reply, request.method, parts.stringify);
  };
  const refuse = async (call: Call): Promise<Reply> => parts.fail('unreadable', call);
  const respond: Reference['respond'] = (request, connection = {}) =>
    respondWith(request, connection, parts.isReadable(request) ? parts.respond : refuse);
  return {
    keys,
    respond,
    fetch: async (request, connection) => toResponse(await respond(request, connection)),
    refuse: async () => toResponse(await respondWith(new Request(unreadable), {}, refuse)),
  };
}

const unreadable = 'http://localhost/v1';

function arrive(request: IncomingRequest, connection: object, parts: Parts, state: ServerState): Call {
  const url = new URL(request.url);
  let reading: Promise<BodyReading> | null = null;
  const arrival: Incoming = {
    request,
    connection,
    url,
    route: parts.route(request.method, url.pathname),
    at: parts.time(state.clock.now()),
    state,
    parts,
    body: () => {
      reading ??= parts.readBody(request, parts.maxBodyBytes);
      return reading;
    },
  };
  return { ...arrival, grant: parts.authenticate(arrival) };
}

const seedNames = ['Bella', 'Rex', 'Luna', 'Max', 'Nala', 'Oscar', 'Coco', 'Simba'] as const;

/** Creates the initial animals, with names, categories 1 to 5, and statuses in turn. */
async function seed(state: ServerState, parts: Parts, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const pet = {
      name: `${seedNames[index % seedNames.length]} ${index + 1}`,
      categoryId: BigInt((index % 5) + 1),
      status: petStatuses[index % petStatuses.length],
      extra: {},
    };
    await parts.insert({ ...pet, id: await parts.assignId(pet, state) }, state);
  }
}
