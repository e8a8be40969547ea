import type { Breach, Finding } from '../finding/finding.ts';
import type { Probe } from '../finding/probe.ts';
import type { Problem } from '../finding/problem.ts';
import type { Exchange, KeySlot } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Json, JsonObject } from '../json/json.ts';
import type { SchemaValidator } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { ApiDocument, Operation } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';

/** Today's date relative to the removal of a deprecated operation. */
export type RemovalState = 'before' | 'removal-day' | 'after';

/** An animal that the run created. `pet`: as in the 201, which matches the request. */
export interface OwnPet {
  readonly id: bigint;
  readonly pet: JsonObject;
  /** Time of the 201, in milliseconds by the run's clock. */
  readonly at: number;
}

/** A rejected creation. */
export interface Refusal {
  readonly status: number;
  readonly exchange: Exchange;
  readonly probe: Probe;
}

/** What the run knows about the server when a response is tested. */
export interface ServerModel {
  readonly document: ApiDocument;
  /** The document is the animal store's, so its conventions apply, and the suite knows the meaning of its operations. */
  readonly store: boolean;
  validator(schema: JsonSchema): SchemaValidator;
  /** The plan of a key from the settings, or null. */
  plan(slot: KeySlot): Plan | null;
  /** Tells whether the plan's other limit, which a 429 does not show, may be used up. */
  mayBeOtherLimit(slot: KeySlot, refused: ParsedResponse): boolean;
  removalState(operation: Operation): RemovalState;
  /** The least number of different animals in the store. */
  readonly storeSize: number;
  /** Tells whether a response showed the id before the request with this sequence was sent. */
  idSeenBefore(id: bigint, sequence: number): boolean;
  /** The sequence of the first creation that got the id, or null. */
  idCreatedBy(id: bigint): number | null;
  /** The exchanges whose 201 has the id: the first one, and the last one if there are several. */
  creationsOf(id: bigint): readonly Exchange[];
  /** Null: not created by the run, or not reliable (two creations got the id, or the 201 differs from the request). */
  ownPet(id: bigint): OwnPet | null;
  ownPets(): readonly OwnPet[];
  /** The status of an own animal in the latest response before the request with this sequence was sent, or null. */
  statusShown(id: bigint, sequence: number): { readonly status: Json | undefined } | null;
  /** Tells whether the animal was, or may just have been, created from an invalid body that the server accepted. */
  wasWronglyAccepted(animal: JsonObject): boolean;
  /** Tells whether the run sent a creation with this name. */
  isSentName(name: string): boolean;
  /** The rejected creation of this animal, before the request with this sequence was sent, or null. */
  refusalOf(pet: JsonObject, sequence: number): Refusal | null;
}

/** A response with everything that rules need. */
export interface RuleSubject {
  readonly probe: Probe;
  readonly response: ParsedResponse;
  /** Null: not an operation of the document. */
  readonly operation: Operation | null;
  readonly serverModel: ServerModel;
  /** Counts requests and responses. A request with a higher sequence than a response was sent after that response. */
  readonly sequence: number;
}

/** Tests one response. */
export type Rule = (subject: RuleSubject) => readonly Finding[];

/** Returns the finding that a requirement passed. */
export const passed = (requirement: string): Finding<never> => ({ kind: 'passed', requirement });

type BreachContext = Pick<Breach, 'origin' | 'beside' | 'about'>;

/** Returns a breach by this response. */
export const breach = (
  { probe, response }: Pick<RuleSubject, 'probe' | 'response'>,
  requirement: string,
  problem: Problem,
  evidence: BreachContext = {},
): Breach => ({
  kind: 'breach',
  side: 'server',
  requirement,
  problem,
  exchange: response.exchange,
  probe,
  ...evidence,
});

/** Returns the creations of animals that a response is compared with. */
export const originOf = ({ serverModel }: RuleSubject, ids: readonly bigint[]): readonly Exchange[] =>
  ids.flatMap((id) => serverModel.creationsOf(id));

/** Tells whether the document does not specify the responses of an operation: it has a `default` response without a schema. */
export const isOpen = (operation: Operation | null): boolean =>
  operation?.responses.some(({ status, schema }) => status === 'default' && schema === null) === true;

/** Tells whether the operation is removed. On the day of the removal, the status of the response decides. */
export const isRemoved = ({ operation, serverModel, response }: RuleSubject): boolean => {
  const removal = operation === null ? 'before' : serverModel.removalState(operation);
  return removal === 'after' || (removal === 'removal-day' && response.status >= 400);
};
