import { anonymous, type Credential, type KeyScheme, keyUnder } from '../../src/check/credentials.ts';
import type { ApiDocument, Operation, SecurityScheme } from '../../src/check/document.ts';
import type { Reason } from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import { formOf } from '../../src/check/schemas.ts';

/** An operation that requests are sent to. */
export interface OperationUnderTest {
  readonly document: ApiDocument;
  readonly operation: Operation;
  readonly credential: Credential;
  /** The run has the credential that the document requires. Without it only a rejection can be expected. */
  readonly authentic: boolean;
  /** How the key is sent. Null: no key is needed, or the key of the run does not fit. */
  readonly keyScheme: KeyScheme | null;
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
  if (reason !== null) return { kind: 'left out', operation, reason };
  const keyScheme = keySchemeOf(operation);
  const credential = credentialFor(operation, permissions.hasKey ? keyScheme : null);
  return {
    kind: 'exercised',
    exercised: {
      document,
      operation,
      credential: credential ?? anonymous,
      authentic: credential !== null,
      keyScheme,
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
  const { method, requestBody, problem } = operation;
  const named = { operation: nameOf(operation) };
  if (problem !== null) return { code: 'not-documented', detail: 'schema', ...named, problem };

  if (!['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
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

/** How a scheme takes a key; null: in another way. OAuth and OpenID Connect send bearer tokens, too (RFC 6750). */
const keySchemeFor = ({ type, scheme, parameter }: SecurityScheme): KeyScheme | null => {
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'bearer' };
  if (type === 'http' && (scheme === 'bearer' || scheme === 'basic')) return { kind: scheme };
  if (parameter === null || (parameter.in !== 'header' && parameter.in !== 'query')) return null;
  return { kind: parameter.in, name: parameter.name };
};

/** How an operation takes one key, a bearer token if possible; null: it takes none, or more than one. */
const keySchemeOf = ({ security }: Operation): KeyScheme | null => {
  const schemes = security
    .map((together) => together.map(keySchemeFor))
    .flatMap(([first = null, ...others]) =>
      first !== null && others.every((each) => each?.kind === 'bearer' && first.kind === 'bearer')
        ? [first]
        : [],
    );
  return schemes.find(({ kind }) => kind === 'bearer') ?? schemes[0] ?? null;
};

/** No credential if none is needed, the key if it fits, or null if the run has no suitable credential. */
const credentialFor = ({ security }: Operation, scheme: KeyScheme | null): Credential | null => {
  if (security.length === 0) return anonymous;
  if (scheme !== null) return keyUnder(scheme);
  return security.some((schemes) => schemes.length === 0) ? anonymous : null;
};
