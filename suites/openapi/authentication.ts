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
import { orReason } from './unsupported.ts';
import { plain } from './valid.ts';
import { invalidCredentials, misplacedCredentials, missingCredentials } from './wrong-credentials.ts';

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
  if (support.exercised === null) return support.reason;
  const { operation, mayGuess, authentic } = support.exercised;
  const { security } = operation;
  if (!needsKey(security)) return { code: 'not-documented', detail: 'key', operation: nameOf(operation) };
  // A client certificate comes with the connection.
  const mayNeedNone = security.some((schemes) => schemes.some(({ type }) => type === 'mutualTLS'));
  if (rejections(operation).length === 0 && mayNeedNone) return noRejection(operation);
  if (!authentic && !permissions.hasKey) return { code: 'no-key', detail: 'valid-key' };
  if (!authentic) return lackingCredential(support, permissions);
  if (!mayGuess) return { code: 'precondition', detail: 'not-own', operation: nameOf(operation) };
  return problemOf(support.exercised);
};

/** Why no request can be generated; null if one can. */
export const problemOf = (exercised: OperationUnderTest): CaseReason | null =>
  orReason(exercised, () => plain(exercised)).reason;

interface Case {
  readonly exercised: OperationUnderTest;
  readonly credential: Credential;
}

/** A requirement on wrong credentials, why they are wrong, and which they are. */
type Rejected = readonly [
  string,
  string,
  (exercised: OperationUnderTest, isThorough: boolean) => readonly Credential[],
];

const rejected: readonly Rejected[] = [
  ['AUTH-1', 'it carries no API key', missingCredentials],
  ['AUTH-2', 'the API key is invalid', invalidCredentials],
  ['AUTH-3', 'the document has the key in another place', misplacedCredentials],
];

/** AUTH-1 to AUTH-3, on the operations that need a key. An API without any has no such requirement. */
export const authenticationChecks = (
  supports: readonly Support[],
  permissions: RunPermissions,
  send: Sender,
): readonly Check[] => {
  if (permissions.otherApi && !supports.some(({ operation }) => needsKey(operation.security))) return [];
  const reasons = supports.map((support) => whyNotTestable(support, permissions));
  const judged = supports.flatMap(({ exercised }, index) =>
    reasons[index] === null ? (exercised ?? []) : [],
  );
  return rejected.map(([requirement, because, credentialsFor]) =>
    defineCheck<Case | Reason>({
      id: `${requirement.toLowerCase()}-every-operation`,
      title: 'every operation that requires a key',
      requirement,
      inputs: () => [
        ...judged.flatMap((exercised, index) =>
          credentialsFor(exercised, index < thoroughOperations).map((credential) => ({
            exercised,
            credential,
          })),
        ),
        ...reasons.filter((reason) => reason !== null),
      ],
      run: async (value, context) => {
        if ('code' in value) return context.inconclusive(value);
        const { exercised, credential } = value;
        const { operation } = exercised;
        if (context.run.removalState(operation) !== 'before')
          return context.inconclusive({
            code: 'after-removal',
            detail: 'operation',
            operation: nameOf(operation),
          });
        const expects = [expectation(requirement, because, exercised)];
        const meaning = { inputSpace: 'undocumented', credential, expects } as const;
        const { status } = await send(exercised, plain(exercised), context, meaning);
        if (status >= 300 && ![401, 403].includes(status) && rejections(operation).length === 0)
          context.inconclusive(noRejection(operation));
      },
    }),
  );
};
