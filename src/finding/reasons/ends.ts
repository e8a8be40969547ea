import type { NotSent } from '../../http/client-types.ts';
import type { TransportFailure } from '../../http/exchange.ts';
import { silenceText } from '../words/connection.ts';
import { type CaseReason, caseText } from './cases.ts';

interface WithStatuses {
  readonly statuses: readonly number[];
}

interface Redirected extends WithStatuses {
  readonly to: string;
}

interface OtherApiRefuses extends WithStatuses {
  /** They give credentials that the run lacks; empty: it lacks none. */
  readonly flags: readonly string[];
}

/** The reasons for the first operations, and the number of further ones. */
interface UntestableOperations {
  readonly reasons: readonly CaseReason[];
  readonly more: number;
}

interface WorkerLost {
  readonly worker: number;
  readonly of: number;
  /** A signal, an exit code, or an error. */
  readonly by: string | number;
}

const advice = 'this is not the API; check host, port and path';

const statuses = (all: readonly number[]): string => all.join(' and ');

/** Why testing of a server ended early or could not start. */
export const ends = {
  'run-ended no-requests':
    'The client sent no request to ANIMAL_STORE_BASE_URL. Read that variable (and ANIMAL_STORE_API_KEY) in the client',
  'run-ended stopped': ({ because }: { readonly because: NotSent }): string => caseText(because),
  'run-ended worker-lost': ({ worker, of, by }: WorkerLost): string =>
    `worker ${worker} of ${of} ended before its part of the run was done (${typeof by === 'number' ? `exit code ${by}` : by})`,
  'run-ended no-connection': 'no connection could be made',
  'run-ended no-first-response': ({ failure }: { readonly failure: TransportFailure }): string =>
    `the first request got no response (${silenceText(failure)}), so no more were sent`,
  'run-ended no-operations': 'the document has no operations',
  'run-ended nothing-to-send-with': "nothing was found that the document's operations could be sent with",
  'run-ended untestable-operations': ({ reasons, more }: UntestableOperations): string =>
    `no operation of the document can be tested: ${reasons.map(caseText).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
  'run-ended key-refused': (facts: WithStatuses): string =>
    `Every operation returned ${statuses(facts.statuses)}: check that the API key is valid there and that the server reads "Authorization: Bearer <key>"`,
  'run-ended other-api-refuses': (facts: OtherApiRefuses): string =>
    facts.flags.length > 0
      ? `Every operation returned ${statuses(facts.statuses)}, and the document asks for more credentials: give ${facts.flags.join(' and ')}`
      : `Every operation returned ${statuses(facts.statuses)}: check that the API key is given and valid there, and that the document says how it is sent (as a bearer token, with Basic, or in a header, a cookie, or the query)`,
  'run-ended basic-authentication': (facts: WithStatuses): string =>
    `Every operation returned ${statuses(facts.statuses)} with WWW-Authenticate: Basic. HTTP Basic protects this host, so the API key was not checked`,
  'run-ended always-limited':
    'Every request returned 429, also after the waits of Retry-After: the key may be banned. Try again later, or use another key',
  'run-ended retry-after': ({
    retryAfter,
    longestWaitMs,
  }: {
    readonly retryAfter: string;
    readonly longestWaitMs: number;
  }): string =>
    `Every request returned 429 with Retry-After ${retryAfter}, longer than the longest wait of ${longestWaitMs / 1000} s: try again later, or raise --max-wait`,
  'run-ended redirects-and-html': (facts: WithStatuses): string =>
    `Every operation returned a redirect or HTML (${statuses(facts.statuses)}): ${advice}`,
  'run-ended html': (facts: WithStatuses): string =>
    `Every operation returned HTML (${statuses(facts.statuses)}): ${advice}`,
  'run-ended plain-http': (facts: WithStatuses): string =>
    `Every operation returned ${statuses(facts.statuses)}: http was sent to a TLS port. Use https:// in --base-url`,
  'run-ended maintenance': ({ retryAfter }: { readonly retryAfter: string | null }): string =>
    `Every operation returned 503 with the same page${retryAfter === null ? '' : `, Retry-After ${retryAfter}`}: the server is in maintenance, or nothing runs behind it`,
  'run-ended moved': (facts: Redirected): string =>
    `Every operation returned ${statuses(facts.statuses)} to ${facts.to}/…: use that address as --base-url`,
  'run-ended slash': (facts: Redirected): string =>
    `Every operation returned ${statuses(facts.statuses)} to its own path with a slash at the end (${facts.to}). Every route ends in a slash here: serve the paths without it, too`,
  'run-ended redirect': (facts: Redirected): string =>
    `Every operation returned ${statuses(facts.statuses)} to ${facts.to}: ${advice}, and whether the host needs a login`,
};
