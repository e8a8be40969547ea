import type { NotSent, NotSentCode } from '../http/client-types.ts';
import type { KeySlot } from '../http/exchange.ts';

/** Why a case was lost: a limit of the run, or its end. Behavior of the server is never a loss. */
export type LossCode = NotSentCode | 'max-creates' | 'read-only' | 'max-body';

/**
 * Why a requirement has no clear result, or why a run ended. Codes are permanent and part of reports. The other members are the facts for
 * the sentence in `report/text/reasons.ts`. `detail` distinguishes the sentences of one code.
 */
export type Reason =
  | NotSent
  // The run: its settings, and why it ended.
  | { readonly code: 'not-selected' | 'needs-exhaust-daily' | 'path-waived' }
  | { readonly code: 'not-selected'; readonly detail: 'operation'; readonly operation: string }
  | { readonly code: 'not-met-in-shard' }
  | { readonly code: 'needs-rate-limit-key'; readonly detail: 'key' | '429' }
  | {
      readonly code: 'needs-risky';
      readonly detail: 'changes' | 'changes-of-others';
      readonly operation: string;
    }
  | { readonly code: 'unknown-plan'; readonly detail: 'plan' | 'daily-limit' }
  | { readonly code: 'unknown-plan'; readonly detail: 'minute-limit'; readonly shown: number }
  | { readonly code: 'unknown-rate-limit'; readonly detail: 'headers' | 'headers-and-plan' | 'date' }
  | { readonly code: 'read-only'; readonly detail: 'creation' | 'counting' }
  | { readonly code: 'read-only'; readonly detail: 'changes'; readonly operation: string }
  | { readonly code: 'max-creates'; readonly detail: 'most'; readonly most: number }
  | { readonly code: 'max-creates'; readonly detail: 'share' }
  | { readonly code: 'max-body'; readonly bytes: number }
  | { readonly code: 'max-wait'; readonly detail: 'retry-after' | 'reset'; readonly seconds: number }
  | { readonly code: 'max-wait'; readonly detail: 'long-window' }
  | { readonly code: 'no-key'; readonly detail: 'valid-key' }
  | {
      readonly code: 'no-key';
      readonly detail: 'schemes';
      readonly operation: string;
      readonly schemes: string;
      /** The flags that give what is missing; empty: no flag does. */
      readonly flags: readonly string[];
    }
  | { readonly code: 'shared-key'; readonly detail: 'others'; readonly key: KeySlot }
  | { readonly code: 'shared-key'; readonly detail: 'counted-together' }
  | { readonly code: 'interrupted'; readonly detail: 'at-start' }
  | ({ readonly code: 'run-ended' } & RunEnd)
  | { readonly code: 'not-tested' }
  | { readonly code: 'not-tested'; readonly detail: 'no-such-case'; readonly path: string }
  | { readonly code: 'not-tested'; readonly detail: 'operation'; readonly operation: string }
  | { readonly code: 'suite-error'; readonly error: string }
  /** Cases were lost, so the requirement cannot pass. The code is the most frequent reason. */
  | {
      readonly code: LossCode;
      readonly detail: 'lost';
      readonly lost: number;
      readonly of: number;
      readonly to: readonly LossCode[];
      /** The rate limit that is used up; absent: no case was lost to one, or it is not known. */
      readonly limit?: UsedUpLimit;
    }
  // The requests of a client.
  | {
      readonly code: 'no-occasion';
      readonly detail: 'not-played' | 'no-429' | 'no-retry' | 'one-form' | 'cut-off' | 'limit-not-reached';
      /** How many the client sent. */
      readonly requests: number;
    }
  | {
      readonly code: 'waits-unclear';
      readonly detail: 'series' | 'waits';
      /** Milliseconds, for each series. */
      readonly series: readonly (readonly number[])[];
    }
  | { readonly code: 'traffic-alone'; readonly detail: 'requests' | 'bans' | 'no-authorization' }
  // The document, and the date.
  | { readonly code: 'blocked'; readonly requirement: string }
  | { readonly code: 'individual-plan' | 'before-removal' | 'removal-day' }
  | { readonly code: 'after-removal'; readonly detail: 'since' }
  | { readonly code: 'after-removal'; readonly detail: 'operation'; readonly operation: string }
  | { readonly code: 'not-documented'; readonly detail: 'rate-limit-headers' | 'refusals' }
  | {
      readonly code: 'not-documented';
      readonly detail: 'key' | 'rejection' | 'method';
      readonly operation: string;
    }
  | {
      readonly code: 'not-documented';
      readonly detail: 'media-type';
      readonly operation: string;
      readonly mediaType: string;
    }
  /** `problem`: the generator's message about a schema for which it cannot make values. */
  | {
      readonly code: 'not-documented';
      readonly detail: 'schema';
      readonly operation: string;
      readonly problem: string;
    }
  /** `problem`: the validator's message. */
  | { readonly code: 'slow-pattern'; readonly problem: string }
  // The server: what it did, or does not have.
  | {
      readonly code: 'precondition';
      readonly detail: 'creation' | 'keyless-list';
      readonly status: number;
      readonly expected: string;
    }
  | { readonly code: 'precondition'; readonly detail: 'list'; readonly status: number }
  | {
      readonly code: 'precondition';
      readonly detail: 'credential-accepted' | 'keyless-success' | 'not-own' | 'no-resource';
      readonly operation: string;
    }
  | {
      readonly code: 'precondition';
      readonly detail:
        | 'key-not-read'
        | 'no-larger-id'
        | 'not-requested'
        | 'not-created-as-pet'
        | 'not-listed-as-pet';
    }
  | { readonly code: 'precondition'; readonly detail: 'not-int64'; readonly id: string }
  /** The reason of a user's check. */
  | { readonly code: 'precondition'; readonly detail: 'own'; readonly text: string }
  | { readonly code: 'no-response' }
  | { readonly code: 'no-response'; readonly detail: 'request'; readonly request: string }
  /** Operations that the run requested, without one response that could be read to its end. */
  | { readonly code: 'no-response'; readonly detail: 'operations'; readonly operations: readonly string[] }
  | { readonly code: 'server-error'; readonly detail: 'status'; readonly status: number }
  | { readonly code: 'server-error'; readonly detail: 'once'; readonly status: number }
  | { readonly code: 'nothing-created'; readonly detail: 'concurrent' | 'no-pet' }
  | {
      readonly code: 'nothing-created';
      readonly detail: 'status' | 'category' | 'no-category';
      readonly status: number;
    }
  | {
      readonly code: 'no-animal';
      readonly detail: 'none' | 'none-listed' | 'none-of-others' | 'none-created';
    }
  | { readonly code: 'store-too-small'; readonly more: number }
  | { readonly code: 'list-too-long'; readonly detail: 'incomplete' | 'full-page' }
  | { readonly code: 'list-too-long'; readonly detail: 'order'; readonly list: string }
  | {
      readonly code: 'unreadable-response';
      readonly detail: 'listed-pet' | 'retry-after' | 'headers-of-401' | 'error-status' | 'error-code';
    }
  | { readonly code: 'unreadable-response'; readonly detail: 'list'; readonly status: number }
  | { readonly code: 'id-in-use'; readonly id: string }
  | {
      readonly code: 'state-changed';
      readonly detail: 'status-before-list' | 'status-unlisted' | 'unlisted' | 'all-unlisted' | 'repeatedly';
    }
  | { readonly code: 'not-repeatable' | 'may-lag' }
  // The rate limit.
  | { readonly code: 'rate-limit'; readonly detail: 'refused-repeatedly' | 'second-key' | 'perhaps-banned' }
  | { readonly code: 'rate-limit'; readonly detail: 'status'; readonly status: number }
  | { readonly code: 'limit-too-high'; readonly most: number; readonly limit: number | null }
  | {
      readonly code: 'limit-not-reached';
      readonly detail:
        | 'no-429'
        | 'new-day'
        | 'refills-faster'
        | 'early-429'
        | 'early-429-of-key'
        | 'remaining-above-0';
    }
  | { readonly code: 'limit-not-reached'; readonly detail: 'status'; readonly status: number }
  | {
      readonly code: 'limit-not-reached';
      readonly detail: 'status-of-day';
      readonly status: number;
      readonly served: number;
    }
  | {
      readonly code: 'counting-unclear';
      readonly detail:
        | 'no-request-counts'
        | 'which-count'
        | 'several-each'
        | 'headers'
        | 'several-limits'
        | 'reset-changes'
        | 'refills';
    }
  | {
      readonly code: 'counting-unclear';
      readonly detail: 'status';
      readonly request: string;
      readonly status: number;
    }
  | { readonly code: 'other-limit'; readonly detail: 'plan' | 'minute-first' | 'day-of-second-key' };

