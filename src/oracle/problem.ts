import type { KeySlot, TransportFailure } from '../http/exchange.ts';
import type { Json, JsonObject } from '../json/json.ts';

/** What is wrong with an exchange, as facts: `rule` names the cause, and src/report/text makes the sentences. */
export type Problem =
  | StatusProblem
  | BodyProblem
  | AnimalProblem
  | ListProblem
  | HeaderProblem
  | LimitProblem
  | OwnProblem;

/** What a check of the user's own found, in its own words. `code` tells its causes apart. */
export interface OwnProblem {
  readonly rule: 'own-check';
  readonly code: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** A permanent code in kebab case: `header-missing`. */
export type RuleCode = Problem['rule'];

/** The problems of some rules. */
export type ProblemOf<R extends RuleCode> = Extract<Problem, { rule: R }>;

/** Another wrong status is another cause. */
interface WrongStatus {
  readonly wrongStatus: number;
}

/** A status, or no response, that is not what the request must get. */
export type StatusProblem =
  | ({
      readonly rule: 'status';
      readonly allowed: readonly (number | '4xx')[];
      readonly because: string;
    } & WrongStatus)
  | ({ readonly rule: 'server-error' } & WrongStatus)
  | ({
      readonly rule: 'undocumented-status';
      readonly operation: string;
      readonly documented: readonly string[];
    } & WrongStatus)
  | { readonly rule: 'no-response'; readonly failure: TransportFailure['kind']; readonly detail: string }
  /** A limit at its bounds is rejected, although the same filter succeeds without it. */
  | ({
      readonly rule: 'limit-rejected';
      readonly limit: number | undefined;
      readonly filter: string;
    } & WrongStatus)
  | ({ readonly rule: 'scheme-case-sensitive' } & WrongStatus)
  | ({ readonly rule: 'operation-missing' } & WrongStatus)
  /** `statuses`: of how many existing ids; absent: the response alone says that the operation is removed. */
  | ({ readonly rule: 'removed-too-early'; readonly statuses?: readonly number[] } & WrongStatus)
  | ({
      readonly rule: 'not-served';
      readonly id: bigint;
      /** `own`: the run created it some time ago. `requested`: its id was asked for before it was created. */
      readonly known: 'own' | 'created' | 'listed' | 'requested';
      /** What it was created with, in words. */
      readonly input?: string;
    } & WrongStatus)
  /** The connection of a rejected creation, in words, no longer works. */
  | ({
      readonly rule: 'body-left-unread';
      readonly creation: string;
      readonly rejectedWith: number;
    } & WrongStatus);

/** A body that is not JSON: where it breaks the grammar, without the rest. */
export interface BrokenBody {
  readonly why: string;
  /** From 1 on; null: not known. */
  readonly character: number | null;
  readonly start: string;
  /** The text around the place, which is at the index `at`. */
  readonly near: string;
  readonly at: number;
}

/** One rule of a schema that a body breaks. */
export interface SchemaMistake {
  readonly pointer: string;
  readonly keyword: string;
  readonly expected: string;
  readonly actual: string;
}

export type BodyProblem =
  /** `types`: the media types in the document; null: JSON. */
  | { readonly rule: 'empty-body'; readonly types: readonly string[] | null }
  | {
      readonly rule: 'media-type';
      readonly types: readonly string[] | null;
      readonly mediaType: string | null;
      readonly contentType: string;
    }
  | { readonly rule: 'unreadable-body'; readonly as: 'json'; readonly body: BrokenBody }
  | {
      readonly rule: 'unreadable-body';
      readonly as: 'page';
      readonly body: BrokenBody;
      readonly mediaType: string | null;
      readonly contentType: string;
    }
  /** Null: an empty body. */
  | {
      readonly rule: 'unreadable-body';
      readonly as: 'error' | 'documented';
      readonly body: BrokenBody | null;
    }
  | { readonly rule: 'no-error-body'; readonly body: BrokenBody | null }
  /** `items`: how many items the body has; null: it is not an array. */
  | { readonly rule: 'schema'; readonly mistakes: readonly SchemaMistake[]; readonly items: number | null }
  | { readonly rule: 'error-status-differs'; readonly inBody: bigint; readonly status: number }
  | { readonly rule: 'error-with-200'; readonly body: string };

/** Where an animal was shown with another value in a member than before. */
export type ShownIn =
  | 'list'
  | 'list after creation'
  | 'get'
  | 'get as created'
  | 'get as listed'
  | 'get after other requests';

/** What is wrong with one animal. */
export type AnimalProblem =
  | { readonly rule: 'id-not-int64'; readonly id: Json | undefined }
  | {
      readonly rule: 'id-reused';
      readonly by: 'listed' | 'earlier creation' | 'concurrent creation';
      readonly id: bigint;
    }
  | { readonly rule: 'id-reused'; readonly by: 'batch'; readonly id: bigint; readonly ids: readonly bigint[] }
  | {
      readonly rule: 'member-differs';
      readonly in: 'creation';
      readonly member: string;
      readonly sent: Json | undefined;
      readonly got: Json | undefined;
      /** The response is the animal of another request. */
      readonly isOther: boolean;
    }
  | {
      readonly rule: 'member-differs';
      readonly in: ShownIn;
      readonly member: string;
      readonly id: bigint;
      readonly was: JsonObject;
      readonly is: JsonObject;
    }
  /** The categoryId of a new animal; `id` null: in the list. */
  | {
      readonly rule: 'member-differs';
      readonly in: 'categoryId';
      readonly id: bigint | null;
      readonly sent: bigint;
      readonly got: Json | undefined;
    }
  | {
      readonly rule: 'status-when-omitted';
      readonly allowed: readonly string[];
      readonly got: Json | undefined;
    }
  | { readonly rule: 'id-from-request'; readonly input: string; readonly id: Json | undefined }
  /** `is` null: no animal has the id. */
  | {
      readonly rule: 'animal-replaced';
      readonly id: bigint;
      readonly isGone: boolean;
      readonly was: JsonObject;
      readonly is: JsonObject | null;
    }
  | {
      readonly rule: 'wrong-animal';
      readonly asked: bigint;
      readonly got: bigint | null;
      readonly isConcurrent: boolean;
    };

/** An animal that the run created: when, by the clock of the run in milliseconds. */
export interface Created {
  readonly id: bigint;
  readonly at: number;
}

/** A list that was requested; `page`: without parameters, so only the default page. */
export interface AskedList {
  readonly status?: string | undefined;
  readonly page?: 'default' | undefined;
}

/** What is wrong with a list of animals. `count`: how many it has. */
export type ListProblem =
  | {
      readonly rule: 'too-many-items';
      readonly most: number;
      readonly why: 'limit' | 'default' | 'maximum';
      readonly count: number;
      readonly isCut: boolean;
    }
  | {
      readonly rule: 'wrong-filter';
      readonly status: string;
      readonly others: number;
      readonly count: number;
      readonly example: JsonObject;
    }
  /** `items`: the positions of both, from 1 on. */
  | {
      readonly rule: 'duplicate-id';
      readonly id: bigint;
      readonly items: readonly [number, number];
      readonly count: number;
      readonly others: readonly bigint[];
    }
  /** `knownBy`: the member by which the animal is known. */
  | {
      readonly rule: 'stored-after-refusal';
      readonly status: number;
      readonly knownBy: 'name' | 'categoryId';
      readonly animal: JsonObject;
    }
  /** A page that is not full, without some of the animals of the run. `status` null: of any status. */
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'page';
      readonly wanted: readonly Created[];
      readonly listed: readonly (bigint | null)[];
      readonly most: number;
      readonly status: string | null;
    }
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list after creation';
      readonly list: AskedList;
      readonly id: bigint;
      readonly count: number;
    }
  /** Another operation shows the animal with that status before and after the list. */
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list between';
      readonly list: { readonly status: string };
      readonly shownBy: 'listPets' | 'getPet';
      readonly id: bigint;
      readonly count: number;
    }
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list of large integers';
      readonly list: AskedList;
      readonly id: Json | undefined;
      readonly categoryId: bigint;
      readonly count: number;
    }
  | {
      readonly rule: 'missing-from-list';
      readonly in: 'list of exact limit';
      readonly list: { readonly status: string };
      readonly id: bigint;
      readonly wanted: number;
      readonly count: number;
    }
  | {
      readonly rule: 'lists-disagree';
      readonly status: string;
      /** The list that lacks the animals. */
      readonly in: 'filtered' | 'plain';
      readonly missing: readonly (bigint | null)[];
      readonly count: number;
    };

