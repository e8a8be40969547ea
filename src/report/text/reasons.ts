import type { LossCode, Reason } from '../../finding/reason.ts';
import { connectionText } from '../../finding/words/connection.ts';
import { waitsText } from '../../finding/words/values.ts';
import type { KeySlot } from '../../http/exchange.ts';
import type { PaceSlot } from '../../http/pacing-types.ts';
import { cutReason } from '../../http/request-view.ts';
import type { Observation } from '../../run/outcome.ts';

/** The key of a sentence: `code detail`, or the code alone. */
type KeyOf<R> = R extends { detail: 'lost' }
  ? 'lost'
  : R extends { code: infer Code extends string; detail: infer Detail extends string }
    ? `${Code} ${Detail}`
    : R extends { code: infer Code extends string }
      ? Code
      : never;

type Key = KeyOf<Reason>;

/** The reasons of one sentence, with the facts that it has. */
type FactsOf<K, R = Reason> = R extends Reason ? (K extends KeyOf<R> ? R : never) : never;

type Sentences = { readonly [K in Key]: string | ((facts: FactsOf<K>) => string) };

const advice = 'this is not the API; check host, port and path';

const keys: Readonly<Record<PaceSlot, string>> = {
  main: 'the API key',
  'rate-limit': 'the rate limit key',
  anonymous: 'requests without a valid key',
};

