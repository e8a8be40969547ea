import type { ProblemOf } from '../../oracle/problem.ts';
import type { StatusProblem } from '../../oracle/problems/status.ts';
import { connectionText } from './connection.ts';
import { shownStatus } from './requests.ts';
import type { Seen, Texts } from './texts.ts';

const failures: Readonly<Record<Exclude<ProblemOf<'no-response'>['failure'], 'malformed'>, string>> = {
  refused: 'the connection was refused',
  reset: 'the connection was dropped',
  timeout: 'no response in time',
  unreachable: 'the server could not be reached',
  aborted: 'the run was interrupted',
};

/** A 401 to a request with a valid key needs a note: it is about the key, not the body. */
const despiteKey = ({ probe }: Seen, status: number): string =>
  status === 401 && probe !== undefined && probe.request.credential.chargedTo !== null
    ? ', although the key is valid'
    : '';

const expectedAnimal: Readonly<
  Record<ProblemOf<'not-served'>['known'], readonly [message: string, expected: string]>
> = {
  own: ['200 with the created animal', 'status 200 with the animal'],
  created: ['the animal that was created', 'status 200 with that animal'],
  listed: ['the animal that was listed', 'status 200 with that animal'],
  requested: ['the animal that was created after a request for its id', 'status 200 with that animal'],
};

const idsTried = (statuses: readonly number[] | undefined): string => {
  if (statuses === undefined) return '';
  return statuses.length === 1 ? ' with 1 existing id' : ` with ${statuses.length} existing ids`;
};

const textOfUnread = (
  { rejected, rejectedWith, wrongStatus }: ProblemOf<'body-left-unread' | 'head-left-unread'>,
  unread: string,
): ReturnType<Texts<StatusProblem>['status']> => ({
  message: `GET /pets after ${rejected} (${rejectedWith}) on the same connection: expected 200, got ${wrongStatus}. The unread ${unread} is parsed as the next request`,
  expected: 'status 200 as on a separate connection, or the connection closed after the rejection',
  actual: `status ${wrongStatus}`,
});

/** The sentences about statuses, and about no response. */
export const statusTexts: Texts<StatusProblem> = {
  status: ({ allowed, because, wrongStatus }, seen) => {
    const expected = allowed.join(' or ');
    return {
      message: `${seen.request}: expected ${expected} (${because}), got ${wrongStatus}${despiteKey(seen, wrongStatus)}`,
      expected: `status ${expected}`,
      actual: shownStatus(seen.exchange),
    };
  },
  'server-error': ({ wrongStatus }, { request }) => ({
    message: `${request}: server error (${wrongStatus})`,
    expected: 'status below 500, whatever the request is',
    actual: `status ${wrongStatus}`,
  }),
  'undocumented-status': ({ operation, documented, wrongStatus }, { request, exchange }) => ({
    message: `${request}: expected a status that the document gives for ${operation} (${documented.join(', ')}), got ${wrongStatus}`,
    expected: `status ${documented.join(' or ')}`,
    actual: shownStatus(exchange),
  }),
  'no-response': ({ failure, detail }, { request }) => ({
    message:
      failure === 'malformed'
        ? `${request}: expected a valid HTTP response: ${connectionText(detail)}`
        : `${request}: expected a response, got none: ${failures[failure]}`,
    expected: 'a response',
    actual: connectionText(detail),
  }),
  'limit-rejected': ({ filter, limit, wrongStatus }) => ({
    message: `GET /pets with status=${filter} and limit=${limit}: expected 200 (as without limit), got ${wrongStatus}`,
    expected: 'status 200, as without limit',
    actual: `status ${wrongStatus}`,
  }),
  'scheme-case-sensitive': ({ wrongStatus }) => ({
    message: `GET /pets with "Authorization: bearer <key>": expected 200, got ${wrongStatus}. Scheme names are case-insensitive (RFC 9110 11.1)`,
    expected: 'the same response as with "Bearer"',
    actual: `status ${wrongStatus}`,
  }),
  'operation-missing': ({ wrongStatus }) => ({
    message: `GET /store/orders with a valid key: expected the operation to exist, got ${wrongStatus}`,
    expected: 'any status except 404, 405, and server errors (5xx)',
    actual: `status ${wrongStatus}`,
  }),
  'removed-too-early': ({ statuses, wrongStatus }) => {
    const different = [...new Set(statuses ?? [wrongStatus])];
    return {
      message: `GET /pets/{petId}${idsTried(statuses)}: expected 200 until 5 December 2030, got ${different.join(' or ')}`,
      expected: 'status 200 for an existing id, until 5 December 2030',
      actual: `status ${different.join(', ')}`,
    };
  },
  'not-served': ({ id, known, input, wrongStatus }, { exchange }) => {
    const [wanted, expected] = expectedAnimal[known];
    const how = input === undefined ? '' : ` with ${input}`;
    const message = `GET /pets/${id}: expected ${wanted}${how}, got ${wrongStatus}`;
    return { message, expected, actual: shownStatus(exchange) };
  },
  'body-left-unread': (problem) => textOfUnread(problem, 'body of the POST'),
  'head-left-unread': (problem) => textOfUnread(problem, 'rest of the GET'),
};
