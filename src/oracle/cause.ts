import type { Breach } from './finding.ts';
import type { Problem, ProblemOf, RuleCode } from './problem.ts';
import type { SchemaMistake } from './problems/body.ts';

/** What tells the causes of failures of one requirement and operation apart. */
export interface CauseKey {
  /** Of a check of the user's own: its code. */
  readonly rule: string;
  /** What tells causes of one rule apart: `X-RateLimit-Limit on 429`. Undefined: nothing but the status. */
  readonly variant: string | undefined;
  /** The status, if it is what is wrong. */
  readonly wrongStatus: number | undefined;
}

/** The position in the schema rather than in the list: `/12/id` and `/3/id` have one cause. */
export const schemaPosition = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

const mistakeOf = ([first]: readonly SchemaMistake[]): string =>
  `${first?.keyword ?? ''} ${schemaPosition(first?.pointer ?? '')}`;

const missing = (problem: ProblemOf<'missing-from-list'>): string | undefined => {
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

/** Rules whose causes differ by more than the status. The texts are part of reports, which versions compare. */
const variants: Variants = {
  status: ({ allowed }) => allowed.join(' or '),
  'no-response': ({ failure }) => failure,
  schema: ({ mistakes }) => mistakeOf(mistakes),
  'member-differs': ofMember,
  'wrong-animal': ({ isConcurrent }) => (isConcurrent ? 'concurrent' : undefined),
  'missing-from-list': missing,
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

/** What two failures of one requirement and operation share if they have one cause. */
export const causeOf = (problem: Problem): CauseKey => ({
  rule: problem.rule === 'own-check' ? problem.code : problem.rule,
  variant: variantOf(problem),
  wrongStatus: 'wrongStatus' in problem ? (problem.wrongStatus ?? undefined) : undefined,
});

/** The parts of a response that are wrong. */
export interface WrongParts {
  /** Names of header fields; absent: no header is wrong. */
  readonly headers?: readonly string[];
  /** Names of JSON members; absent: none is wrong, or the body as a whole. */
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

/** Names the headers and members that a problem is about. */
export const wrongParts = (problem: Problem): WrongParts => {
  const headers = headersOf(problem);
  const members = membersOf(problem);
  return {
    ...(headers.length === 0 ? {} : { headers }),
    ...(members.length === 0 ? {} : { members }),
  };
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

/** Tells whether what is wrong is the status of the response. Absent: a report of an older version, which does not tell. */
export const isAboutStatus = (rule: string | undefined): boolean =>
  rule !== undefined && Object.hasOwn(statusRules, rule);

/** What is wrong, whatever the status: when a case is sent again, the status of one bug may differ. */
export const problemKey = ({ requirement, problem, exchange }: Breach): string => {
  const { rule, variant = '' } = causeOf(problem);
  return `${requirement} | ${rule} | ${variant} | ${exchange.request.operation}`;
};

/** What makes two breaches one cause. */
export const causeKey = (breach: Breach): string =>
  `${problemKey(breach)} | ${causeOf(breach.problem).wrongStatus ?? ''}`;
