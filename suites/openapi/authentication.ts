import type { Credential } from '../../src/check/credentials.ts';
import type { Operation } from '../../src/check/document.ts';
import {
  type CaseReason,
  type Check,
  defineCheck,
  type Expectation,
  type Reason,
} from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import { nameOf, type OperationUnderTest, type Support } from './operations.ts';
import { lackingCredential } from './schemes.ts';
import type { Sender } from './sender.ts';
import { plain } from './valid.ts';
import { unsupportedSchema } from './values.ts';
import { invalidCredentials, misplacedCredentials, missingCredentials } from './wrong-credentials.ts';

type Case =
  | { readonly kind: 'rejected'; readonly exercised: OperationUnderTest; readonly credential: Credential }
  | { readonly kind: 'inconclusive'; readonly reason: Reason };

/** How many operations get every near miss: the others usually share their code. */
const thoroughOperations = 3;

/** Schemes of the Authorization header. */
const authorizing: readonly string[] = ['http', 'oauth2', 'openIdConnect'];

/**
 * The Authorization header implies 401 (RFC 9110 15.5.2), and 403 if the document has that instead. If an operation can do without that
 * header, only the document says which status comes.
 */
const rejections = ({ responses, security }: Operation): readonly number[] => {
  const isDocumented = (status: number) => responses.some((response) => response.status === `${status}`);
  const isImplied = security.every((schemes) => schemes.some(({ type }) => authorizing.includes(type)));
  if (!isImplied) return [401, 403].filter(isDocumented);
  return isDocumented(403) && !isDocumented(401) ? [401, 403] : [401];
};

/** If the document does not say which status comes, only a success is a failure: the document requires a credential. */
const expectation = (
  requirement: string,
  because: string,
  { operation }: OperationUnderTest,
): Expectation => {
  const statuses = rejections(operation);
  if (statuses.length > 0) return { requirement, statuses, because };
  return { requirement, statuses: [401, 403], because, unless: ({ status }) => status >= 300 };
};

const noRejection = (operation: Operation): Reason => ({
  code: 'not-documented',
  detail: 'rejection',
  operation: nameOf(operation),
});

const needsKey = (security: Operation['security']): boolean =>
  security.length > 0 && security.every((schemes) => schemes.length > 0);

/** Why authentication cannot be tested on an operation; null if it can. */
const whyNotTestable = (support: Support, permissions: RunPermissions): Reason | null => {
  if (support.kind === 'left out') return support.reason;
  const { operation, mayGuess } = support.exercised;
  const { security } = operation;
  if (!needsKey(security)) return { code: 'not-documented', detail: 'key', operation: nameOf(operation) };
  // A client certificate comes with the connection.
  const mayNeedNone = security.some((schemes) => schemes.some(({ type }) => type === 'mutualTLS'));
  if (rejections(operation).length === 0 && mayNeedNone) return noRejection(operation);
  if (!support.exercised.authentic && !permissions.hasKey) return { code: 'no-key', detail: 'valid-key' };
  if (!support.exercised.authentic) return lackingCredential(support.exercised, permissions);
  if (!mayGuess) return { code: 'precondition', detail: 'not-own', operation: nameOf(operation) };
  return problemOf(support.exercised);
};

/** Why no request can be generated; null if one can. */
export const problemOf = (exercised: OperationUnderTest): CaseReason | null => {
  try {
    plain(exercised);
    return null;
  } catch (error) {
    return unsupportedSchema(error, exercised.operation);
  }
};

const rejecting = (
  requirement: string,
  because: string,
  supports: readonly Support[],
  permissions: RunPermissions,
  {
    send,
    credentialsFor,
  }: { send: Sender; credentialsFor(exercised: OperationUnderTest, index: number): readonly Credential[] },
): Check => {
  const reasons = supports.map((support) => whyNotTestable(support, permissions));
  const judged = supports.flatMap((support, index) =>
    support.kind === 'exercised' && reasons[index] === null ? [support.exercised] : [],
  );
  const cases: readonly Case[] = [
    ...judged.flatMap((exercised, index) =>
      credentialsFor(exercised, index).map(
        (credential): Case => ({ kind: 'rejected', exercised, credential }),
      ),
    ),
    ...reasons.filter((reason) => reason !== null).map((reason): Case => ({ kind: 'inconclusive', reason })),
  ];
  return defineCheck<Case>({
    id: `${requirement.toLowerCase()}-every-operation`,
    title: 'every operation that requires a key',
    requirement,
    inputs: () => cases,
    run: async (value, context) => {
      if (value.kind === 'inconclusive') return context.inconclusive(value.reason, requirement);
      const { exercised, credential } = value;
      if (context.run.removalState(exercised.operation) !== 'before')
        return context.inconclusive(
          { code: 'after-removal', detail: 'operation', operation: nameOf(exercised.operation) },
          requirement,
        );
      const expects = [expectation(requirement, because, exercised)];
      const meaning = { inputSpace: 'undocumented', credential, expects } as const;
      const { status } = await send(exercised, plain(exercised), context, meaning);
      if (status >= 300 && ![401, 403].includes(status) && rejections(exercised.operation).length === 0)
        context.inconclusive(noRejection(exercised.operation), requirement);
    },
  });
};

/** AUTH-1 to AUTH-3, on the operations that need a key. An API without any has no such requirement. */
export const authenticationChecks = (
  supports: readonly Support[],
  permissions: RunPermissions,
  send: Sender,
): readonly Check[] =>
  permissions.otherApi && !supports.some((support) => needsKey(securityOf(support)))
    ? []
    : rejectingChecks(supports, permissions, send);

const securityOf = (support: Support): Operation['security'] =>
  support.kind === 'exercised' ? support.exercised.operation.security : support.operation.security;

const rejectingChecks = (
  supports: readonly Support[],
  permissions: RunPermissions,
  send: Sender,
): readonly Check[] => [
  rejecting('AUTH-1', 'it carries no API key', supports, permissions, {
    send,
    credentialsFor: missingCredentials,
  }),
  rejecting('AUTH-2', 'the API key is invalid', supports, permissions, {
    send,
    credentialsFor: (exercised, index) => invalidCredentials(exercised, index < thoroughOperations),
  }),
  rejecting('AUTH-3', 'the document has the key in another place', supports, permissions, {
    send,
    credentialsFor: misplacedCredentials,
  }),
];
