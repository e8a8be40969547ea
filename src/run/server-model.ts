import { isCreation } from '../check/creations.ts';
import type { CreatedPet } from '../check/run-context.ts';
import { isOfAnotherKey, type Probe } from '../finding/probe.ts';
import type { Exchange, KeySlot } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { JsonObject } from '../json/json.ts';
import { compileSchema } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';
import { sidesOf } from '../openapi/read-write-schema.ts';
import { knownOperations } from '../oracle/kind.ts';
import { idOf, isSameName, listedPets, petOf } from '../oracle/pet.ts';
import { removalStateAt } from '../oracle/removal.ts';
import type { OwnPet, Refusal, ServerModel } from '../oracle/rule.ts';
import { createStatusHistory } from '../oracle/status-history.ts';
import { type AcceptedNews, createWronglyAccepted } from '../oracle/wrongly-accepted.ts';
import { limitState } from '../rate-limit/limit-state.ts';
import type { OtherLimit } from '../rate-limit/monitors/other-limit.ts';
import { memoized, memoizedByValue } from '../util/memoize.ts';
import { createRefusedAnimals } from './refused-animals.ts';

/** A response with the sequence numbers between which it came. */
export interface ObservedResponse {
  readonly probe: Probe;
  readonly response: ParsedResponse;
  /** The sequence number of its request. */
  readonly sequence: number;
  /** The latest sequence number when the response was complete. */
  readonly sequenceAtEnd: number;
}

/** What a run learns about its target from the responses. */
export interface LearningServerModel
  extends ServerModel,
    Pick<ReturnType<typeof createStatusHistory>, 'hasChanges' | 'statusesReturn'>,
    Pick<ReturnType<typeof createWronglyAccepted>, 'hear'> {
  /**
   * A request is about to be sent. The function that it returns is to be called when the request is over, but never if the server may
   * still execute it: what it creates then is no evidence against the server.
   */
  sending(probe: Probe): () => void;
  update(observed: ObservedResponse): void;
  /** Animals that a 201 returned. */
  readonly created: readonly CreatedPet[];
  /** Animals of every response that may mean that they were created: for cleaning up. */
  readonly createdResources: readonly CreatedPet[];
  isKnownId(id: bigint): boolean;
  /** The server created an animal in this category: it exists. */
  isCategoryAccepted(id: bigint): boolean;
  /** An animal was shown with the name, in any case and with any white space at its ends. */
  isTakenName(name: string): boolean;
}

interface Options {
  readonly document: ApiDocument;
  /** Default: the document is the animal store's. */
  readonly store?: boolean;
  readonly plans: Readonly<Record<KeySlot, Plan | null>>;
  /** Absent: nothing is known of the requests of the run. */
  readonly otherLimit?: Pick<OtherLimit, 'mayExplain'>;
  /** How many animals of other workers the store has. Default: none. */
  readonly storedByOthers?: () => number;
  /** Tells other workers about animals that the server should have refused. */
  readonly tell?: (news: AcceptedNews) => void;
  /** Today at the target, in milliseconds. */
  today(): number;
}

interface Creation {
  readonly sequence: number;
  readonly first: Exchange;
  last: Exchange;
}

type State = ReturnType<typeof createState>;

/** A model that knows nothing yet. */
export const createServerModel = ({
  document,
  store = true,
  plans,
  otherLimit,
  storedByOthers = () => 0,
  tell,
  today,
}: Options): LearningServerModel => {
  const state = createState(tell);
  const { created, createdResources, knownIds, ownIds, ownPets, creations, wronglyAccepted, statuses } =
    state;
  return {
    document,
    store,
    created,
    createdResources,
    validator: validatorsOf(document),
    plan: (slot) => plans[slot],
    mayBeOtherLimit: (slot, refused) =>
      otherLimit?.mayExplain(slot, limitState(refused), refused.exchange.startedAt) === true,
    removalState: (operation) => removalStateAt(operation, today),
    sending: (probe) => sending(state, probe),
    update: (observed) => {
      if (store && knownOperations.includes(observed.probe.request.operation)) update(state, observed);
    },
    get storeSize() {
      return ownIds.size + storedByOthers();
    },
    get hasChanges() {
      return statuses.hasChanges;
    },
    get statusesReturn() {
      return statuses.statusesReturn;
    },
    idSeenBefore: (id, sequence) => (knownIds.get(id) ?? sequence) < sequence,
    idCreatedBy: (id) => creations.get(id)?.sequence ?? null,
    creationsOf: (id) => {
      const creation = creations.get(id);
      return creation === undefined ? [] : [...new Set([creation.first, creation.last])];
    },
    isKnownId: (id) => knownIds.has(id),
    ownPet: (id) => ownPets.get(id) ?? null,
    ownPets: () => [...ownPets.values()].filter((pet) => pet !== null),
    statusShown: statuses.shown,
    isTakenName: (name) => state.takenNames.has(comparableName(name)),
    isCategoryAccepted: (id) => state.acceptedCategories.has(id),
    isSentName: (name) => state.sentNames.has(name),
    wasWronglyAccepted: wronglyAccepted.has,
    hear: wronglyAccepted.hear,
    refusalOf: (pet, sequence) => refusalOf(state, pet, sequence),
  };
};

