import { isCreation } from '../check/creations.ts';
import type { CreatedPet } from '../check/run-context.ts';
import type { Exchange, KeySlot } from '../http/exchange.ts';
import { jsonOf, type ParsedResponse } from '../http/parsed-response.ts';
import type { Json, JsonObject } from '../json/json.ts';
import { compileSchema, type SchemaValidator } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { ApiDocument, Operation } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';
import { sidesOf } from '../openapi/read-write-schema.ts';
import { knownOperations } from '../oracle/kind.ts';
import { sameName } from '../oracle/names.ts';
import { idOf, listedPets, petOf } from '../oracle/pet.ts';
import { isRareCategory } from '../oracle/private-category.ts';
import { isOfAnotherKey, type Probe } from '../oracle/probe.ts';
import type { OwnPet, Refusal, RemovalState, ServerModel } from '../oracle/rule.ts';
import { createTakenAmiss } from '../oracle/wrongly-accepted.ts';
import { limitState } from '../rate-limit/limit-state.ts';
import type { OtherLimit } from '../rate-limit/monitors/other-limit.ts';
import { createCounter } from '../util/counter.ts';
import { memoized } from '../util/memoize.ts';

/** An answer with the tickets between which it came: `done` is the last ticket given out when it was complete. */
export interface Arrival {
  readonly probe: Probe;
  readonly reading: ParsedResponse;
  readonly ticket: number;
  readonly done: number;
}

/** What a run learns of its target, answer by answer. */
export interface LearningServerModel extends ServerModel {
  /**
   * A request is about to be sent. What it gives is to be called once the request is over, but never where it may yet be served: what
   * it creates then is nothing to hold against the server.
   */
  sending(probe: Probe): () => void;
  learn(arrival: Arrival): void;
  /** Animals that a 201 gave. */
  readonly created: readonly CreatedPet[];
  /** Animals that any answer gave which may say that they were created, for whoever tidies up. */
  readonly createdResources: readonly CreatedPet[];
  isSeenId(id: bigint): boolean;
  /** A creation in this category was served: it exists. */
  tookCategory(id: bigint): boolean;
  /** An animal was shown with the name, in any case and with any white space at its ends. */
  isTakenName(name: string): boolean;
  /** Some animal of the run was shown with another status than before: this store changes animals by itself. */
  readonly hasChanges: boolean;
  /** Some animal of the run got a status again that it had before. */
  readonly statusesReturn: boolean;
}

/** A status with the last ticket given out when the response that showed it was complete. */
interface StatusShown {
  readonly status: Json | undefined;
  readonly done: number;
}

interface Options {
  readonly document: ApiDocument;
  /** Absent: the animal store's document. */
  readonly store?: boolean;
  readonly plans: Readonly<Record<KeySlot, Plan | null>>;
  /** Absent: nothing is known of the requests of the run. */
  readonly otherLimit?: Pick<OtherLimit, 'mayExplain'>;
  /** Today at the target, in milliseconds. */
  today(): number;
}

interface RefusalSeen extends Refusal {
  readonly done: number;
}

interface Creation {
  readonly ticket: number;
  readonly first: Exchange;
  last: Exchange;
}

/** What was refused is looked for in the lists that come soon after. */
const mostRefusals = 5_000;

/** What an animal is known again by: its name, or a category that nobody else will have taken. */
type Mark = string | bigint;

const fingerprintsOf = ({ name, categoryId }: JsonObject): readonly Mark[] => {
  const marks: Mark[] = typeof name === 'string' ? [name] : [];
  if (typeof categoryId === 'bigint' && isRareCategory(categoryId)) marks.push(categoryId);
  return marks;
};

/** Names that are equal for a server that compares them without regard to case, normal form, or white space at the ends. */
const plainName = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Schemas are compiled once a document, on first use. */
const validatorsOf = memoized((document: ApiDocument) => {
  const compiled = new Map<JsonSchema, SchemaValidator>();
  return (schema: JsonSchema): SchemaValidator => {
    const { response } = sidesOf(document.root);
    const known = compiled.get(schema) ?? compileSchema(response(schema), response(document.root));
    compiled.set(schema, known);
    return known;
  };
});

/** What others answer with (orders have ids of their own) is no animal. */
const ofAnimals: readonly string[] = ['listPets', 'createPet', 'getPet'];

