import type { Breach } from './finding.ts';
import type { Problem, ProblemOf, RuleCode } from './problem.ts';
import type { SchemaMistake } from './problems/body.ts';

/** Distinguishes the causes of failures of one requirement and operation. */
export interface CauseKey {
  /** The rule, or the code of a user's check. */
  readonly rule: string;
  /** Distinguishes causes of one rule, for example `X-RateLimit-Limit on 429`. */
  readonly variant: string | undefined;
  /** The status, if the status is wrong. */
  readonly wrongStatus: number | undefined;
}

/** Replaces list indices in a pointer, because `/12/id` and `/3/id` have the same cause. */
export const schemaPosition = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

const mistakeOf = ([first]: readonly SchemaMistake[]): string =>
  `${first?.keyword ?? ''} ${schemaPosition(first?.pointer ?? '')}`;

const ofMissingAnimal = (problem: ProblemOf<'missing-from-list'>): string | undefined => {
  if (problem.in === 'page') return problem.status === null ? 'short page' : 'short page by status';
  if (problem.in === 'list of exact limit') return 'limit equals count';
  if (problem.in !== 'list after creation') return 'by status';
  const { page, status } = problem.list;
  return page === 'default' ? 'default page' : status === undefined ? undefined : 'by status';
};

const ofMember = (problem: ProblemOf<'member-differs'>): string => {
  if (problem.in === 'categoryId') return 'categoryId';
  return problem.in === 'get as listed' ? `${problem.member} as listed` : problem.member;
};

const ofMissingHeader = (problem: ProblemOf<'header-missing'>): string | undefined => {
  if (problem.of === 'rate limit') return `${problem.missing.join(', ')} on ${problem.status}`;
  return problem.of === 'document' ? problem.name : undefined;
};

const enforcement: Readonly<Record<ProblemOf<'limit-not-enforced'>['in'], string | undefined>> = {
  'every operation': 'every operation',
  window: undefined,
  'Remaining 0': 'Remaining 0',
  minute: 'window too short',
};

type Variants = { readonly [R in RuleCode]?: (problem: ProblemOf<R>) => string | undefined };

/** Rules whose causes differ by more than the status. The texts are compared between reports of different versions. */
const variants: Variants = {
  status: ({ allowed }) => allowed.join(' or '),
  'no-response': ({ failure }) => failure,
  schema: ({ mistakes }) => mistakeOf(mistakes),
  'member-differs': ofMember,
  'wrong-animal': ({ isConcurrent }) => (isConcurrent ? 'concurrent' : undefined),
  'missing-from-list': ofMissingAnimal,
  'header-missing': ofMissingHeader,
  'header-malformed': ({ of }) => (of.startsWith('X-') ? of : undefined),
  'header-invalid': ({ name }) => name,
  'header-form': ({ form }) => form,
  'counter-stuck': (problem) => (problem.in === 'rate-limit key' ? 'rate-limit key' : undefined),
  'limit-not-enforced': (problem) => enforcement[problem.in],
  'limit-shared': (problem) => ('requests' in problem ? 'counted together' : undefined),
};

const variantOf = <R extends RuleCode>(problem: ProblemOf<R> & { readonly rule: R }): string | undefined =>
  variants[problem.rule]?.(problem);

/** Returns the key that failures of one requirement and operation share if they have the same cause. */
export const causeOf = (problem: Problem): CauseKey => ({
  rule: problem.rule === 'own-check' ? problem.code : problem.rule,
  variant: variantOf(problem),
  wrongStatus: 'wrongStatus' in problem ? (problem.wrongStatus ?? undefined) : undefined,
});

/** The wrong parts of a response. */
export interface WrongParts {
  /** Names of wrong header fields. */
  readonly headers?: readonly string[];
  /** Names of wrong JSON members; absent: none, or the body as a whole. */
  readonly members?: readonly string[];
}

const headersOf = (problem: Problem): readonly string[] => {
  if (problem.rule === 'header-invalid') return [problem.name];
  if (problem.rule === 'header-malformed')
    return [problem.of === 'challenge' ? 'WWW-Authenticate' : problem.of];
  if (problem.rule !== 'header-missing') return [];
  if (problem.of === 'rate limit') return problem.missing;
  if (problem.of === 'document') return [problem.name];
  return [problem.of === 'challenge' ? 'WWW-Authenticate' : problem.of];
};

const membersOf = (problem: Problem): readonly string[] => {
  if (problem.rule === 'member-differs') return [problem.in === 'categoryId' ? problem.in : problem.member];
  if (problem.rule !== 'schema') return [];
  return [...new Set(problem.mistakes.flatMap(({ member }) => member ?? []))].toSorted();
};

/** Returns the headers and members that a problem is about. */
export const wrongParts = (problem: Problem): WrongParts => {
  const headers = headersOf(problem);
  const members = membersOf(problem);
  return { ...(headers.length === 0 ? {} : { headers }), ...(members.length === 0 ? {} : { members }) };
};

type StatusRule = Extract<Problem, { wrongStatus: number }>['rule'];

const statusRules: Readonly<Record<StatusRule, true>> = {
  status: true,
  'server-error': true,
  'undocumented-status': true,
  'limit-rejected': true,
  'scheme-case-sensitive': true,
  'operation-missing': true,
  'removed-too-early': true,
  'not-served': true,
  'body-left-unread': true,
  'head-left-unread': true,
  'refused-after-wait': true,
  'wrong-status-over-limit': true,
  'limit-shared': true,
};

/** Tells whether the status is wrong. Undefined: unknown, in a report of an older version. */
export const isAboutStatus = (rule: string | undefined): boolean =>
  rule !== undefined && Object.hasOwn(statusRules, rule);

/** Returns a key without the status, because the same bug may have another status when a case is repeated. */
export const problemKey = ({ requirement, problem, exchange }: Breach): string => {
  const { rule, variant = '' } = causeOf(problem);
  return `${requirement} | ${rule} | ${variant} | ${exchange.request.operation}`;
};

/** Breaches with the same key have the same cause. */
export const causeKey = (breach: Breach): string =>
  `${problemKey(breach)} | ${causeOf(breach.problem).wrongStatus ?? ''}`;
