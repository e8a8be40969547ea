import { withoutSlash } from '../../src/check/creations.ts';
import { anonymous, type Credential } from '../../src/check/credentials.ts';
import { type ApiDocument, isChosen, type Operation } from '../../src/check/document.ts';
import type { CaseReason } from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import { formOf } from '../../src/check/schemas.ts';
import { authenticationOn, type MetScheme } from './schemes.ts';

/** An operation that requests are sent to. */
export interface OperationUnderTest {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly credential: Credential;
  /** The run has the credential that the document requires. Without it only a rejection can be expected. */
  readonly authentic: boolean;
  /** The schemes that the credential meets; empty: none is needed, or the run has no suitable one. */
  readonly schemes: readonly MetScheme[];
  /** Ids in its path may be invented. */
  readonly mayGuess: boolean;
  /** Statuses that are about the state of the server, so the document need not have them. */
  readonly stateStatuses: readonly number[];
}

/** An operation of the document, and why it is not tested, if it is not. */
export type Support =
  | { readonly operation: Operation; readonly exercised: OperationUnderTest; readonly reason: null }
  | { readonly operation: Operation; readonly exercised: null; readonly reason: CaseReason };

/** RFC 9110, 9.2.1, of the methods that the suite sends. */
export const isSafe = ({ method }: Pick<Operation, 'method'>): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Adds resources, and removes none. */
const adds = ({ method }: Operation): boolean => method === 'POST';

export const hasPathParameters = ({ path }: Pick<Operation, 'path'>): boolean => path.includes('{');

/** A body can be written, or must be sent. */
export const sendsBody = ({ requestBody, method }: Operation): boolean =>
  requestBody !== null &&
  !isSafe({ method }) &&
  (requestBody.required || formOf(requestBody.mediaType) !== null);

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
  if (reason !== null) return { operation, exercised: null, reason };
  const authentication = authenticationOn(operation, permissions);
  const exercised = {
    document,
    operation,
    credential: authentication?.credential ?? anonymous,
    authentic: authentication !== null,
    schemes: authentication?.schemes ?? [],
    mayGuess,
    stateStatuses: stateStatusesOf(operation, permissions),
  };
  return { operation, exercised, reason: null };
};

/**
 * Refusals that the schemas of a request cannot rule out: a resource that is missing, taken, or in another state, and rules of the business.
 * OpenAPI does not expect every status in the document, and frameworks write only the one of their validation.
 */
const stateStatusesOf = (
  { responses, security }: Operation,
  { otherApi, strictStatuses }: RunPermissions,
): readonly number[] => {
  if (!otherApi || strictStatuses) return [];
  const has = (status: number) => responses.some((response) => response.status === `${status}`);
  return [
    ...[404, 409, 412, 423, 428],
    // Two statuses for what is missing: the document has one of them.
    ...(has(404) ? [] : [410]),
    ...(has(400) ? [422] : []),
    ...(has(422) ? [400] : []),
    // Credentials in the body may be wrong.
    ...(security.length === 0 ? [401, 403] : []),
  ];
};

/** A case ends without a resource of the path. */
export const noResource = (operation: Operation): CaseReason => ({
  code: 'precondition',
  detail: 'no-resource',
  operation: nameOf(operation),
});

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

const reasonToLeaveOut = (
  document: ApiDocument,
  operation: Operation,
  { readOnly, risky, choice }: RunPermissions,
  mayGuess: boolean,
): CaseReason | null => {
  const { method, requestBody, problem } = operation;
  const named = { operation: nameOf(operation) };
  if (!isChosen(choice, operation)) return { code: 'not-selected', detail: 'operation', ...named };
  if (problem !== null) return { code: 'not-documented', detail: 'schema', ...named, problem };

  if (!isSafe(operation) && !['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    return { code: 'not-documented', detail: 'method', ...named };
  if (!isSafe(operation) && readOnly) return { code: 'read-only', detail: 'changes', ...named };
  if (!isSafe(operation) && !adds(operation) && !risky)
    return { code: 'needs-risky', detail: 'changes', ...named };
  if (!mayGuess && creatorOf(document, operation) === null)
    return { code: 'needs-risky', detail: 'changes-of-others', ...named };
  if (sendsBody(operation) && formOf(requestBody?.mediaType ?? '') === null)
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
  withoutSlash(path.slice(0, path.indexOf(`{${parameter}}`)));

/** The operation at a path, whether or not it ends in a slash. */
export const operationAt = ({ operations }: ApiDocument, method: string, path: string): Operation | null => {
  const ofMethod = operations.filter((operation) => operation.method === method);
  return (
    ofMethod.find((operation) => operation.path === path) ??
    ofMethod.find((operation) => withoutSlash(operation.path) === withoutSlash(path)) ??
    null
  );
};

export const pathParameters = ({ path }: Pick<Operation, 'path'>): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);

/** The operation that creates the resource of the last path parameter, if there is one. */
const creatorOf = (document: ApiDocument, operation: Operation): Operation | null => {
  const last = pathParameters(operation).at(-1);
  return last === undefined ? null : operationAt(document, 'POST', collectionOf(operation.path, last));
};