const losses: Readonly<Record<LossCode, string>> = {
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

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const statuses = (all: readonly number[]): string => all.join(' and ');

/** What to do about an error of the system. */
const nextSteps: Readonly<Record<string, string>> = {
  ECONNREFUSED: '. Start the server, or check host and port',
  ENOTFOUND: '. Check the host',
};

/** The reason for a key that only this run should use. */
const othersUse = (key: KeySlot): string => `others use ${keys[key]} at the same time`;

/** An observation on a key that others were seen to use. */
export const otherClients = (key: KeySlot): Observation => {
  const value = `${othersUse(key)}: X-RateLimit-Remaining falls by more than this run sends`;
  return { id: 'RATE-6', subject: 'other clients', value, values: [value] };
};

const sentences: Sentences = {
  'no-occasion not-played':
    'No scenario that shows it was played: judge without --scenario plays all, and --list-scenarios names them',
  'no-occasion no-429': ({ requests }) =>
    `The client sent ${count(requests, 'request')}, and no 429 came: nothing to back off from`,
  'no-occasion no-retry': ({ requests }) =>
    `The client sent ${count(requests, 'request')}; CLIENT-3 needs a client that tries again`,
  'no-occasion one-form':
    'The client waited for one form of Retry-After; the other form came in no 429 (it needs a client that sends a request in each scenario)',
  'no-occasion cut-off': 'The test ended before Retry-After did',
  'no-occasion limit-not-reached': ({ requests }) =>
    `The client sent ${count(requests, 'request')}, and nothing after X-RateLimit-Remaining was 0 (CLIENT-7 needs 4 requests in one start)`,
  'waits-unclear series': ({ series }) => `Too few whole series of 429s: ${waitsText(series)}`,
  'waits-unclear waits': ({ series }) =>
    `The waits are neither clearly exponential nor clearly not: ${waitsText(series)}`,
  'traffic-alone requests': 'Traffic alone does not show it: test the server with run',
  'traffic-alone bans': 'Traffic alone does not show bans: judge the client with the built-in scenarios',
  'traffic-alone no-authorization':
    'No request of the HAR has an Authorization header: browsers leave it out. Export the HAR with sensitive data',
  'run-ended no-requests':
    'The client sent no request to ANIMAL_STORE_BASE_URL. Read that variable (and ANIMAL_STORE_API_KEY) in the client',
  'not-selected': 'Not selected (--only, --skip)',
  'not-selected operation': ({ operation }) => `${operation}: left out by --operation or --skip-operation`,
  'needs-exhaust-daily': 'Needs --exhaust-daily (uses up the daily limit)',
  'path-waived': 'Waived by --allow-any-path',
  'not-met-in-shard': 'This shard did not meet the known failure: merge shows whether another one did',
  'needs-rate-limit-key key': 'Needs --rate-limit-key',
  'needs-rate-limit-key 429': 'Needs a 429 response (--rate-limit-key)',
  'needs-risky changes': ({ operation }) => `${operation}: needs --risky (changes or deletes data)`,
  'needs-risky changes-of-others': ({ operation }) =>
    `${operation}: needs --risky on a loopback server (changes data that this run did not create)`,
  'unknown-plan plan': 'Unknown plan: set --plan',
  'unknown-plan daily-limit': 'Unknown daily limit: set --rate-limit-plan',
  'unknown-plan minute-limit': ({ shown }) =>
    `The headers show a limit of ${shown} that resets in more than a minute, and the per-minute limit is unknown: set --rate-limit-plan`,
  'unknown-rate-limit headers': 'The rate-limit headers cannot be read',
  'unknown-rate-limit headers-and-plan': 'The rate-limit headers cannot be read: set --rate-limit-plan',
  'unknown-rate-limit date': 'Without a Date, the time until X-RateLimit-Reset is unknown',
  'read-only creation': 'Not possible with --read-only',
  'read-only counting': 'Only creations may count, and --read-only excludes them',
  'read-only changes': ({ operation }) => `${operation}: not possible with --read-only (may change data)`,
  'max-creates most': ({ most }) => `the run may create ${count(most, 'animal')} at most (--max-creates)`,
  'max-creates share': 'Other operations need the rest of --max-creates',
  'max-body': ({ bytes }) => cutReason(bytes),
  'max-wait retry-after': ({ seconds }) => `Retry-After of ${seconds} s is longer than --max-wait`,
  'max-wait reset': ({ seconds }) => `The limit resets in ${seconds} s, longer than --max-wait`,
  'max-wait long-window': 'The headers show a limit that resets in more than a minute',
  budget: ({ budget }) => `the budget of ${count(budget, 'request')} is spent (--budget)`,
  'no-key slot': ({ key }) => `there is no ${key} key`,
  'no-key valid-key': 'Needs a valid key (--api-key)',
  'no-key schemes': ({ operation, schemes, flags }) =>
    `${operation} requires ${schemes}${flags.length === 0 ? '' : `: needs ${flags.join(' and ')}`}`,
  'shared-key others': ({ key }) => othersUse(key),
  'shared-key counted-together': 'Both keys are counted together: it is unknown whose limit applies',
  interrupted: 'interrupted',
  'interrupted at-start': 'interrupted before anything was judged',
  'not-tested': 'Not tested in this run',
  'not-tested operation': ({ operation }) => `${operation}: no case that was run requests it`,
  'not-tested no-such-case': ({ path }) => `the path ${path} leads to no case of this check`,
  'suite-error': ({ error }) => error,
  lost: ({ lost, of, to, limit }) =>
    `${lost} of ${count(of, 'case')} not run (${to.map((code) => losses[code]).join(', ')})${limit === undefined ? '' : `: ${reasonText(limit)}`}`,
  'timeouts run': 'too many timeouts (30 s in total)',
  'timeouts kind': 'a request of this kind timed out, and is not repeated',
  'timeouts operation': ({ operation }) => `${operation} never responded to such requests within the timeout`,
  'target-gone gone': 'the target no longer accepts connections',
  'target-gone no-connection': ({ failure }) =>
    `cannot connect: ${connectionText(failure)}${nextSteps[failure.code === 'error' ? failure.error : ''] ?? ''}`,
  'run-ended stopped': ({ because }) => reasonText(because),
  'run-ended no-connection': 'no connection could be made',
  'run-ended no-first-response': 'the first request got no response, so no more were sent',
  'run-ended no-operations': 'the document has no operations',
  'run-ended nothing-to-send-with': "nothing was found that the document's operations could be sent with",
  'run-ended untestable-operations': ({ reasons, more }) =>
    `no operation of the document can be tested: ${reasons.map(reasonText).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  'run-ended key-refused': (facts) =>
    `Every operation returned ${statuses(facts.statuses)}: check that the API key is valid there and that the server reads "Authorization: Bearer <key>"`,
  'run-ended other-api-refuses': (facts) =>
    facts.flags.length > 0
      ? `Every operation returned ${statuses(facts.statuses)}, and the document asks for more credentials: give ${facts.flags.join(' and ')}`
      : `Every operation returned ${statuses(facts.statuses)}: check that the API key is given and valid there, and that the document says how it is sent (as a bearer token, with Basic, or in a header, a cookie, or the query)`,
  'run-ended basic-authentication': (facts) =>
    `Every operation returned ${statuses(facts.statuses)} with WWW-Authenticate: Basic. HTTP Basic protects this host, so the API key was not checked`,
  'run-ended always-limited': () =>
    'Every request returned 429, also after the waits of Retry-After: the key may be banned. Try again later, or use another key',
  'run-ended retry-after': ({ retryAfter, longestWaitMs }) =>
    `Every request returned 429 with Retry-After ${retryAfter}, longer than the longest wait of ${longestWaitMs / 1000} s: try again later, or raise --max-wait`,
  'run-ended redirects-and-html': (facts) =>
    `Every operation returned a redirect or HTML (${statuses(facts.statuses)}): ${advice}`,
  'run-ended html': (facts) => `Every operation returned HTML (${statuses(facts.statuses)}): ${advice}`,
  'run-ended plain-http': (facts) =>
    `Every operation returned ${statuses(facts.statuses)}: http was sent to a TLS port. Use https:// in --base-url`,
  'run-ended maintenance': ({ retryAfter }) =>
    `Every operation returned 503 with the same page${retryAfter === null ? '' : `, Retry-After ${retryAfter}`}: the server is in maintenance, or nothing runs behind it`,
  'run-ended moved': (facts) =>
    `Every operation returned ${statuses(facts.statuses)} to ${facts.to}/…: use that address as --base-url`,
  'run-ended slash': (facts) =>
    `Every operation returned ${statuses(facts.statuses)} to its own path with a slash at the end (${facts.to}). Every route ends in a slash here: serve the paths without it, too`,
  'run-ended redirect': (facts) =>
    `Every operation returned ${statuses(facts.statuses)} to ${facts.to}: ${advice}, and whether the host needs a login`,
  blocked: ({ requirement }) => `Blocked: ${requirement} failed`,
  'individual-plan': 'Enterprise limits are individual: any value is accepted',
  'before-removal': 'Applies from 5 December 2030',
  'removal-day': 'It is the day of the removal in some time zone: working and removed both pass',
  'after-removal since': 'getPet is removed since 5 December 2030',
  'after-removal operation': ({ operation }) => `${operation} is removed`,
  'not-documented refusals': 'The document has no 400 or 422 for an operation whose requests can be invalid',
  'not-documented rate-limit-headers': 'The document declares no rate-limit headers',
  'not-documented key': ({ operation }) => `${operation}: the document requires no key`,
  'not-documented rejection': ({ operation }) =>
    `${operation}: the document gives neither 401 nor 403 for a request without a key`,
  'not-documented method': ({ operation }) => `${operation}: the suite does not send this method`,
  'not-documented media-type': ({ operation, mediaType }) =>
    `${operation}: the suite sends only JSON bodies, not ${mediaType}`,
  'not-documented schema': ({ operation, problem }) => `${operation}: ${problem}`,
  'slow-pattern': ({ problem }) => problem,
  'precondition creation': ({ status, expected }) =>
    `Precondition failed: POST returned ${status} instead of ${expected}`,
  'precondition keyless-list': ({ status, expected }) =>
    `Precondition failed: GET /pets without a key returned ${status} instead of ${expected}`,
  'precondition list': ({ status }) => `Precondition failed: GET /pets with the key returned ${status}`,
  'precondition credential-accepted': ({ operation }) => `${operation} accepts the credential`,
  'precondition keyless-success': ({ operation }) => `${operation} succeeds without a key, too`,
  'precondition not-own': ({ operation }) => `${operation}: not sent to resources of other clients`,
  'precondition no-resource': ({ operation }) => `${operation}: no existing resource was found`,
  'precondition key-not-read': 'The request was rejected before the key was read',
  'precondition no-larger-id': 'No int64 is larger',
  'precondition not-requested': 'The animal could not be requested',
  'precondition not-created-as-pet': 'The animal was not created as a valid Pet',
  'precondition not-listed-as-pet': 'The animal was not listed as a valid Pet',
  'precondition not-int64': ({ id }) => `${id} is not an int64`,
  'precondition own': ({ text }) => text,
  'no-response': 'A request got no response',
  'no-response request': ({ request }) => `${request} got no response`,
  'no-response operations': ({ operations }) =>
    `No response of ${operations.join(', ')} could be read to its end, so nothing was judged`,
  'server-error status': ({ status }) => `Server error (${status})`,
  'server-error once': ({ status }) =>
    `a request got ${status}, and another status when it was sent again (GEN-4)`,
  'nothing-created concurrent': 'Fewer than 2 concurrent creations returned an id',
  'nothing-created no-pet': 'The 201 response has no Pet',
  'nothing-created status': ({ status }) =>
    status === 201
      ? 'No creation returned an int64 id'
      : `No creation returned 201 (POST /pets returned ${status})`,
  'nothing-created category': ({ status }) => `The server rejected the category (${status})`,
  'nothing-created no-category': ({ status }) =>
    `POST /pets returned ${status} and no category is known: set --category-id`,
  'no-animal none': 'No animal exists',
  'no-animal none-listed': 'No animal is listed',
  'no-animal none-of-others': 'No animal of other clients is listed',
  'no-animal none-created': 'No creation returned 201 with a Pet',
  'store-too-small': ({ more }) => `Needs more than ${count(more, 'animal')} in the store`,
  'list-too-long incomplete': 'The list is longer than one page, so it cannot be read completely',
  'list-too-long full-page': 'The page is full, so animals may be missing',
  'list-too-long order': ({ list }) => `${list} is longer than one page, and its order is not specified`,
  'unreadable-response listed-pet': 'The list does not show the animal as a valid Pet',
  'unreadable-response retry-after': 'A 429 has no usable Retry-After',
  'unreadable-response error-status': 'No error body has an integer "status"',
  'unreadable-response error-code': 'No error body has a string "code"',
  'unreadable-response headers-of-401': '401 responses have no readable rate-limit headers',
  'unreadable-response list': ({ status }) => `The list could not be read (GET /pets returned ${status})`,
  'id-in-use': ({ id }) => `Id ${id} exists`,
  'state-changed status-before-list': 'The status of the animal changed before it was listed',
  'state-changed status-unlisted': 'The status of the animal changed, and no list shows the animal',
  'state-changed unlisted': 'The animal is no longer listed',
  'state-changed all-unlisted': 'The requested animals are no longer listed',
  'state-changed repeatedly': 'The animal changes repeatedly',
  'not-repeatable': 'a difference did not come back each time its case was sent again',
  'may-lag': 'A replica may lack the animal, and others were missing for longer',
  'rate-limit refused-repeatedly': 'Got 429 repeatedly',
  'rate-limit second-key': 'The other key gets no success, or has no requests left',
  'rate-limit perhaps-banned': 'the key may be banned',
  'rate-limit status': ({ status }) => `The rate-limit key got ${status}`,
  'rate-limit used-up': ({ key, until, operation }) =>
    `the limit of ${operation ?? keys[key]} is used up until ${until}`,
  'rate-limit banned': ({ key, waits, operation }) =>
    `${operation ?? keys[key]} cannot be used further: ${waits === null ? 'it is refused with 401 or 403 ever since a 429' : `it was refused with 429 again after each of ${waits} waits`}: it seems to be banned`,
  'rate-limit others': ({ key }) => othersUse(key),
  'rate-limit repeated': ({ times }) => `the server returned 429 ${times} times in a row`,
  'limit-too-high': ({ most, limit }) =>
    limit === null
      ? `A limit above ${most} requests is not used up`
      : `A limit of ${limit} is not used up (over ${most} requests)`,
  'limit-not-reached no-429': 'Got no 429',
  'limit-not-reached new-day': 'A new day may have begun meanwhile',
  'limit-not-reached refills-faster': 'The limit refills faster than the server responds',
  'limit-not-reached early-429': 'A request got 429 while requests remained',
  'limit-not-reached early-429-of-key': 'The rate-limit key got 429 while requests remained',
  'limit-not-reached remaining-above-0':
    'Remaining does not reach 0: the limit refills as fast as requests are sent',
  'limit-not-reached status': ({ status }) => `A request got ${status}`,
  'limit-not-reached status-of-day': ({ status, served }) => `Got ${status} after ${served} requests`,
  'counting-unclear no-request-counts':
    'No request without side effects lowers X-RateLimit-Remaining, so it is unknown which ones count',
  'counting-unclear which-count': 'X-RateLimit-Remaining does not show which requests count',
  'counting-unclear several-each': 'Each request counts more than once, so it is unknown how many remain',
  'counting-unclear headers': 'Not every response has readable rate-limit headers',
  'counting-unclear several-limits': 'The responses show more than one limit',
  'counting-unclear reset-changes': 'X-RateLimit-Reset changes with each response',
  'counting-unclear refills': 'The limit refills as fast as requests are sent',
  'counting-unclear status': ({ request, status }) =>
    `${request} returned ${status}, which need not count towards the limit`,
  'other-limit plan': 'the other limit of the plan may explain the 429',
  'other-limit minute-first': 'The per-minute limit was hit repeatedly before the daily limit',
  'other-limit day-of-second-key': 'The other key hit its daily limit',
};

const keyOf = (reason: Reason): Key => {
  if (!('detail' in reason)) return reason.code;
  // The compiler does not see that the code and the detail of one reason belong together.
  return (reason.detail === 'lost' ? 'lost' : `${reason.code} ${reason.detail}`) as Key;
};

/** Why there is no clear result, or why a run ended, in a sentence without a full stop. */
export const reasonText = (reason: Reason): string => {
  const sentence = sentences[keyOf(reason)] as string | ((facts: Reason) => string);
  return typeof sentence === 'string' ? sentence : sentence(reason);
};
