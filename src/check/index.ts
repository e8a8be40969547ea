/**
 * What a check needs: definitions, requests, and the types of both. Integers of JSON are bigints here, so that no digit of an int64
 * is lost: compare with `1n`, not with `1`.
 */
import type { Arbitrary } from 'fast-check';
import { noCredential } from '../http/credentials.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '../json/json.ts';
import * as probes from './requests.ts';

export { default as fc } from 'fast-check';
export type { Json, JsonObject };
export { isJsonObject };

/** MUST: a failure fails the run. SHOULD: it is a warning. OPEN: the check only observes. */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'OPEN';

/** A requirement of your own, as `defineRequirement` returns it. */
export interface OwnRequirement {
  readonly kind: 'requirement';
  readonly id: string;
  readonly level: RequirementLevel;
  readonly statement: string;
  readonly section: string;
  readonly dependsOn: readonly string[];
}

/** What `defineRequirement` takes. */
export interface RequirementDefinition {
  /** A prefix of your own and a number: `ACME-1`. Permanent: reports and lists of known failures name it. */
  readonly id: string;
  /** Default: MUST. */
  readonly level?: RequirementLevel;
  /** One sentence in the present tense: `GET /pets is sorted by id`. */
  readonly statement: string;
  /** Where it is written down. Default: `Own requirement`. */
  readonly section?: string;
  /** Requirements, of any prefix, without which this one cannot be tested. */
  readonly dependsOn?: readonly string[];
}

/** What is known of the server and of the run when inputs are made and checks run. */
export interface RunContext {
  readonly seed: number;
  /** True: nothing may be created. */
  readonly readOnly: boolean;
  /** `limit` of GET /pets: its bounds and default. */
  readonly page: { readonly minimum: number; readonly maximum: number; readonly default: number };
  /** The values of `status`. */
  readonly statuses: readonly string[];
  /** At least one; `known`: an animal of it was seen, or it was configured. */
  readonly categories: readonly { readonly id: bigint; readonly known: boolean }[];
  /** The animals that this run created so far, oldest first. */
  created(): readonly { readonly id: bigint; readonly pet: JsonObject }[];
}

/** A response, read once. */
export interface ApiResponse {
  readonly status: number;
  /** All values of a header; the name in any case. */
  header(name: string): readonly string[];
  /** Lower case, without parameters; null without a `Content-Type`. */
  readonly mediaType: string | null;
  /** The body as JSON with bigints for integers; undefined: it is not JSON. */
  readonly json: Json | undefined;
}

/** A failure that a check found. */
export interface Breach {
  /** The response that shows it. */
  readonly response: ApiResponse;
  /** One sentence: `GET /pets with limit=5: expected animals sorted by id, got id 3 after id 7`. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** A permanent code in kebab case for what is wrong; failures of another code are listed apart. Default: `not-met`. */
  readonly rule?: string;
  /** Default: the check's requirement. */
  readonly requirement?: string;
}

/** What a case works with. Each response is also tested against the interface document, as for every other check. */
export interface CheckContext {
  readonly run: RunContext;
  /** A name for an animal, unlike every other of the run. */
  freshName(): string;
  /** Sends a request within the rate limit. The case ends if no response comes, or if a limit of the run is reached. */
  send(request: Request): Promise<ApiResponse>;
  /** Waits, until the run ends at the latest. */
  sleep(ms: number): Promise<void>;
  /** Records that the case met the requirement. Without it, a requirement is never reported as passed. */
  passed(requirement?: string): void;
  /** Records a failure. The case is then made smaller, and sent again to confirm it. */
  breach(breach: Breach): void;
  /** Records that the case gave no clear result. */
  inconclusive(reason: string): void;
  /** Records behavior that no requirement specifies: `observe('order', 'by id')`. */
  observe(subject: string, value: string): void;
}

