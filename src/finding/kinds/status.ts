import type { FailureDetail, TransportFailure } from '../../http/exchange.ts';
import { defineProblem, type Seen, type WrongStatus } from '../define-problem.ts';
import { connectionText, silenceText } from '../words/connection.ts';
import { shownStatus } from '../words/requests.ts';

/** A 401 to a request with a valid key needs a note: it is about the key, not the body. */
const despiteKey = ({ probe }: Seen, status: number): string =>
  status === 401 && probe !== undefined && probe.request.credential.chargedTo !== null
    ? ', although the key is valid'
    : '';

type NotServed = WrongStatus & {
  readonly id: bigint;
  /** `own`: the run created it some time ago. `requested`: its id was requested before it was created. */
  readonly known: 'own' | 'created' | 'listed' | 'requested';
  /** The input of its creation, in words. */
  readonly input?: string;
};

const expectedAnimal: Readonly<Record<NotServed['known'], readonly [message: string, expected: string]>> = {
  own: ['200 with the created animal', 'status 200 with the animal'],
  created: ['the animal that was created', 'status 200 with that animal'],
  listed: ['the animal that was listed', 'status 200 with that animal'],
  requested: ['the animal that was created after a request for its id', 'status 200 with that animal'],
};

const idsTried = (statuses: readonly number[] | undefined): string => {
  if (statuses === undefined) return '';
  return statuses.length === 1 ? ' with 1 existing id' : ` with ${statuses.length} existing ids`;
};

/** The connection of a rejected request no longer works, because the server left a part of the request unread. */
type LeftUnread = WrongStatus & {
  /** The rejected request, in words. */
  readonly rejected: string;
  readonly rejectedWith: number;
};

const leftUnread = (unread: string) =>
  defineProblem<LeftUnread>({
    example: { rejected: 'POST /pets without a key', rejectedWith: 401, wrongStatus: 400 },
    saysBothSides: true,
    text: ({ rejected, rejectedWith, wrongStatus }) => ({
      message: `GET /pets after ${rejected} (${rejectedWith}) on the same connection: expected 200, got ${wrongStatus}. The unread ${unread} is parsed as the next request`,
      expected: 'status 200 as on a separate connection, or the connection closed after the rejection',
      actual: `status ${wrongStatus}`,
    }),
  });

/** Problems with statuses, and with no response at all. */
export const statusKinds = {
  status: defineProblem<WrongStatus & { allowed: readonly (number | '4xx')[]; because: string }>({
    example: { allowed: [201], because: 'the body is a valid NewPet', wrongStatus: 400 },
    saysBothSides: true,
    text: ({ allowed, because, wrongStatus }, seen) => {
      const expected = allowed.join(' or ');
      return {
        message: `${seen.request}: expected ${expected} (${because}), got ${wrongStatus}${despiteKey(seen, wrongStatus)}`,
        expected: `status ${expected}`,
        actual: shownStatus(seen.exchange),
      };
    },
    variant: ({ allowed }, statusText) => allowed.map(statusText).join(' or '),
  }),
  'server-error': defineProblem<WrongStatus>({
    example: { wrongStatus: 500 },
    text: ({ wrongStatus }, { request }) => ({
      message: `${request}: server error (${wrongStatus})`,
      expected: 'status below 500, whatever the request is',
      actual: `status ${wrongStatus}`,
    }),
  }),
  'undocumented-status': defineProblem<WrongStatus & { operation: string; documented: readonly string[] }>({
    example: { operation: 'createPet', documented: ['201', '400'], wrongStatus: 422 },
    saysBothSides: true,
    text: ({ operation, documented, wrongStatus }, { request, exchange }) => ({
      message: `${request}: expected a status that the document gives for ${operation} (${documented.join(', ')}), got ${wrongStatus}`,
      expected: `status ${documented.join(' or ')}`,
      actual: shownStatus(exchange),
    }),
  }),
  'no-response': defineProblem<{ failure: TransportFailure['kind']; detail: FailureDetail }>({
    example: { failure: 'reset', detail: { code: 'closed', bodyBytes: null } },
    saysBothSides: true,
    text: ({ failure, detail }, { request }) => ({
      message:
        failure === 'malformed'
          ? `${request}: expected a valid HTTP response: ${connectionText(detail)}`
          : `${request}: expected a response, got none: ${silenceText({ kind: failure, detail })}`,
      expected: 'a response',
      actual: connectionText(detail),
    }),
    variant: ({ failure }) => failure,
  }),
  /** A limit at its bounds is rejected, although the same filter succeeds without it. */
  'limit-rejected': defineProblem<WrongStatus & { limit: number | undefined; filter: string }>({
    example: { limit: 100, filter: 'available', wrongStatus: 400 },
    saysBothSides: true,
    text: ({ filter, limit, wrongStatus }) => ({
      message: `GET /pets with status=${filter} and limit=${limit}: expected 200 (as without limit), got ${wrongStatus}`,
      expected: 'status 200, as without limit',
      actual: `status ${wrongStatus}`,
    }),
  }),
  'scheme-case-sensitive': defineProblem<WrongStatus>({
    example: { wrongStatus: 401 },
    saysBothSides: true,
    text: ({ wrongStatus }) => ({
      message: `GET /pets with "Authorization: bearer <key>": expected 200, got ${wrongStatus}. Scheme names are case-insensitive (RFC 9110 11.1)`,
      expected: 'the same response as with "Bearer"',
      actual: `status ${wrongStatus}`,
    }),
  }),
  'operation-missing': defineProblem<WrongStatus>({
    example: { wrongStatus: 404 },
    saysBothSides: true,
    text: ({ wrongStatus }) => ({
      message: `GET /store/orders with a valid key: expected the operation to exist, got ${wrongStatus}`,
      expected: 'any status except 404, 405, and server errors (5xx)',
      actual: `status ${wrongStatus}`,
    }),
  }),
  /** `statuses`: the statuses for existing ids; absent: one response already says that the operation is removed. */
  'removed-too-early': defineProblem<WrongStatus & { statuses?: readonly number[] }>({
    example: { statuses: [410, 410], wrongStatus: 410 },
    saysBothSides: true,
    text: ({ statuses, wrongStatus }) => {
      const different = [...new Set(statuses ?? [wrongStatus])];
      return {
        message: `GET /pets/{petId}${idsTried(statuses)}: expected 200 until 5 December 2030, got ${different.join(' or ')}`,
        expected: 'status 200 for an existing id, until 5 December 2030',
        actual: `status ${different.join(', ')}`,
      };
    },
  }),
  'not-served': defineProblem<NotServed>({
    example: { id: 7n, known: 'created', input: 'a long name', wrongStatus: 404 },
    saysBothSides: true,
    text: ({ id, known, input, wrongStatus }, { exchange }) => {
      const [wanted, expected] = expectedAnimal[known];
      const how = input === undefined ? '' : ` with ${input}`;
      const message = `GET /pets/${id}: expected ${wanted}${how}, got ${wrongStatus}`;
      return { message, expected, actual: shownStatus(exchange) };
    },
  }),
  'body-left-unread': leftUnread('body of the POST'),
  'head-left-unread': leftUnread('rest of the GET'),
};
