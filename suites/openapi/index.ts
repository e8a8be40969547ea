import { type ApiDocument, isChosen, type Operation } from '../../src/check/document.ts';
import type { Check, Probe } from '../../src/check/index.ts';
import { type RunPermissions, withHelpers } from '../../src/check/permissions.ts';
import { rateLimitHeaders } from '../../src/check/rate-limits.ts';
import type { Suite } from '../../src/check/suite.ts';
import { authenticationChecks, problemOf } from './authentication.ts';
import { planCases } from './case-plan.ts';
import { divideCreations } from './creations.ts';
import { createKnownResources, type KnownResources } from './existing.ts';
import { acceptsInvalid } from './judged-requests.ts';
import { createLocalizer } from './localize.ts';
import { missingOperations } from './missing-operations.ts';
import { checksOf, skipped } from './operation-checks.ts';
import { hasPathParameters, isSafe, type OperationUnderTest, type Support, supportOf } from './operations.ts';
import { toProbe } from './request.ts';
import { flagsFor } from './schemes.ts';
import { senderOver } from './sender.ts';
import { resourceChecks } from './stateful.ts';
import { undocumentedMethods } from './undocumented-methods.ts';
import { orReason } from './unsupported.ts';
import { plain } from './valid.ts';

/** RATE-1 and RATE-2 are checked on every response whose headers the document declares. */
const rateLimitsDeclared = (operations: readonly Operation[]): readonly Check[] => {
  const isDeclared = operations.some(({ responses }) =>
    responses.some(({ headers }) =>
      Object.keys(headers).some((name) => rateLimitHeaders.includes(name.toLowerCase())),
    ),
  );
  if (isDeclared) return [];

  return [
    skipped(
      {
        id: 'rate-1-declared-headers',
        title: 'rate-limit headers of the document',
        requirement: 'RATE-1',
        covers: ['RATE-2'],
      },
      { code: 'not-documented', detail: 'rate-limit-headers' },
    ),
  ];
};

/** Resources are created, read, and changed before they are deleted, and parents are created before their children. */
const rankOf = ({ method, path }: Operation): number =>
  method === 'POST' ? path.split('{').length : 100 + ['PUT', 'PATCH', 'DELETE'].indexOf(method);

const supportsOf = (
  document: ApiDocument,
  operations: readonly Operation[],
  permissions: RunPermissions,
): readonly Support[] => operations.map((operation) => supportOf(document, operation, permissions));

/** A method that the document does not have may delete anything. */
const mayTryMethods = ({ loopback, risky, readOnly, choice }: RunPermissions): boolean =>
  loopback && risky && !readOnly && choice.only.length === 0 && choice.skip.length === 0;

/** About how many requests the checks of resources and of authentication send. */
const requestsOf = (resources: readonly Check[], usable: readonly OperationUnderTest[]): number => {
  const ofResources = resources.reduce(
    (sum, { cost }) => sum + (typeof cost === 'object' ? cost.requests : 1),
    0,
  );
  return ofResources + perScheme * usable.filter(({ schemes }) => schemes.length > 0).length;
};

/** Requests with wrong credentials of an operation. */
const perScheme = 7;

/** The checks for any API, from some operations of its document. */
export const generalChecks = (
  document: ApiDocument,
  operations: readonly Operation[],
  permissions: RunPermissions,
): readonly Check[] => {
  const supports = supportsOf(document, operations, permissions);
  const known = new Map(
    supportsOf(document, document.operations, withHelpers(permissions)).flatMap(({ operation, exercised }) =>
      exercised === null ? [] : [[operation.id, exercised] as const],
    ),
  );
  const helperAs = (operation: Operation | null) => {
    const found = operation === null ? undefined : known.get(operation.id);
    return found?.authentic === true ? found : null;
  };
  const localize = createLocalizer(() => existing);
  const existing: KnownResources = createKnownResources(document, helperAs, async (each, found, context) => {
    const ordinary = await localize(each, plain(each), context, found);
    return context.send(toProbe(each, ordinary, { found }));
  });
  const send = senderOver(existing, localize);
  const usable = supports.flatMap(({ exercised }) =>
    exercised !== null && problemOf(exercised) === null ? [exercised] : [],
  );
  const shares = divideCreations([...known.values()], permissions);
  const resources = permissions.otherApi
    ? resourceChecks({
        document,
        existing,
        localize,
        helperAs,
        exercisedAs: (operation) =>
          operation !== null && isChosen(permissions.choice, operation) ? helperAs(operation) : null,
      })
    : [];
  const plan = planCases(usable, requestsOf(resources, usable));
  return [
    ...supports
      .toSorted((a, b) => rankOf(a.operation) - rankOf(b.operation))
      .flatMap((support) => checksOf(support, { send, shares, permissions, plan })),
    ...authenticationChecks(supports, permissions, send),
    ...(permissions.otherApi
      ? [
          ...resources,
          acceptsInvalid(send, permissions),
          missingOperations(usable, send),
          ...(mayTryMethods(permissions) ? [undocumentedMethods(document, usable, existing)] : []),
        ]
      : []),
    ...(permissions.otherApi ? [] : rateLimitsDeclared(operations)),
  ];
};

/** Plain requests for the preflight, the least intrusive first: creations come last. */
export const firstRequests = (document: ApiDocument, permissions: RunPermissions): readonly Probe[] =>
  supportsOf(document, document.operations, permissions)
    .flatMap(({ exercised }) => exercised ?? [])
    .filter(({ operation, mayGuess }) => mayGuess && (isSafe(operation) || operation.method === 'POST'))
    .sort((a, b) => weight(a) - weight(b))
    .flatMap((exercised) => {
      const probe = orReason(exercised, () => toProbe(exercised, plain(exercised), { found: null }));
      return probe.reason === null ? [probe.value] : [];
    });

/** The flags that give credentials which operations of the document need and the run lacks. */
export const missingFlags = (document: ApiDocument, permissions: RunPermissions): readonly string[] => {
  const lacking = supportsOf(document, document.operations, permissions).filter(
    ({ exercised }) => exercised?.authentic === false,
  );
  return [...new Set(lacking.flatMap(({ operation }) => flagsFor(operation, permissions)))];
};

/** The maximal number of operations that are named as not testable. */
const mostNamed = 3;

/** Why no operation of the document can be sent; null if one can. */
export const whyNothingCanBeSent: Suite['whyNothingCanBeSent'] = (document, permissions) => {
  const all = supportsOf(document, document.operations, permissions).map(({ exercised, reason }) =>
    exercised === null ? reason : problemOf(exercised),
  );
  if (all.length === 0) return { code: 'run-ended', detail: 'no-operations' };
  const reasons = all.filter((reason) => reason !== null);
  if (reasons.length < all.length) return null;
  return {
    code: 'run-ended',
    detail: 'untestable-operations',
    reasons: reasons.slice(0, mostNamed),
    more: reasons.length - mostNamed,
  };
};

const weight = ({ operation }: OperationUnderTest): number =>
  (isSafe(operation) ? 0 : 1000) +
  (hasPathParameters(operation) ? 100 : 0) +
  operation.parameters.filter(({ required }) => required).length;
