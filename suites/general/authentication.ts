import { invalidKeys, noCredential, randomKey } from '../../src/client/credentials.ts';
import type { Credential } from '../../src/client/exchange.ts';
import type { Expectation } from '../../src/oracle/probe.ts';
import { anyCase, type Check } from '../../src/run/check.ts';
import type { Circumstances } from '../../src/run/circumstances.ts';
import { type Exercised, nameOf, type Standing } from './operations.ts';
import type { Sender } from './sender.ts';
import { plain } from './valid.ts';
import { documentProblem } from './values.ts';

type Case =
  | { readonly kind: 'refused'; readonly exercised: Exercised; readonly credential: Credential }
  | { readonly kind: 'undecided'; readonly reason: string };

const aRandomKey = randomKey('xyzzy-0123456789-plugh');
/** Near misses are tried in full on so many operations; the others share their code, mostly. */
const thoroughly = 3;
const typical: readonly Credential[] = [aRandomKey, ...invalidKeys.slice(1, 3)];

/** 401, or 403 where the document gives that and not 401. */
const refusals = ({ operation }: Exercised): readonly number[] => {
  const given = (status: string) => operation.responses.some((response) => response.status === status);
  return given('403') && !given('401') ? [401, 403] : [401];
};

const expectation = (requirement: string, because: string, exercised: Exercised): Expectation => ({
  requirement,
  statuses: refusals(exercised),
  because,
});

/** Why authentication cannot be judged on an operation; null: it can. */
const undecidable = (standing: Standing, { hasKey }: Circumstances): string | null => {
  if (standing.kind === 'left out') return standing.reason;
  const { operation, mayGuess } = standing.exercised;
  if (!operation.secured) return `${nameOf(operation)}: the document asks for no bearer token there`;
  if (!hasKey) return 'there is no valid key to judge by (--api-key)';
  if (!mayGuess) return `${nameOf(operation)}: it is not sent to what others may own`;
  return problemOf(standing.exercised);
};

/** What keeps every request from being made up; null: nothing does. */
export const problemOf = (exercised: Exercised): string | null => {
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
  standings: readonly Standing[],
  circumstances: Circumstances,
  { send, credentialsFor }: { send: Sender; credentialsFor(index: number): readonly Credential[] },
): Check<unknown> => {
  const reasons = standings.map((standing) => undecidable(standing, circumstances));
  const judged = standings.flatMap((standing, index) =>
    standing.kind === 'exercised' && reasons[index] === null ? [standing.exercised] : [],
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
  standings: readonly Standing[],
  circumstances: Circumstances,
  send: Sender,
): readonly Check<unknown>[] => [
  refusing('AUTH-1', 'it carries no API key', standings, circumstances, {
    send,
    credentialsFor: () => [noCredential],
  }),
  refusing('AUTH-2', 'its API key is invalid', standings, circumstances, {
    send,
    credentialsFor: (index) => (index < thoroughly ? [aRandomKey, ...invalidKeys] : typical),
  }),
];
