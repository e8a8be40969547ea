import type { Exchange, KeySlot } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { JsonObject } from '../json/json.ts';
import type { ApiDocument, Operation } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';
import type { OwnPet } from '../oracle/rule.ts';
import type { Movement } from '../rate-limit/monitors/counter.ts';

/** A category to create animals in. `known`: it was configured, or an animal of it was listed, or created meanwhile. */
export interface Category {
  readonly id: bigint;
  readonly known: boolean;
}

/** An animal that this run created, as the 201 gave it. */
export interface CreatedPet {
  readonly id: bigint;
  readonly pet: JsonObject;
  /** When its creation was sent, by the run's clock in milliseconds. */
  readonly sentAt: number;
  /** When the 201 had come. */
  readonly at: number;
}

/** What cases share: the document's figures, what is known of the target, what the run may do. */
export interface RunContext {
  /** A value that all cases of the run share under this key: made by the first one that asks for it. */
  state<Value>(key: string, init: () => Value): Value;
  readonly document: ApiDocument;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly seed: number;
  /** How every ordinary name starts: `conformance-<run>-`. */
  readonly namePrefix: string;
  /** `limit`: its bounds and default. */
  readonly page: { readonly minimum: number; readonly maximum: number; readonly default: number };
  /** The enumeration of `status`. */
  readonly statuses: readonly string[];
  /** At least one. */
  readonly categories: readonly Category[];
  /** What may be done with the rate limit key. */
  readonly keys: { readonly rateLimit: boolean; readonly exhaustDaily: boolean; readonly allowBan: boolean };
  /** Characters of the main key. */
  readonly keyLength: number;
  /** The plan of the rate limit key; null: not known. */
  readonly plan: Plan | null;
  /** Only this run uses the key, as far as is known by now. */
  isKeyExclusive(slot: KeySlot): boolean;
  /** The longest wait for a limit. */
  readonly maxWaitMs: number;
  readonly readOnly: boolean;
  /** The number of requests is limited. */
  readonly isBudgeted: boolean;
  /** Requests that may be under way at once. */
  readonly concurrency: number;
  /** The plain list as it was before the run created anything. */
  readonly initialList: readonly JsonObject[];
  /** That list showed every animal of the store. */
  readonly listedWhole: boolean;
  /** How many animals responses have shown so far. */
  storeSize(): number;
  /** Animals that the run created and that stand in an ordinary category, oldest first. */
  created(): readonly CreatedPet[];
  /** Animals that the run created as they were asked for, oldest first. */
  own(): readonly OwnPet[];
  /** Those that were last shown with this status. */
  ofStatus(status: string): readonly OwnPet[];
  /** Some animal of the run was shown with another status than before. */
  hasChanges(): boolean;
  /** Some animal of the run got a status again that it had before. */
  statusesReturn(): boolean;
  /** How many animals may be created that no case needs for itself: few, where requests are counted. */
  remainingCreations(): number;
  /** How X-RateLimit-Remaining has moved so far with the requests of an operation. */
  movement(operation: string): Movement;
  /** Its requests are known to be among those that make X-RateLimit-Remaining fall. */
  isCounted(operation: string): boolean;
  /** Every animal was listed at the start, and none is known to have the name. */
  isFreeName(name: string): boolean;
  /** An animal is known to have the name, in any case and with any white space at its ends. */
  isTakenName(name: string): boolean;
  /** X-RateLimit-Remaining fell by more than the number of requests that may have been counted. */
  isChargedAsSeveral(operation: string): boolean;
  /** The limit of the plan that the rate limit key's `shown` response does not show may explain the 429. */
  mayBeOtherLimit(shown: ParsedResponse, refused: ParsedResponse): boolean;
  /** Every id that was seen in any answer. */
  isKnownId(id: bigint): boolean;
  /** The answer to a creation has given it. */
  isOwnId(id: bigint): boolean;
  /** The exchanges whose 201 gave the id: the first one, and the last where there were several. */
  creationsOf(id: bigint): readonly Exchange[];
  /** Its creation was refused: that it is stored all the same is a breach of its own. */
  wasRefused(pet: JsonObject): boolean;
  /** Where today stands to the removal of an operation; of getPet, where none is named. */
  removalState(operation?: Operation): 'before' | 'removal-day' | 'after';
}
