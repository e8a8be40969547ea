import type { Parts, Rejection, RejectionText } from './parts.ts';
import { jsonReply } from './reply.ts';

/** The document does not specify `code` values: these are ours. */
const problems: Readonly<Record<Rejection, RejectionText>> = {
  unauthenticated: { status: 401, code: 'unauthorized', message: 'The API key is missing or invalid' },
  'unknown-resource': { status: 404, code: 'not_found', message: 'There is no such resource' },
  'method-not-allowed': {
    status: 405,
    code: 'method_not_allowed',
    message: 'The resource has no such method',
  },
  'unknown-pet': { status: 404, code: 'not_found', message: 'There is no animal with this id' },
  removed: { status: 410, code: 'gone', message: 'The operation was removed on 5 December 2030' },
  'invalid-parameter': { status: 400, code: 'invalid_parameter', message: 'A parameter is invalid' },
  'invalid-body': { status: 400, code: 'invalid_body', message: 'The body is no valid NewPet' },
  'body-too-large': { status: 413, code: 'body_too_large', message: 'The body is larger than 1 MB' },
  unreadable: { status: 400, code: 'bad_request', message: 'The request cannot be read' },
  'rate-limited': { status: 429, code: 'rate_limited', message: 'The rate limit is exceeded' },
  banned: {
    status: 429,
    code: 'banned',
    message: 'The API key is banned for a time: it kept sending requests while it was to wait',
  },
};

/** Section "Errors": every rejected request gets an Error. */
export const problemParts = {
  problems,
  renderError: ({ status, code, message }) => ({ code, message, status: BigInt(status) }),
  fail: (problem, call, detail) => {
    const text = call.parts.problems[problem];
    const message = detail === undefined ? text.message : `${text.message}: ${detail}`;
    return jsonReply(text.status, call.parts.renderError({ ...text, message }, call));
  },
} satisfies Partial<Parts>;