/** Why testing of a server ended early or could not start. */
export type RunEnd =
  | { readonly detail: 'stopped'; readonly because: NotSent }
  | { readonly detail: 'no-connection' | 'no-first-response' | 'no-operations' | 'nothing-to-send-with' }
  /** The reasons for the first operations, and the number of further ones. */
  | { readonly detail: 'untestable-operations'; readonly reasons: readonly Reason[]; readonly more: number }
  | {
      readonly detail: 'key-refused' | 'basic-authentication';
      readonly statuses: readonly number[];
    }
  /** `flags`: they give credentials that the run lacks; empty: it lacks none. */
  | {
      readonly detail: 'other-api-refuses';
      readonly statuses: readonly number[];
      readonly flags: readonly string[];
    }
  | { readonly detail: 'retry-after'; readonly retryAfter: string; readonly longestWaitMs: number }
  | { readonly detail: 'always-limited' }
  /** A client sent nothing. */
  | { readonly detail: 'no-requests' }
  | { readonly detail: 'redirects-and-html' | 'html' | 'plain-http'; readonly statuses: readonly number[] }
  | { readonly detail: 'maintenance'; readonly retryAfter: string | null }
  | {
      readonly detail: 'moved' | 'redirect' | 'slash';
      readonly statuses: readonly number[];
      readonly to: string;
    };