/** What `defineCheck` takes. A case is one input; give `inputs`, `arbitrary`, or both. With neither there is one case. */
export interface CheckDefinition<Input> {
  /** The requirement that it tests. */
  readonly requirement: string;
  /** What it does. Unique among the checks of its requirement. */
  readonly title: string;
  /** Further requirements of your own that it gives evidence on. */
  readonly covers?: readonly string[];
  /** `filled-store`: once many animals exist. `risky`: may do lasting harm to a fragile server. Default: `main`. */
  readonly phase?: 'main' | 'filled-store' | 'risky';
  /** About how many requests one case sends. Default: 1. */
  readonly cost?: number;
  /** Systematic inputs, sent in this order. */
  readonly inputs?: (run: RunContext) => readonly Input[];
  /** Generated inputs: `--runs` of them. A failing one is made as small as possible. */
  readonly arbitrary?: (run: RunContext) => Arbitrary<Input>;
  /** The part of `--runs` that it takes, from 0 to 1. Default: 1. */
  readonly share?: number;
  /** Simpler inputs than one that failed: the first that fails as well takes its place. */
  readonly shrink?: (input: Input, run: RunContext) => Iterable<Input>;
  /** False: a failing case is not sent again, because it uses up what it needs. */
  readonly retry?: false;
  /** Sends requests and records what they show. An exception is the check's own failure (verdict `error`), never the server's. */
  readonly run: (input: Input, context: CheckContext) => Promise<void>;
}

/** A check of your own, as `defineCheck` returns it. */
export interface OwnCheck {
  readonly kind: 'check';
  readonly requirement: string;
  readonly title: string;
  readonly definition: CheckDefinition<never>;
}

const demand = (isMet: boolean, problem: string): void => {
  if (!isMet) throw new Error(problem);
};

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/**
 * Defines a requirement of your own.
 *
 * @throws Error if the id is not of the form `ACME-1`, or the statement is missing.
 */
export const defineRequirement = (definition: RequirementDefinition): OwnRequirement => {
  const { id, level = 'MUST', statement, section = 'Own requirement', dependsOn = [] } = definition;
  demand(isText(id), 'defineRequirement: id is missing (try: ACME-1)');
  demand(
    /^[A-Z]+-[1-9]\d*$/.test(id),
    `defineRequirement: "${id}" is not a prefix in capitals and a number (try: ACME-1)`,
  );
  demand(isText(statement), `defineRequirement: ${id} has no statement`);
  demand(
    ['MUST', 'SHOULD', 'OPEN'].includes(level),
    `defineRequirement: the level of ${id} is not MUST, SHOULD, or OPEN`,
  );
  return { kind: 'requirement', id, level, statement, section, dependsOn };
};

/**
 * Defines a check of your own.
 *
 * @throws Error if it names no requirement, or has no title, or nothing to run.
 */
export const defineCheck = <Input = undefined>(definition: CheckDefinition<Input>): OwnCheck => {
  const { requirement, title, run } = definition;
  demand(isText(requirement), 'defineCheck: requirement is missing (try: ACME-1)');
  demand(isText(title), `defineCheck: a check of ${requirement} has no title`);
  demand(typeof run === 'function', `defineCheck: "${title}" of ${requirement} has no function run`);
  return { kind: 'check', requirement, title, definition: definition as unknown as CheckDefinition<never> };
};

declare const request: unique symbol;

/** A request to one of the four operations, made by the functions below. */
export interface Request {
  readonly [request]: true;
}

/** What every request may have. */
export interface RequestOptions {
  /** `none`: without an API key. Default: the valid key. */
  readonly key?: 'valid' | 'none';
  /** Completes the request in messages: `POST /pets with a long name`. */
  readonly label?: string;
  /** Statuses that meet a requirement; every other status fails it. `4xx` stands for all of that class. */
  readonly expects?: readonly {
    readonly requirement: string;
    readonly statuses: readonly (number | '4xx')[];
    readonly because: string;
  }[];
}

const commonOf = ({ key, ...common }: RequestOptions) => ({
  ...common,
  ...(key === 'none' ? { credential: noCredential } : {}),
});

const requestOf = (probe: ReturnType<typeof probes.listPets>): Request => probe as unknown as Request;

/** GET /pets. */
export const listPets = ({
  limit,
  status,
  ...options
}: RequestOptions & { readonly limit?: number; readonly status?: string } = {}): Request =>
  requestOf(
    probes.listPets({
      ...(limit === undefined ? {} : { limit }),
      ...(status === undefined ? {} : { status }),
      ...commonOf(options),
    }),
  );

/** POST /pets with a JSON value. Each 201 counts towards `--max-creates`. */
export const createPet = (pet: Json, options: RequestOptions = {}): Request =>
  requestOf(probes.createPetOf(toJson(pet), commonOf(options)));

/** GET /pets/{petId}. Text is sent as it is, percent-encoding included. */
export const getPet = (petId: bigint | number | string, options: RequestOptions = {}): Request =>
  requestOf(probes.getPet(String(petId), commonOf(options)));

/** GET /store/orders. */
export const listOrders = (options: RequestOptions = {}): Request =>
  requestOf(probes.listOrders(commonOf(options)));
