import { invalidKeys, noCredential, randomKey } from '../../src/client/credentials.ts';
import type { Credential } from '../../src/client/exchange.ts';
import type { Expectation } from '../../src/oracle/probe.ts';
import { anyCase, type Check } from '../../src/run/check.ts';
import type { Circumstances } from '../../src/run/circumstances.ts';
import { nameOf, type OperationUnderTest, type Support } from './operations.ts';
import type { Sender } from './sender.ts';
import { plain } from './valid.ts';
import { documentProblem } from './values.ts';

type Case =
  | { readonly kind: 'refused'; readonly exercised: OperationUnderTest; readonly credential: Credential }
  | { readonly kind: 'undecided'; readonly reason: string };

const aRandomKey = randomKey('xyzzy-0123456789-plugh');
/** Near misses are tried in full on so many operations; the others share their code, mostly. */
const thoroughly = 3;
const typical: readonly Credential[] = [aRandomKey, ...invalidKeys.slice(1, 3)];

/** 401, or 403 where the document gives that and not 401. */
const refusals = ({ operation }: OperationUnderTest): readonly number[] => {
  const given = (status: string) => operation.responses.some((response) => response.status === status);
  return given('403') && !given('401') ? [401, 403] : [401];
};

const expectation = (requirement: string, because: string, exercised: OperationUnderTest): Expectation => ({
  requirement,
  statuses: refusals(exercised),
  because,
});

/** Why authentication cannot be judged on an operation; null: it can. */
const undecidable = (support: Support, { hasKey }: Circumstances): string | null => {
  if (support.kind === 'left out') return support.reason;
  const { operation, mayGuess } = support.exercised;
  if (!operation.secured) return `${nameOf(operation)}: the document asks for no bearer token there`;
  if (!hasKey) return 'there is no valid key to judge by (--api-key)';
  if (!mayGuess) return `${nameOf(operation)}: it is not sent to what others may own`;
  return problemOf(support.exercised);
};

/** What keeps every request from being made up; null: nothing does. */
export const problemOf = (exercised: OperationUnderTest): string | null => {
  try {
    plain(exercised);
    return null;
  } catch (error) {
    const problem = documentProblem(error);
    if (problem === null) throw error;
    return `${nameOf(exercised.operation)}: ${problem}`;
  }
};

const refusing = (
  requirement: string,
  because: string,
  supports: readonly Support[],
  circumstances: Circumstances,
  { send, credentialsFor }: { send: Sender; credentialsFor(index: number): readonly Credential[] },
): Check<unknown> => {
  const reasons = supports.map((support) => undecidable(support, circumstances));
  const judged = supports.flatMap((support, index) =>
    support.kind === 'exercised' && reasons[index] === null ? [support.exercised] : [],
  );
  const cases: readonly Case[] = [
    ...judged.flatMap((exercised, index) =>
      credentialsFor(index).map((credential): Case => ({ kind: 'refused', exercised, credential })),
    ),
    ...reasons.filter((reason) => reason !== null).map((reason): Case => ({ kind: 'undecided', reason })),
  ];
  return anyCase<Case>({
    name: `${requirement} every operation of the document that needs a bearer token`,
    gives: [requirement],
    phase: 'main',
    examples: () => cases,
    attempt: async (value, context) => {
      if (value.kind === 'undecided') return context.undecided(requirement, value.reason);
      const { exercised, credential } = value;
      if (context.fixtures.removal(exercised.operation) !== 'before')
        return context.undecided(requirement, `${nameOf(exercised.operation)} is removed`);
      const expects = [expectation(requirement, because, exercised)];
      await send(exercised, plain(exercised), context, { space: 'outside', credential, expects });
    },
  });
};

/** AUTH-1 and AUTH-2, on the operations that need a bearer token. */
export const authenticationChecks = (
  supports: readonly Support[],
  circumstances: Circumstances,
  send: Sender,
): readonly Check<unknown>[] => [
  refusing('AUTH-1', 'it carries no API key', supports, circumstances, {
    send,
    credentialsFor: () => [noCredential],
  }),
  refusing('AUTH-2', 'its API key is invalid', supports, circumstances, {
    send,
    credentialsFor: (index) => (index < thoroughly ? [aRandomKey, ...invalidKeys] : typical),
  }),
];
