import { defineProblem, type ProblemKind, type ProblemText, type Seen } from './define-problem.ts';
import { animalKinds } from './kinds/animals.ts';
import { bodyKinds } from './kinds/body.ts';
import { countingKinds } from './kinds/counting.ts';
import { deprecationKinds } from './kinds/deprecation.ts';
import { domainKinds } from './kinds/domains.ts';
import { headerKinds } from './kinds/headers.ts';
import { limitKinds } from './kinds/limits.ts';
import { listKinds } from './kinds/lists.ts';
import { missingKinds } from './kinds/missing-from-list.ts';
import { requestKinds } from './kinds/requests.ts';
import { resourceKinds } from './kinds/resources.ts';
import { statusKinds } from './kinds/status.ts';

/** A problem that a user's check found, in its own words. `code` distinguishes its causes. */
interface OwnProblem {
  readonly code: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** All kinds of problems, by their permanent codes. */
export const problemKinds = {
  ...statusKinds,
  ...bodyKinds,
  ...animalKinds,
  ...listKinds,
  ...missingKinds,
  ...headerKinds,
  ...deprecationKinds,
  ...countingKinds,
  ...limitKinds,
  ...resourceKinds,
  ...requestKinds,
  ...domainKinds,
  'own-check': defineProblem<OwnProblem>({
    example: { code: 'no-name', message: 'Name missing', expected: 'a name', actual: 'no name' },
    text: ({ message, expected, actual }) => ({ message, expected, actual }),
  }),
};

/** A permanent code in kebab case, for example `header-missing`. */
export type RuleCode = keyof typeof problemKinds;

/** The facts of a problem of this kind. */
export type FactsOf<R extends RuleCode> = (typeof problemKinds)[R]['example'];

/** The problems of the given rules. */
export type ProblemOf<R extends RuleCode> = R extends RuleCode ? { readonly rule: R } & FactsOf<R> : never;

/** What is wrong with an exchange, as facts. `rule` is its permanent code. */
export type Problem = ProblemOf<RuleCode>;

const kinds: { readonly [R in RuleCode]: ProblemKind<FactsOf<R>> } = problemKinds;

const textOf = <R extends RuleCode>(rule: R, facts: FactsOf<R>, seen: Seen): ProblemText =>
  kinds[rule].text(facts, seen);

/** What is wrong with an exchange, in words. */
export const problemText = (problem: Problem, seen: Seen): ProblemText => textOf(problem.rule, problem, seen);

type StatusText = (status: number | '4xx') => string;

const variantOf = <R extends RuleCode>(rule: R, facts: FactsOf<R>, statusText: StatusText) =>
  kinds[rule].variant?.(facts, statusText);

/** Distinguishes the causes of failures of one requirement and operation. */
export interface CauseKey {
  /** The rule, or the code of a user's check. */
  readonly rule: string;
  /** Distinguishes causes of one rule, for example `X-RateLimit-Limit on 429`. */
  readonly variant: string | undefined;
  /** The status, if the status is wrong. */
  readonly wrongStatus: number | undefined;
}

/** Returns the key that failures of one requirement and operation share if they have the same cause. */
export const causeOf = (problem: Problem, statusText: StatusText = String): CauseKey => ({
  rule: problem.rule === 'own-check' ? problem.code : problem.rule,
  variant: variantOf(problem.rule, problem, statusText),
  wrongStatus: 'wrongStatus' in problem ? (problem.wrongStatus ?? undefined) : undefined,
});

/** Success is one status here, because operations have different ones. */
const anySuccess: StatusText = (status) =>
  typeof status === 'number' && status >= 200 && status < 300 ? '2xx' : String(status);

/** Returns the key of failures that are probably one bug of several operations. */
export const likenessOf = (problem: Problem): string => {
  const { rule, variant, wrongStatus } = causeOf(problem, anySuccess);
  const { headers = [], members = [] } = wrongParts(problem);
  const status = wrongStatus === undefined ? undefined : anySuccess(wrongStatus);
  return [rule, variant, status, ...headers, ...members].filter((part) => part !== undefined).join(', ');
};

/** The wrong parts of a response. */
export interface WrongParts {
  /** Names of wrong header fields. */
  readonly headers?: readonly string[];
  /** Names of wrong JSON members; absent: none, or the body as a whole. */
  readonly members?: readonly string[];
}

const partsOf = <R extends RuleCode>(rule: R, facts: FactsOf<R>): Required<WrongParts> => ({
  headers: kinds[rule].headers?.(facts) ?? [],
  members: kinds[rule].members?.(facts) ?? [],
});

/** Returns the headers and members that a problem is about. */
export const wrongParts = (problem: Problem): WrongParts => {
  const { headers, members } = partsOf(problem.rule, problem);
  return { ...(headers.length === 0 ? {} : { headers }), ...(members.length === 0 ? {} : { members }) };
};

/** Tells whether the message of a problem contains what is expected and what came instead. */
export const saysBothSides = (rule: RuleCode): boolean => kinds[rule].saysBothSides === true;
