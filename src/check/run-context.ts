import type { Exchange, KeySlot } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { JsonObject } from '../json/json.ts';
import type { ApiDocument, Operation } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';
import type { OwnPet } from '../oracle/rule.ts';
import type { CounterTrend } from '../rate-limit/monitors/counter.ts';

/** A category to create animals in. `known`: it is configured, or a response has shown an animal in it. */
export interface Category {
  readonly id: bigint;
  readonly known: boolean;
}

/** An animal that this run created, as the 201 returned it. */
export interface CreatedPet {
  readonly id: bigint;
  readonly pet: JsonObject;
  /** When the POST was sent, by the clock of the run in milliseconds. */
  readonly sentAt: number;
  /** When the 201 arrived. */
  readonly at: number;
}

/** How many requests of a key a window allows. */
export interface KeyWindow {
  readonly limit: number;
  readonly seconds: number;
}

/** A request that finds out the window of the rate-limit key. */
export interface KeyProbe {
  /** When it was sent, by the run's clock. */
  readonly at: number;
  /** Null: the response showed no window of a minute or less. */
  readonly window: KeyWindow | null;
}

/** What inputs and checks can know about the server and the run. Functions return what is known at the time of the call. */
export interface RunContext {
  readonly seed: number;
  /** True: nothing may be created. */
  readonly readOnly: boolean;
  /** The run tests the requirement. */
  isChosen(requirement: string): boolean;
  /** `limit` of GET /pets: its bounds and default. */
  readonly page: { readonly minimum: number; readonly maximum: number; readonly default: number };
  /** The values of `status`. */
  readonly statuses: readonly string[];
  /** At least one. */
  readonly categories: readonly Category[];
  /** Animals that the run created in one of these categories, oldest first. */
  created(): readonly CreatedPet[];
  /** The value that all cases of the run share under this key; `init` makes it on first use. */
  state<Value>(key: string, init: () => Value): Value;

  // The target, and what the run may do.
  readonly document: ApiDocument;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** How every ordinary name starts: `conformance-<run>-`. */
  readonly namePrefix: string;
  /** The number of requests is limited (`--budget`). */
  readonly isBudgeted: boolean;
  /** The most requests in flight. */
  readonly concurrency: number;
  /** The longest wait for a rate limit. */
  readonly maxWaitMs: number;
  /** What may be done with the rate-limit key. */
  readonly keys: { readonly rateLimit: boolean; readonly exhaustDaily: boolean; readonly allowBan: boolean };
  /** The number of characters of the valid key. */
  readonly keyLength: number;
  /** The plan of the rate-limit key; null: not known. */
  readonly plan: Plan | null;
  /** The request with the rate-limit key before the first check; null: none. */
  readonly keyProbe: KeyProbe | null;
  /** Nobody else uses the key. */
  isKeyExclusive(slot: KeySlot): boolean;
  /** Whether an operation is removed today. Default: getPet. */
  removalState(operation?: Operation): 'before' | 'removal-day' | 'after';

  // The store.
  /** The list of all animals before the run created any. */
  readonly initialList: readonly JsonObject[];
  /** That list showed every animal of the store. */
  readonly listedWhole: boolean;
  /** How many animals responses have shown. */
  storeSize(): number;
  /** Animals that the run created and that the 201 returned as requested, oldest first. */
  ownPets(): readonly OwnPet[];
  /** Own animals whose latest status this is. */
  ownPetsOf(status: string): readonly OwnPet[];
  /** The status of some own animal has changed. */
  hasChanges(): boolean;
  /** Some own animal has a status again that it had before. */
  statusesReturn(): boolean;
  /** How many animals may be created to fill the store; few if requests are limited. */
  remainingCreations(): number;
  /** All animals were listed at the start, and none has the name. */
  isFreeName(name: string): boolean;
  /** An animal has the name, except for case and for white space at its ends. */
  isTakenName(name: string): boolean;
  /** A response has shown the id. */
  isKnownId(id: bigint): boolean;
  /** The response to a creation has shown the id. */
  isOwnId(id: bigint): boolean;
  /** The exchanges whose 201 returned the id: the first one, and the last if there were several. */
  creationsOf(id: bigint): readonly Exchange[];
  /** The server rejected its creation. If it is stored anyway, another requirement fails. */
  wasRefused(pet: JsonObject): boolean;

  // The rate limit.
  /** X-RateLimit-Remaining is the number of requests made. */
  countsUp(): boolean;
  /** How X-RateLimit-Remaining changes with the requests of an operation. */
  counterTrend(operation: string): CounterTrend;
  /** Requests of the operation decrease X-RateLimit-Remaining. */
  isCounted(operation: string): boolean;
  /** X-RateLimit-Remaining has decreased by more than the number of requests. */
  isChargedAsSeveral(operation: string): boolean;
  /** The plan has a limit that the `shown` response does not show, and that may explain the 429. */
  mayBeOtherLimit(shown: ParsedResponse, response429: ParsedResponse): boolean;
}