/** What is wrong with header fields; times are seconds of Unix time. */
export type HeaderProblem =
  | { readonly rule: 'header-missing'; readonly of: 'challenge' | 'Retry-After' }
  | { readonly rule: 'header-missing'; readonly of: 'document'; readonly name: string }
  | {
      readonly rule: 'header-missing';
      readonly of: 'rate limit';
      readonly missing: readonly string[];
      readonly wanted: readonly string[];
      /** Names of headers that seem to mean these. */
      readonly misnamed: readonly string[];
      readonly status: number;
    }
  /** Without a scheme, or with one that is not for bearer tokens. */
  | {
      readonly rule: 'header-malformed';
      readonly of: 'challenge';
      readonly value: string;
      readonly hasScheme: boolean;
    }
  | { readonly rule: 'header-malformed'; readonly of: 'Retry-After'; readonly value: string }
  | {
      readonly rule: 'header-malformed';
      readonly of: 'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset';
      readonly value: string;
      /** The document is not the animal store's. */
      readonly isOtherApi?: true;
    }
  | {
      readonly rule: 'header-invalid';
      readonly name: string;
      readonly value: string;
      readonly wanted: string;
    }
  | { readonly rule: 'header-form'; readonly form: string; readonly value: string }
  | { readonly rule: 'limit-zero'; readonly limit: string }
  | { readonly rule: 'remaining-above-limit'; readonly limit: string; readonly remaining: string }
  | {
      readonly rule: 'reset-beyond-window';
      readonly plan: string;
      readonly limit: string;
      readonly reset: string;
      readonly now: number;
    }
  | { readonly rule: 'reset-unit'; readonly reset: string }
  | {
      readonly rule: 'reset-past';
      readonly reset: string;
      /** By the server's clock; null: another API, which may mean seconds from now. */
      readonly now: number | null;
    }
  | { readonly rule: 'reset-far'; readonly reset: string; readonly now: number }
  | {
      readonly rule: 'wrong-plan-limit';
      readonly plan: string;
      readonly allowed: readonly (number | null)[];
      readonly limit: string;
    }
  | { readonly rule: 'remaining-on-429'; readonly remaining: string }
  | {
      readonly rule: 'retry-after-beyond-reset';
      readonly retryAfter: string;
      readonly reset: string;
      readonly date: string;
    }
  | { readonly rule: 'deprecation-malformed'; readonly deprecation: string }
  | {
      readonly rule: 'sunset-before-deprecation' | 'not-deprecated';
      readonly deprecation: string;
      readonly sunset: string;
    }
  | { readonly rule: 'sunset-malformed'; readonly sunset: string }
  | { readonly rule: 'sunset-weekday'; readonly sunset: string; readonly weekday: string }
  /** `day`: the start of the day in the document, in milliseconds. */
  | { readonly rule: 'sunset-date'; readonly sunset: string; readonly day: number };

