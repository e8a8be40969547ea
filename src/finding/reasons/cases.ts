import type { NotSentCode } from '../../http/client-types.ts';
import type { FailureDetail, KeySlot } from '../../http/exchange.ts';
import { cutReason } from '../../http/request-view.ts';
import { connectionText } from '../words/connection.ts';
import { counted } from '../words/counted.ts';
import { waitsText } from '../words/values.ts';
import { type ReasonOf, sayWith, type WithStatus } from './derive.ts';
import { rateLimits, type UsedUp, usedUpText } from './rate-limits.ts';

/** Why a case was lost: a limit of the run, or its end. Behavior of the server is never a loss. */
export type LossCode = NotSentCode | 'max-creates' | 'read-only' | 'max-body';

interface OfOperation {
  readonly operation: string;
}

interface UnreadOperations {
  readonly operations: readonly string[];
  /** A response was longer than the client reads. */
  readonly isCut: boolean;
}

interface WithRequests {
  /** How many the client sent. */
  readonly requests: number;
}

interface WithSeries {
  /** Milliseconds, for each series. */
  readonly series: readonly (readonly number[])[];
}

interface MissingCredentials extends OfOperation {
  readonly schemes: string;
  /** The flags that give what is missing; empty: no flag does. */
  readonly flags: readonly string[];
}

/** Cases were lost, so the requirement cannot pass. The code is the most frequent reason. */
interface LostCases {
  readonly lost: number;
  readonly of: number;
  readonly to: readonly LossCode[];
  /** The rate limit that is used up; absent: no case was lost to one, or it is not known. */
  readonly limit?: UsedUp;
}

/** What cases were lost to, in a few words. */
export const losses: Readonly<Record<LossCode, string>> = {
  'max-creates': '--max-creates',
  'read-only': '--read-only',
  'max-body': '--max-body',
  budget: '--budget',
  'rate-limit': 'rate limit',
  timeouts: 'timeouts',
  'target-gone': 'the server stopped accepting connections',
  interrupted: 'interrupted',
  'no-key': 'no key',
};

/** What to do about an error of the system. */
const nextSteps: Readonly<Record<string, string>> = {
  ECONNREFUSED: '. Start the server, or check host and port',
  ENOTFOUND: '. Check the host',
};

