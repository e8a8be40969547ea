import { bearer, noCredential } from '../../src/client/credentials.ts';
import type { Credential } from '../../src/client/exchange.ts';
import type { ApiDocument, Operation, SecurityScheme } from '../../src/document/api-document.ts';
import { isJsonType, plainMediaType } from '../../src/document/described.ts';
import type { Circumstances } from '../../src/run/circumstances.ts';

/** An operation that requests are sent to. */
export interface OperationUnderTest {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly credential: Credential;
  /** The credential is what the document asks for; without it nothing but a refusal is to be expected. */
  readonly authentic: boolean;
  /** It may be sent to what nobody said exists: ids of its path may be made up. */
  readonly mayGuess: boolean;
}

/** An operation of the document, and why it is left out, if it is. */
export type Support =
  | { readonly kind: 'exercised'; readonly exercised: OperationUnderTest }
  | { readonly kind: 'left out'; readonly operation: Operation; readonly reason: string };

/** RFC 9110, 9.2.1, of the methods that the suite sends. */
export const isSafe = ({ method }: Pick<Operation, 'method'>): boolean => ['GET', 'HEAD'].includes(method);

/** Adds, and takes nothing away. */
const adds = ({ method }: Operation): boolean => method === 'POST';

export const hasPathParameters = ({ path }: Pick<Operation, 'path'>): boolean => path.includes('{');

/** The body that is sent is JSON, or none. */
export const sendsBody = ({ requestBody, method }: Operation): boolean =>
  requestBody !== null &&
  !isSafe({ method }) &&
  (requestBody.required || isJsonType(plainMediaType(requestBody.mediaType)));

/** What an operation can be sent with, or why it is not sent at all. */
export const supportOf = (
  document: ApiDocument,
  operation: Operation,
  circumstances: Circumstances,
): Support => {
  const { loopback, risky } = circumstances;
  const mayGuess =
    isSafe(operation) || (adds(operation) && !hasPathParameters(operation)) || (loopback && risky);
  const reason = reasonToLeaveOut(document, operation, circumstances, mayGuess);
  if (reason !== null) return { kind: 'left out', operation, reason: `${nameOf(operation)}: ${reason}` };
  const credential = credentialFor(operation, circumstances.hasKey);
  return {
    kind: 'exercised',
    exercised: {
      document,
      operation,
      credential: credential ?? noCredential,
      authentic: credential !== null,
      mayGuess,
    },
  };
};

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

const reasonToLeaveOut = (
  document: ApiDocument,
  operation: Operation,
  { readOnly, risky }: Circumstances,
  mayGuess: boolean,
): string | null => {
  const { method, requestBody } = operation;
  if (!['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    return 'the suite does not send this method';
  if (!isSafe(operation) && readOnly) return 'it may change something (--read-only)';
  if (!isSafe(operation) && !adds(operation) && !risky)
    return 'it changes or deletes what stands there (--risky)';
  if (!mayGuess && creatorOf(document, operation) === null)
    return 'it would change what this run did not create, which is done on loopback targets only (--risky)';
  if (sendsBody(operation) && !isJsonType(plainMediaType(requestBody?.mediaType ?? '')))
    return `its body is ${requestBody?.mediaType}, and the suite writes JSON`;
  return null;
};

/** `/todos` for `/todos/{id}/notes` and the first path parameter: where what the parameter names is listed and created. */
export const collectionOf = (path: string, parameter: string): string =>
  path.slice(0, path.indexOf(`{${parameter}}`)).replace(/\/$/, '');

export const operationAt = (document: ApiDocument, method: string, path: string): Operation | null =>
  document.operations.find((operation) => operation.method === method && operation.path === path) ?? null;

export const pathParameters = ({ path }: Pick<Operation, 'path'>): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/** The operation that creates what the last path parameter names, where there is one. */
const creatorOf = (document: ApiDocument, operation: Operation): Operation | null => {
  const last = pathParameters(operation).at(-1);
  return last === undefined ? null : operationAt(document, 'POST', collectionOf(operation.path, last));
};

/** Tokens of OAuth and OpenID Connect are presented as bearer tokens too (RFC 6750). */
const takesBearer = ({ type, scheme }: SecurityScheme): boolean =>
  (type === 'http' && scheme === 'bearer') || type === 'oauth2' || type === 'openIdConnect';

/** None needed, the key as a bearer token where that will do, or null: the operation asks for what the run does not have. */
const credentialFor = ({ security }: Operation, hasKey: boolean): Credential | null => {
  if (security.length === 0) return noCredential;
  const [bearerOnly] = security.filter((schemes) => schemes.length > 0 && schemes.every(takesBearer));
  if (bearerOnly !== undefined && hasKey) return bearer('main');
  return security.some((schemes) => schemes.length === 0) ? noCredential : null;
};