/** What is wrong with how requests are counted and limited. */
export type LimitProblem =
  | {
      readonly rule: '429-while-remaining';
      readonly in: 'any response';
      readonly slot: KeySlot;
      readonly before: number;
      readonly sentSince: number;
      readonly remaining: string;
      /** The first 429 with this key: to which request of the run, and when. */
      readonly first: { readonly request: number; readonly afterMs: number };
    }
  | {
      readonly rule: '429-while-remaining';
      readonly in: 'window';
      readonly shownAt: 'start' | 'end';
      readonly shown: number | undefined;
      readonly succeeded: number | undefined;
    }
  /** `remaining`: three values in order. */
  | {
      readonly rule: 'counter-jumps';
      readonly remaining: readonly [number, number, number];
      readonly reset: number;
    }
  | { readonly rule: 'reset-moves-back'; readonly resets: readonly [number, number, number] }
  | {
      readonly rule: 'counter-stuck';
      readonly in: 'rate-limit key';
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly rule: 'counter-stuck';
      readonly in: 'every operation';
      readonly latest: readonly {
        readonly operation: string;
        readonly remaining: number;
        readonly limit: number;
      }[];
    }
  | { readonly rule: 'limit-shows-remaining'; readonly limits: readonly number[] }
  | { readonly rule: 'refused-after-wait'; readonly times: number; readonly retryAfter: string }
  | ({
      readonly rule: 'refused-after-wait';
      readonly waited: string;
      /** Null: the status is not 429. */
      readonly retryAfter: string | null;
    } & WrongStatus)
  | {
      readonly rule: 'refused-after-reset';
      readonly limit: number;
      readonly reset: number;
      /** As the 429 has them. */
      readonly shown: { readonly reset: string; readonly date: string };
    }
  | {
      readonly rule: 'limit-not-enforced';
      readonly in: 'every operation';
      readonly allowed: number;
      readonly served: readonly { readonly operation: string; readonly count: number }[];
    }
  | {
      readonly rule: 'limit-not-enforced';
      readonly in: 'window';
      readonly limit: number;
      readonly allowed: number;
      readonly served: number;
    }
  | { readonly rule: 'limit-not-enforced'; readonly in: 'Remaining 0'; readonly served: number }
  | {
      readonly rule: 'limit-not-enforced';
      readonly in: 'minute';
      readonly limit: number;
      readonly served: number;
      readonly seconds: number;
    }
  | { readonly rule: 'daily-limit-not-enforced'; readonly limit: number; readonly served: number }
  | ({ readonly rule: 'wrong-status-over-limit'; readonly dailyLimit?: number } & WrongStatus)
  | { readonly rule: 'wrong-status-over-limit'; readonly wrongStatus: null }
  | {
      readonly rule: 'reset-too-early';
      /** How long before the time that was announced. */
      readonly seconds: number;
      readonly reset: number;
      readonly remaining: number;
      readonly limit: number;
    }
  /** `left`: what remained for the key; null: not known. */
  | ({ readonly rule: 'limit-shared'; readonly left: number | null } & WrongStatus)
  /** So many requests with another key lowered Remaining by as many. */
  | { readonly rule: 'limit-shared'; readonly requests: number };