/** Why a requirement has no clear result. */
export const cases = {
  ...rateLimits,
  'no-occasion not-played':
    'No scenario that shows it was played: judge without --scenario plays all, and --list-scenarios names them',
  'no-occasion no-429': ({ requests }: WithRequests): string =>
    `The client sent ${counted(requests, 'request')}, and no 429 came: nothing to back off from`,
  'no-occasion no-retry': ({ requests }: WithRequests): string =>
    `The client sent ${counted(requests, 'request')}; CLIENT-3 needs a client that tries again`,
  'no-occasion one-form':
    'The client waited for one form of Retry-After; the other form came in no 429 (it needs a client that sends a request in each scenario)',
  'no-occasion cut-off': 'The test ended before Retry-After did',
  'no-occasion limit-not-reached': ({ requests }: WithRequests): string =>
    `The client sent ${counted(requests, 'request')}, and nothing after X-RateLimit-Remaining was 0 (CLIENT-7 needs 4 requests in one start)`,
  // What to do comes before the waits, because a terminal cuts long reasons.
  'waits-unclear series': ({ series }: WithSeries): string =>
    `Too few whole series of 429s: judge more requests of the client. Waits: ${waitsText(series)}`,
  'waits-unclear time': ({ series }: WithSeries): string =>
    `The test ended in a series of 429s: give it more time (--timeout), or record more traffic. Waits: ${waitsText(series)}`,
  'waits-unclear waits': ({ series }: WithSeries): string =>
    `The waits are neither clearly exponential nor clearly not: ${waitsText(series)}`,
  'traffic-alone requests': 'Traffic alone does not show it: test the server with run',
  'traffic-alone bans': 'Traffic alone does not show bans: judge the client with the built-in scenarios',
  'traffic-alone no-authorization':
    'No request of the HAR has an Authorization header: browsers leave it out. Export the HAR with sensitive data',
  'not-selected': 'Not selected (--only, --skip)',
  'not-selected operation': ({ operation }: OfOperation): string =>
    `${operation}: left out by --operation or --skip-operation`,
  'needs-exhaust-daily': 'Needs --exhaust-daily (uses up the daily limit)',
  'path-waived': 'Waived by --allow-any-path',
  'not-met-in-shard': 'This shard did not meet the known failure: merge shows whether another one did',
  'needs-rate-limit-key key': 'Needs --rate-limit-key',
  'needs-rate-limit-key 429': 'Needs a 429 response (--rate-limit-key)',
  'needs-risky changes': ({ operation }: OfOperation): string =>
    `${operation}: needs --risky (changes or deletes data)`,
  'needs-risky changes-of-others': ({ operation }: OfOperation): string =>
    `${operation}: needs --risky on a loopback server (changes data that this run did not create)`,
  'read-only creation': 'Not possible with --read-only',
  'read-only counting': 'Only creations may count, and --read-only excludes them',
  'read-only changes': ({ operation }: OfOperation): string =>
    `${operation}: not possible with --read-only (may change data)`,
  'max-creates most': ({ most }: { readonly most: number }): string =>
    `the run may create at most ${counted(most, 'resource')} (--max-creates)`,
  'max-creates share': 'Other operations need the rest of --max-creates',
  'max-body': ({ bytes }: { readonly bytes: number }): string => cutReason(bytes),
  'max-wait retry-after': ({ seconds }: { readonly seconds: number }): string =>
    `Retry-After of ${seconds} s is longer than --max-wait`,
  'max-wait reset': ({ seconds }: { readonly seconds: number }): string =>
    `The limit resets in ${seconds} s, longer than --max-wait`,
  'max-wait long-window': 'The headers show a limit that resets in more than a minute',
  budget: ({ budget }: { readonly budget: number }): string =>
    `the budget of ${counted(budget, 'request')} is spent (--budget)`,
  'no-key slot': ({ key }: { readonly key: KeySlot }): string => `there is no ${key} key`,
  'no-key valid-key': 'Needs a valid key (--api-key)',
  'no-key schemes': ({ operation, schemes, flags }: MissingCredentials): string =>
    `${operation} requires ${schemes}${flags.length === 0 ? '' : `: needs ${flags.join(' and ')}`}`,
  interrupted: 'interrupted',
  'interrupted at-start': 'interrupted before anything was judged',
  'not-tested': 'Not tested in this run',
  'not-tested operation': ({ operation }: OfOperation): string =>
    `${operation}: no case that was run requests it`,
  'not-tested no-such-case': ({ path }: { readonly path: string }): string =>
    `the path ${path} leads to no case of this check`,
  'suite-error': ({ error }: { readonly error: string }): string => error,
  lost: ({ lost, of, to, limit }: LostCases): string =>
    `${lost} of ${counted(of, 'case')} not run (${to.map((code) => losses[code]).join(', ')})${limit === undefined ? '' : `: ${usedUpText(limit)}`}`,
  'timeouts run': 'too many timeouts (30 s in total)',
  'timeouts kind': 'a request of this kind timed out, and is not repeated',
  'timeouts operation': ({ operation }: OfOperation): string =>
    `${operation} never responded to such requests within the timeout`,
  'target-gone gone': 'the target no longer accepts connections',
  'target-gone no-connection': ({ failure }: { readonly failure: FailureDetail }): string =>
    `cannot connect: ${connectionText(failure)}${nextSteps[failure.code === 'error' ? failure.error : ''] ?? ''}`,
  blocked: ({ requirement }: { readonly requirement: string }): string => `Blocked: ${requirement} failed`,
  'individual-plan': 'Enterprise limits are individual: any value is accepted',
  'before-removal': 'Applies from 5 December 2030',
  'removal-day': 'It is the day of the removal in some time zone: working and removed both pass',
  'after-removal since': 'getPet is removed since 5 December 2030',
  'after-removal operation': ({ operation }: OfOperation): string => `${operation} is removed`,
  'not-documented refusals': 'The document has no 400 or 422 for an operation whose requests can be invalid',
  'not-documented rate-limit-headers': 'The document declares no rate-limit headers',
  'not-documented key': ({ operation }: OfOperation): string => `${operation}: the document requires no key`,
  'not-documented rejection': ({ operation }: OfOperation): string =>
    `${operation}: the document gives neither 401 nor 403 for a request without a key`,
  'not-documented method': ({ operation }: OfOperation): string =>
    `${operation}: the suite does not send this method`,
  'not-documented media-type': ({
    operation,
    mediaType,
  }: {
    readonly operation: string;
    readonly mediaType: string;
  }): string => `${operation}: the suite sends only JSON bodies, not ${mediaType}`,
  'not-documented schema': ({
    operation,
    problem,
  }: {
    readonly operation: string;
    readonly problem: string;
  }): string => `${operation}: ${problem}`,
  'slow-pattern': ({ problem }: { readonly problem: string }): string => problem,
  'precondition creation': ({
    status,
    expected,
  }: {
    readonly status: number;
    readonly expected: string;
  }): string => `Precondition failed: POST returned ${status} instead of ${expected}`,
  'precondition keyless-list': ({
    status,
    expected,
  }: {
    readonly status: number;
    readonly expected: string;
  }): string => `Precondition failed: GET /pets without a key returned ${status} instead of ${expected}`,
  'precondition list': ({ status }: WithStatus): string =>
    `Precondition failed: GET /pets with the key returned ${status}`,
  'precondition credential-accepted': ({ operation }: OfOperation): string =>
    `${operation} accepts the credential`,
  'precondition keyless-success': ({ operation }: OfOperation): string =>
    `${operation} succeeds without a key, too`,
  'precondition not-own': ({ operation }: OfOperation): string =>
    `${operation}: not sent to resources of other clients`,
  'precondition no-resource': ({ operation }: OfOperation): string =>
    `${operation}: no existing resource was found`,
  'precondition key-not-read': 'The request was rejected before the key was read',
  'precondition no-larger-id': 'No int64 is larger',
  'precondition not-requested': 'The animal could not be requested',
  'precondition not-created-as-pet': 'The animal was not created as a valid Pet',
  'precondition not-listed-as-pet': 'The animal was not listed as a valid Pet',
  'precondition not-int64': ({ id }: { readonly id: string }): string => `${id} is not an int64`,
  'precondition own': ({ text }: { readonly text: string }): string => text,
  'no-response': 'A request got no response',
  'no-response request': ({ request }: { readonly request: string }): string => `${request} got no response`,
  'no-response operations': ({ operations, isCut }: UnreadOperations): string =>
    `No response of ${operations.join(', ')} could be read to its end, so nothing was judged${isCut ? '. Raise --max-body to read longer bodies' : ''}`,
  'no-response limited': ({ operations }: { readonly operations: readonly string[] }): string =>
    `Every response of ${operations.join(', ')} was 429, so nothing was judged. Try again later, or raise --max-wait`,
  'server-error status': ({ status }: WithStatus): string => `Server error (${status})`,
  'server-error once': ({ status }: WithStatus): string =>
    `a request got ${status}, and another status when it was sent again (GEN-4)`,
  'nothing-created concurrent': 'Fewer than 2 concurrent creations returned an id',
  'nothing-created no-pet': 'The 201 response has no Pet',
  'nothing-created status': ({ status }: WithStatus): string =>
    status === 201
      ? 'No creation returned an int64 id'
      : `No creation returned 201 (POST /pets returned ${status})`,
  'nothing-created category': ({ status }: WithStatus): string =>
    `The server rejected the category (${status})`,
  'nothing-created no-category': ({ status }: WithStatus): string =>
    `POST /pets returned ${status} and no category is known: set --category-id`,
  'no-animal none': 'No animal exists',
  'no-animal none-listed': 'No animal is listed',
  'no-animal none-of-others': 'No animal of other clients is listed',
  'no-animal none-created': 'No creation returned 201 with a Pet',
  'store-too-small': ({ more }: { readonly more: number }): string =>
    `Needs more than ${counted(more, 'animal')} in the store`,
  'list-too-long incomplete': 'The list is longer than one page, so it cannot be read completely',
  'list-too-long full-page': 'The page is full, so animals may be missing',
  'list-too-long order': ({ list }: { readonly list: string }): string =>
    `${list} is longer than one page, and its order is not specified`,
  'unreadable-response listed-pet': 'The list does not show the animal as a valid Pet',
  'unreadable-response retry-after': 'A 429 has no usable Retry-After',
  'unreadable-response error-status': 'No error body has an integer "status"',
  'unreadable-response error-code': 'No error body has a string "code"',
  'unreadable-response headers-of-401': '401 responses have no readable rate-limit headers',
  'unreadable-response list': ({ status }: WithStatus): string =>
    `The list could not be read (GET /pets returned ${status})`,
  'id-in-use': ({ id }: { readonly id: string }): string => `Id ${id} exists`,
  'state-changed status-before-list': 'The status of the animal changed before it was listed',
  'state-changed status-unlisted': 'The status of the animal changed, and no list shows the animal',
  'state-changed unlisted': 'The animal is no longer listed',
  'state-changed all-unlisted': 'The requested animals are no longer listed',
  'state-changed repeatedly': 'The animal changes repeatedly',
  'not-repeatable': 'a difference did not come back each time its case was sent again',
  'may-lag': 'A replica may lack the animal, and others were missing for longer',
};

/** Why a case, or an operation, gave no clear result. */
export type CaseReason = ReasonOf<typeof cases, LossCode>;

/** Says why, without a full stop. */
export const caseText: (reason: CaseReason) => string = sayWith(cases);