/** Starts with an empty memory. */
export const createServerModel = ({
  document,
  store = true,
  plans,
  otherLimit,
  today,
}: Options): LearningServerModel => {
  /** The ticket from which on an id was taken; infinity: only another key has shown it. */
  const seenIds = new Map<bigint, number>();
  /** Without those: a key may have a store of its own. */
  const ownIds = new Set<bigint>();
  const creations = new Map<bigint, Creation>();
  const seenMarks = new Set<Mark>();
  const takenNames = new Set<string>();
  const sentNames = new Set<string>();
  const refusals = new Map<Mark, RefusalSeen>();
  const created: CreatedPet[] = [];
  const createdResources: CreatedPet[] = [];
  const own = new Map<bigint, OwnPet | null>();
  const statuses = new Map<bigint, StatusShown>();
  let hasChanges = false;
  /** All that each animal was shown with, by operation: a list and getPet that differ are not a change. */
  const formerStatuses = new Map<string, StatusShown & { readonly former: ReadonlySet<Json | undefined> }>();
  let statusesReturn = false;
  const taken = new Set<bigint>();
  const wronglyAccepted = createTakenAmiss();

  /** Creations that are not over: what one of them stores says nothing of the refusal of another. */
  const underWay = createCounter<Mark>();

  const sendingCreation = (sent: JsonObject): readonly (() => void)[] => {
    if (typeof sent.name === 'string') sentNames.add(sent.name);
    const marks = fingerprintsOf(sent);
    for (const mark of marks) refusals.delete(mark);
    return marks.map(underWay.begin);
  };

  const refuse = (mark: Mark, refusal: RefusalSeen) => {
    refusals.set(mark, refusal);
    const [oldest] = refusals.keys();
    if (refusals.size > mostRefusals && oldest !== undefined) refusals.delete(oldest);
  };

  const learnCreation = ({ probe, reading, ticket, done }: Arrival) => {
    const mark = fingerprintsOf(probe.sent ?? {})[0];
    if (mark !== undefined && (reading.status === 400 || reading.status === 401)) {
      // It is not over itself.
      const isAlone = underWay.of(mark) <= 1;
      const isTelling = probe.mayBeTaken !== true && !seenMarks.has(mark);
      if (isTelling && isAlone)
        refuse(mark, { status: reading.status, exchange: reading.exchange, probe, done });
      return;
    }
    for (const sent of fingerprintsOf(probe.sent ?? {})) refusals.delete(sent);
    const pet = petOf(reading);
    const id = pet === null ? null : idOf(pet);
    if (pet === null || id === null || !isCreation(probe.request.method, reading.status)) return;
    const { exchange } = reading;
    const { startedAt, durationMs } = exchange;
    const animal = { id, pet, sentAt: startedAt, at: startedAt + durationMs };
    createdResources.push(animal);
    if (reading.status !== 201 || isOfAnotherKey(probe)) return;
    const known = creations.get(id);
    if (known === undefined) creations.set(id, { ticket, first: exchange, last: exchange });
    else known.last = exchange;
    created.push(animal);
    own.set(id, !own.has(id) && isAsAsked(probe, pet) ? animal : null);
  };

  const learnCategory = ({ probe, reading }: Arrival) => {
    const category = probe.sent?.categoryId;
    if (reading.status < 300 && typeof category === 'bigint') taken.add(category);
  };

  const learnStatus = (id: bigint, { status }: JsonObject, { ticket, done }: Arrival) => {
    if (!own.get(id)) return;
    const before = statuses.get(id);
    // Sent before the other response came: nothing tells which of the two is newer.
    if (before !== undefined && ticket <= before.done) return;
    hasChanges ||= before !== undefined && before.status !== status;
    statuses.set(id, { status, done });
  };

  const learnReturn = (id: bigint, { status }: JsonObject, { probe, ticket, done }: Arrival) => {
    // A list by status shows one status only.
    if (statusesReturn || !own.get(id) || probe.listing?.status.kind === 'given') return;
    const key = `${probe.request.operation} ${id}`;
    const before = formerStatuses.get(key);
    if (before !== undefined && ticket <= before.done) return;
    const former = before?.former ?? new Set<Json | undefined>();
    statusesReturn = before !== undefined && before.status !== status && former.has(status);
    formerStatuses.set(key, {
      status,
      done,
      former: former.has(status) ? former : new Set([...former, status]),
    });
  };

  const learnPets = (arrival: Arrival) => {
    const { probe, reading, done } = arrival;
    const since = isOfAnotherKey(probe) ? Number.POSITIVE_INFINITY : done;
    for (const pet of listedPets(reading) ?? [petOf(reading)]) {
      const id = pet === null ? null : idOf(pet);
      if (id !== null) seenIds.set(id, Math.min(seenIds.get(id) ?? since, since));
      if (pet !== null && id !== null && !isOfAnotherKey(probe)) {
        ownIds.add(id);
        learnStatus(id, pet, arrival);
        learnReturn(id, pet, arrival);
      }
      for (const mark of fingerprintsOf(pet ?? {})) seenMarks.add(mark);
      if (typeof pet?.name === 'string') takenNames.add(plainName(pet.name));
    }
  };

  return {
    document,
    store,
    created,
    createdResources,
    validator: validatorsOf(document),
    plan: (slot) => plans[slot],
    mayBeOtherLimit: (slot, refused) =>
      otherLimit?.mayExplain(slot, limitState(refused), refused.exchange.startedAt) === true,
    removalState: (operation) => removalOf(operation, today()),
    get storeSize() {
      return ownIds.size;
    },
    idSeenBefore: (id, ticket) => (seenIds.get(id) ?? ticket) < ticket,
    idCreatedBy: (id) => creations.get(id)?.ticket ?? null,
    creationsOf: (id) => {
      const creation = creations.get(id);
      return creation === undefined ? [] : [...new Set([creation.first, creation.last])];
    },
    isSeenId: (id) => seenIds.has(id),
    ownPet: (id) => own.get(id) ?? null,
    ownPets: () => [...own.values()].filter((animal) => animal !== null),
    statusShown: (id, ticket) => {
      const shown = statuses.get(id);
      return shown === undefined || ticket <= shown.done ? null : shown;
    },
    get hasChanges() {
      return hasChanges;
    },
    get statusesReturn() {
      return statusesReturn;
    },
    isTakenName: (name) => takenNames.has(plainName(name)),
    tookCategory: (id) => taken.has(id),
    sending: (probe) => {
      const creates = probe.request.operation === 'createPet';
      const ends = [wronglyAccepted.sending(probe), ...(creates ? sendingCreation(probe.sent ?? {}) : [])];
      return () => {
        for (const end of ends) end();
      };
    },
    isSentName: (name) => sentNames.has(name),
    wasWronglyAccepted: wronglyAccepted.has,
    refusalOf: (pet, ticket) => {
      // What a 201 gave may have come to look like what was refused.
      const id = idOf(pet);
      if (id !== null && creations.has(id)) return null;
      for (const mark of fingerprintsOf(pet)) {
        const refusal = refusals.get(mark);
        if (refusal !== undefined && refusal.done < ticket) return refusal;
      }
      return null;
    },
    learn: (arrival) => {
      const { probe, reading } = arrival;
      if (!store || !knownOperations.includes(probe.request.operation)) return;
      wronglyAccepted.answered(probe, reading);
      const creates = probe.request.operation === 'createPet';
      if (creates) learnCategory(arrival);
      if (jsonOf(reading) === undefined && reading.status < 400) return;
      if (creates) learnCreation(arrival);
      if (reading.status < 300 && ofAnimals.includes(probe.request.operation)) learnPets(arrival);
    },
  };
};

/** A 201 that spoils what was sent is a breach of its own, and no measure of what comes later. */
const isAsAsked = ({ sent = {}, request }: Probe, pet: JsonObject): boolean =>
  request.credential.charges !== null &&
  typeof sent.name === 'string' &&
  sent.name.isWellFormed() &&
  sameName(sent.name, pet.name) &&
  sent.categoryId === pet.categoryId &&
  (sent.status === undefined || sent.status === pet.status);

const hour = 3_600_000;

/** UTC+14 has a new day first, UTC-12 last. */
const firstMidnight = -14 * hour;
const lastMidnight = 12 * hour;

/** The document gives no time zone: while it is the day of the removal anywhere, working and removed both pass (GET-5). */
const removalOf = (operation: Operation, today: number): RemovalState => {
  if (operation.sunset === null) return 'before';
  const removed = Date.parse(`${operation.sunset}T00:00:00Z`);
  if (today < removed + firstMidnight) return 'before';
  return today < removed + 24 * hour + lastMidnight ? 'removal-day' : 'after';
};
