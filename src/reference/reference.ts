import type { Clock } from '../time/clock.ts';
import { answerParts } from './answers.ts';
import { authenticationParts } from './authentication.ts';
import type { IncomingRequest } from './incoming.ts';
import type { KeyGrant } from './keys.ts';
import { limitParts } from './limits.ts';
import type { Arrival, BodyReading, Call, Parts, World } from './parts.ts';
import { applyPatches, type Patch } from './patch.ts';
import { petStatuses } from './pet.ts';
import { problemParts } from './problems.ts';
import { readingParts } from './reading.ts';
import { type Reply, toResponse, type WrittenReply, writeReply } from './reply.ts';
import { storeParts } from './store.ts';

/** The conforming server, as its parts. */
export const standardParts: Parts = {
  ...answerParts,
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
  /** How many animals stand in the store at first; 0 when absent. */
  readonly seedPets?: number;
  /** Faults and dialects, applied in turn; none when absent. */
  readonly patches?: readonly Patch[];
}

/** A server without a socket, by the standards of the web. */
export interface WebServer {
  readonly keys: readonly KeyGrant[];
  /**
   * Answers a request below `/v1`, whatever the host; `connection` stands for the one it came over. Rejects with `ConnectionDropped`
   * where a fault drops the connection, and with anything else only where a patch is broken: the conforming server never rejects.
   */
  fetch(request: Request, connection?: object): Promise<Response>;
  /** The answer to something that cannot be made a `Request`: 400 with an Error, and the headers of every response. */
  refuse(): Promise<Response>;
}

export interface Reference extends WebServer {
  /** As `fetch`, without the cost of a `Request` and a `Response`: for whoever asks in this process. */
  answer(request: IncomingRequest, connection?: object): Promise<WrittenReply>;
}

/** Makes a server of the animal store: the whole interface document, with what it leaves open decided by its parts. */
export function createReference(options: ReferenceOptions): Reference {
  const parts = applyPatches(standardParts, options.patches ?? []);
  const { clock, keys, random } = options;
  const world: World = {
    clock,
    random,
    keys,
    pets: [],
    petsById: new Map(),
    lastId: 0n,
    accounts: new Map(),
  };
  const ready = seed(world, parts, options.seedPets ?? 0);

  const answerBy = async (
    request: IncomingRequest,
    connection: object,
    respond: (call: Call) => Promise<Reply>,
  ): Promise<WrittenReply> => {
    const call = arrive(request, connection, parts, world);
    await ready;
    const reply = await parts.wrap(call, async () => {
      const admission = parts.admit(call);
      const admitted = admission.verdict === 'admitted';
      return parts.decorate(
        admitted ? await respond(call) : parts.rateLimited(admission, call),
        admission,
        call,
      );
    });
    return writeReply(reply, request.method, parts.stringify);
  };
  const refuse = async (call: Call): Promise<Reply> => parts.fail('unreadable', call);
  const answer: Reference['answer'] = (request, connection = {}) =>
    answerBy(request, connection, parts.isReadable(request) ? parts.respond : refuse);
  return {
    keys,
    answer,
    fetch: async (request, connection) => toResponse(await answer(request, connection)),
    refuse: async () => toResponse(await answerBy(new Request(unreadable), {}, refuse)),
  };
}

const unreadable = 'http://localhost/v1';

function arrive(request: IncomingRequest, connection: object, parts: Parts, world: World): Call {
  const url = new URL(request.url);
  let reading: Promise<BodyReading> | null = null;
  const arrival: Arrival = {
    request,
    connection,
    url,
    route: parts.route(request.method, url.pathname),
    at: parts.time(world.clock.now()),
    world,
    parts,
    body: () => {
      reading ??= parts.readBody(request, parts.maxBodyBytes);
      return reading;
    },
  };
  return { ...arrival, grant: parts.authenticate(arrival) };
}

const seedNames = ['Bella', 'Rex', 'Luna', 'Max', 'Nala', 'Oscar', 'Coco', 'Simba'] as const;

/** Animals to begin with: names, categories 1 to 5 and statuses in turn. */
async function seed(world: World, parts: Parts, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const pet = {
      name: `${seedNames[index % seedNames.length]} ${index + 1}`,
      categoryId: BigInt((index % 5) + 1),
      status: petStatuses[index % petStatuses.length],
      extra: {},
    };
    await parts.insert({ ...pet, id: await parts.assignId(pet, world) }, world);
  }
}