export type ReasonCode = Reason['code'];

/** The limit of a key, and until when it is used up. */
type UsedUpLimit = Extract<Reason, { readonly code: 'rate-limit'; readonly detail: 'used-up' }>;

export const isUsedUpLimit = (reason: Reason): reason is UsedUpLimit =>
  reason.code === 'rate-limit' && 'detail' in reason && reason.detail === 'used-up';

/** Why a requirement cannot pass: cases that could have failed it were lost. The code is the most frequent cause. Null: none was. */
export const lossReason = (
  of: number,
  lost: ReadonlyMap<LossCode, number>,
  limit?: UsedUpLimit,
): Reason | null => {
  const [most] = [...lost].toSorted(([, a], [, b]) => b - a);
  if (most === undefined) return null;
  const count = lost.values().reduce((sum, each) => sum + each, 0);
  return {
    ...{ code: most[0], detail: 'lost', lost: count, of, to: [...lost.keys()] },
    ...(limit === undefined ? {} : { limit }),
  };
};

/** Settings that may give a result, by code. */
const settings: ReadonlyMap<ReasonCode | null, readonly string[]> = new Map([
  ['needs-rate-limit-key', ['--rate-limit-key']],
  ['needs-exhaust-daily', ['--exhaust-daily']],
  ['needs-risky', ['--risky']],
  ['unknown-plan', ['--plan']],
  ['path-waived', ['--allow-any-path']],
  ['read-only', ['--read-only']],
  ['max-creates', ['--max-creates']],
  ['max-body', ['--max-body']],
  ['budget', ['--budget']],
]);

/** Returns the settings that may give a result. Unknown codes, from reports of other versions, have none. */
export const settingsFor = (code: ReasonCode | null): readonly string[] => settings.get(code) ?? [];

/** The 429 may come from another limit than the headers show. */
export const otherLimit: Reason = { code: 'other-limit', detail: 'plan' };
