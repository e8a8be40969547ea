import { anonymous, bearer, type Credential } from '../../src/check/credentials.ts';
import {
  type ApiDocument,
  isJsonType,
  type Operation,
  type SecurityScheme,
} from '../../src/check/document.ts';
import type { Reason } from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';

/** An operation that requests are sent to. */
export interface OperationUnderTest {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly credential: Credential;
  /** The run has the credential that the document requires. Without it only a rejection can be expected. */
  readonly authentic: boolean;
  /** Ids in its path may be invented. */
  readonly mayGuess: boolean;
}

/** An operation of the document, and why it is not tested, if it is not. */
export type Support =
  | { readonly kind: 'exercised'; readonly exercised: OperationUnderTest }
  | { readonly kind: 'left out'; readonly operation: Operation; readonly reason: Reason };

/** RFC 9110, 9.2.1, of the methods that the suite sends. */
export const isSafe = ({ method }: Pick<Operation, 'method'>): boolean => ['GET', 'HEAD'].includes(method);

/** Adds resources, and removes none. */
const adds = ({ method }: Operation): boolean => method === 'POST';

export const hasPathParameters = ({ path }: Pick<Operation, 'path'>): boolean => path.includes('{');

/** The body is JSON. */
export const sendsBody = ({ requestBody, method }: Operation): boolean =>
  requestBody !== null && !isSafe({ method }) && (requestBody.required || isJsonType(requestBody.mediaType));

/** Returns how an operation can be tested, or why it is not tested. */
export const supportOf = (
  document: ApiDocument,
  operation: Operation,
  permissions: RunPermissions,
): Support => {
  const { loopback, risky } = permissions;
  const mayGuess =
    isSafe(operation) || (adds(operation) && !hasPathParameters(operation)) || (loopback && risky);
  const reason = reasonToLeaveOut(document, operation, permissions, mayGuess);
  if (reason !== null)
    return {
      kind: 'left out',
      operation,
      reason,
    };
  const credential = credentialFor(operation, permissions.hasKey);
  return {
    kind: 'exercised',
    exercised: {
      document,
      operation,
      credential: credential ?? anonymous,
      authentic: credential !== null,
      mayGuess,
    },
  };
};

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

const reasonToLeaveOut = (
  document: ApiDocument,
  operation: Operation,
  { readOnly, risky }: RunPermissions,
  mayGuess: boolean,
): Reason | null => {
  const { method, requestBody } = operation;
  const named = { operation: nameOf(operation) };

  if (!['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    return { code: 'not-documented', detail: 'method', ...named };
  if (!isSafe(operation) && readOnly) return { code: 'read-only', detail: 'changes', ...named };
  if (!isSafe(operation) && !adds(operation) && !risky)
    return { code: 'needs-risky', detail: 'changes', ...named };
  if (!mayGuess && creatorOf(document, operation) === null)
    return { code: 'needs-risky', detail: 'changes-of-others', ...named };
  if (sendsBody(operation) && !isJsonType(requestBody?.mediaType ?? null))
    return {
      code: 'not-documented',
      detail: 'media-type',
      ...named,
      mediaType: requestBody?.mediaType ?? '',
    };
  return null;
};

/** The collection of a path parameter: `/todos` for the first one of `/todos/{id}/notes`. */
export const collectionOf = (path: string, parameter: string): string =>
  path.slice(0, path.indexOf(`{${parameter}}`)).replace(/\/$/, '');

export const operationAt = (document: ApiDocument, method: string, path: string): Operation | null =>
  document.operations.find((operation) => operation.method === method && operation.path === path) ?? null;

export const pathParameters = ({ path }: Pick<Operation, 'path'>): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/** The operation that creates the resource of the last path parameter, if there is one. */
const creatorOf = (document: ApiDocument, operation: Operation): Operation | null => {
  const last = pathParameters(operation).at(-1);
  return last === undefined ? null : operationAt(document, 'POST', collectionOf(operation.path, last));
};

/** OAuth and OpenID Connect send bearer tokens, too (RFC 6750). */
const takesBearer = ({ type, scheme }: SecurityScheme): boolean =>
  (type === 'http' && scheme === 'bearer') || type === 'oauth2' || type === 'openIdConnect';

/** No credential if none is needed, the key as a bearer token if that is accepted, or null if the run has no suitable credential. */
const credentialFor = ({ security }: Operation, hasKey: boolean): Credential | null => {
  if (security.length === 0) return anonymous;
  const [bearerOnly] = security.filter((schemes) => schemes.length > 0 && schemes.every(takesBearer));
  if (bearerOnly !== undefined && hasKey) return bearer('main');
  return security.some((schemes) => schemes.length === 0) ? anonymous : null;
};
