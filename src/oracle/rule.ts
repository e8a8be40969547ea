import type { Exchange, KeySlot } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Json, JsonObject } from '../json/json.ts';
import type { SchemaValidator } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { ApiDocument, Operation } from '../openapi/document.ts';
import type { Plan } from '../openapi/plans.ts';
import type { Breach, Finding } from './finding.ts';
import type { Probe } from './probe.ts';
import type { Problem } from './problem.ts';

/** Where today stands to the removal of a deprecated operation. */
export type RemovalState = 'before' | 'removal-day' | 'after';

/** An animal that the run created, as the 201 gave it: just as it was asked for. */
export interface OwnPet {
  readonly id: bigint;
  readonly pet: JsonObject;
  /** When the 201 had come, by the run's clock in milliseconds. */
  readonly at: number;
}

/** How the creation of an animal was refused. */
export interface Refusal {
  readonly status: number;
  readonly exchange: Exchange;
  readonly probe: Probe;
}

/** What the run knows when a response is judged. */
export interface ServerModel {
  readonly document: ApiDocument;
  /** The document is the animal store's: its operations are known by what they mean, and its conventions hold for any. */
  readonly store: boolean;
  validator(schema: JsonSchema): SchemaValidator;
  /** The plan that the user named for a key; null where it is not known. */
  plan(slot: KeySlot): Plan | null;
  /** The limit of the plan that a 429 does not show may be used up. */
  mayBeOtherLimit(slot: KeySlot, refused: ParsedResponse): boolean;
  removalState(operation: Operation): RemovalState;
  /** How many different animals are known to stand in the store, at least. */
  readonly storeSize: number;
  /** The id had been seen in a response that was complete before the request with this sequence was sent. */
  idSeenBefore(id: bigint, sequence: number): boolean;
  /** The sequence of the creation that was given the id first; null: none was. */
  idCreatedBy(id: bigint): number | null;
  /** The exchanges whose 201 gave the id: the first one, and the last where there were several. */
  creationsOf(id: bigint): readonly Exchange[];
  /** Null: not created by the run, or not to be relied on (two creations were given the id, or the 201 did not repeat what was sent). */
  ownPet(id: bigint): OwnPet | null;
  ownPets(): readonly OwnPet[];
  /** The status of an own animal in the latest response that was complete before the request with this sequence was sent; null: none. */
  statusShown(id: bigint, sequence: number): { readonly status: Json | undefined } | null;
  /** The animal was, or may just have been, created from an invalid body that was not refused. */
  wasWronglyAccepted(animal: JsonObject): boolean;
  /** Some creation of the run was sent with this name. */
  isSentName(name: string): boolean;
  /** How the creation of this animal was refused, before the request with this sequence was sent; null: it was not. */
  refusalOf(pet: JsonObject, sequence: number): Refusal | null;
}

/** An answered exchange on its way through the rules. */
export interface Judged {
  readonly probe: Probe;
  readonly response: ParsedResponse;
  /** Null: not an operation of the document. */
  readonly operation: Operation | null;
  readonly serverModel: ServerModel;
  /** Counts up as requests are made: a request with a higher sequence than a response's was sent after it had come. */
  readonly sequence: number;
}

/** A rule looks at one response and says what it finds: breaches, and what was met. */
export type Rule = (subject: Judged) => readonly Finding[];

/** The statement that a requirement was met by this response. */
export const passed = (requirement: string): Finding => {
  const known = statements.get(requirement);
  if (known !== undefined) return known;
  const statement: Finding = { kind: 'passed', requirement };
  statements.set(requirement, statement);
  return statement;
};

/** Made once for each requirement: every response meets a dozen. */
const statements = new Map<string, Finding>();

type Evidence = Pick<Breach, 'origin' | 'beside' | 'about'>;

/** A breach seen in this response. */
export const breach = (
  { probe, response }: Pick<Judged, 'probe' | 'response'>,
  requirement: string,
  problem: Problem,
  evidence: Evidence = {},
): Breach => ({ kind: 'breach', requirement, problem, exchange: response.exchange, probe, ...evidence });

/** The creations of animals that a response is held against. */
export const originOf = ({ serverModel }: Judged, ids: readonly bigint[]): readonly Exchange[] =>
  ids.flatMap((id) => serverModel.creationsOf(id));

/** The document names the operation and leaves its responses open: a `default` response without a schema. */
export const isOpen = (operation: Operation | null): boolean =>
  operation?.responses.some(({ status, schema }) => status === 'default' && schema === null) === true;

/** The operation is removed, as far as this response can tell: on the day of its removal, working and removed both pass. */
export const isRemoved = ({ operation, serverModel, response }: Judged): boolean => {
  const removal = operation === null ? 'before' : serverModel.removalState(operation);
  return removal === 'after' || (removal === 'removal-day' && response.status >= 400);
};