const createState = (tell?: (news: AcceptedNews) => void) => ({
  /** The sequence number from which on an id was known; infinity: only another key has shown it. */
  knownIds: new Map<bigint, number>(),
  /** Without the ids that only another key has shown, because a key may have a store of its own. */
  ownIds: new Set<bigint>(),
  creations: new Map<bigint, Creation>(),
  created: [] as CreatedPet[],
  createdResources: [] as CreatedPet[],
  ownPets: new Map<bigint, OwnPet | null>(),
  acceptedCategories: new Set<bigint>(),
  takenNames: new Set<string>(),
  sentNames: new Set<string>(),
  refused: createRefusedAnimals(),
  wronglyAccepted: createWronglyAccepted(tell),
  statuses: createStatusHistory(),
});

/** Schemas are compiled once a document, on first use. */
const validatorsOf = memoized((document: ApiDocument) =>
  memoizedByValue((schema: JsonSchema) => {
    const { response } = sidesOf(document.root);
    return compileSchema(response(schema), response(document.root));
  }),
);

/** Names that are equal for a server that compares them without regard to case, normal form, or white space at the ends. */
const comparableName = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

const isCreate = ({ request }: Probe): boolean => request.operation === 'createPet';

const sending = (state: State, probe: Probe): (() => void) => {
  const ends = [
    state.wronglyAccepted.sending(probe),
    ...(isCreate(probe) ? sendingCreation(state, probe.sent ?? {}) : []),
  ];
  return () => {
    for (const end of ends) end();
  };
};

const sendingCreation = (state: State, sent: JsonObject): readonly (() => void)[] => {
  if (typeof sent.name === 'string') state.sentNames.add(sent.name);
  return state.refused.sending(sent);
};

/** Operations that return animals. Orders have ids of their own. */
const ofAnimals: readonly string[] = ['listPets', 'createPet', 'getPet'];

const update = (state: State, observed: ObservedResponse): void => {
  const { probe, response } = observed;
  state.wronglyAccepted.responded(probe, response);
  if (isCreate(probe)) updateCategories(state, observed);
  if (response.json === undefined && response.status < 400) return;
  if (isCreate(probe)) updateCreations(state, observed);
  if (response.status < 300 && ofAnimals.includes(probe.request.operation)) updatePets(state, observed);
};

const updateCategories = (
  { acceptedCategories }: State,
  { probe: { sent }, response: { status } }: ObservedResponse,
): void => {
  const category = sent?.categoryId;
  if (status < 300 && typeof category === 'bigint') acceptedCategories.add(category);
};

const updateCreations = (state: State, observed: ObservedResponse): void => {
  const { probe, response } = observed;
  state.refused.responded(observed);
  const pet = petOf(response);
  const id = pet === null ? null : idOf(pet);
  if (pet !== null && id !== null && isCreation(probe.request.method, response.status))
    addCreation(state, observed, { id, pet });
};

const addCreation = (
  { creations, created, createdResources, ownPets }: State,
  { probe, response, sequence }: ObservedResponse,
  { id, pet }: Pick<CreatedPet, 'id' | 'pet'>,
): void => {
  const { exchange } = response;
  const { startedAt, durationMs } = exchange;
  const resource = { id, pet, sentAt: startedAt, at: startedAt + durationMs };
  createdResources.push(resource);
  if (response.status !== 201 || isOfAnotherKey(probe)) return;
  const known = creations.get(id);
  if (known === undefined) creations.set(id, { sequence, first: exchange, last: exchange });
  else known.last = exchange;
  created.push(resource);
  ownPets.set(id, !ownPets.has(id) && isAsRequested(probe, pet) ? resource : null);
};

/** A 201 that changes what was sent is a breach of its own, and later responses are not compared with it. */
const isAsRequested = ({ sent = {}, request }: Probe, pet: JsonObject): boolean =>
  request.credential.chargedTo !== null &&
  typeof sent.name === 'string' &&
  sent.name.isWellFormed() &&
  isSameName(sent.name, pet.name) &&
  sent.categoryId === pet.categoryId &&
  (sent.status === undefined || sent.status === pet.status);

const updatePets = (state: State, observed: ObservedResponse): void => {
  const { knownIds, ownIds, refused, takenNames } = state;
  const { probe, response, sequenceAtEnd } = observed;
  const since = isOfAnotherKey(probe) ? Number.POSITIVE_INFINITY : sequenceAtEnd;
  for (const pet of listedPets(response) ?? [petOf(response)]) {
    const id = pet === null ? null : idOf(pet);
    const known = id === null ? undefined : knownIds.get(id);
    if (id !== null && (known === undefined || known > since)) knownIds.set(id, since);
    if (pet !== null && id !== null && !isOfAnotherKey(probe)) {
      ownIds.add(id);
      if (state.ownPets.get(id)) state.statuses.add(id, pet.status, observed);
    }
    if (pet !== null) refused.shown(pet);
    if (typeof pet?.name === 'string') takenNames.add(comparableName(pet.name));
  }
};

const refusalOf = ({ creations, refused }: State, pet: JsonObject, sequence: number): Refusal | null => {
  // An animal of a 201 may now look like a rejected one.
  const id = idOf(pet);
  return id !== null && creations.has(id) ? null : refused.like(pet, sequence);
};
