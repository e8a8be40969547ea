import { rateLimitHeaders, rateLimitOf } from '../../rate-limit/headers.ts';
import type { HeaderProblem } from '../problems/headers.ts';
import { breach, type Judged, passed, type Rule } from '../rule.ts';
import { documentedResponse } from './documented.ts';
import { countProblems } from './rate-limit-headers.ts';

/** The rate limit headers that the document gives the response, as it writes them. */
const declared = (subject: Judged) =>
  Object.entries(documentedResponse(subject)?.headers ?? {}).filter(([name]) =>
    rateLimitHeaders.includes(name.toLowerCase()),
  );

const isSent = ({ response }: Judged, name: string): boolean =>
  response.header(name.toLowerCase()).length > 0;

/** RATE-1 on another API: the headers that its document requires of the response are there. */
export const documentedHeadersPresent: Rule = (subject) => {
  const required = declared(subject).filter(([, header]) => header.required);
  if (required.length === 0) return [];
  const missing = required.map(([name]) => name).filter((name) => !isSent(subject, name));
  if (missing.length === 0) return [passed('RATE-1')];
  return [
    breach(subject, 'RATE-1', {
      rule: 'header-missing',
      of: 'rate limit',
      missing,
      wanted: required.map(([name]) => name),
      misnamed: [],
      status: subject.response.status,
    }),
  ];
};

/** RATE-2 on another API: what is declared as a number is a whole one, Remaining is within Limit, Reset is not past. */
export const documentedHeadersValid: Rule = (subject) => {
  const { response, serverModel } = subject;
  const counted = declared(subject).filter(
    ([name, { schema }]) =>
      isSent(subject, name) &&
      serverModel.validator(schema)(1n).length === 0 &&
      serverModel.validator(schema)('x').length > 0,
  );
  // The rules of the counts hold where both are declared as counts.
  const names = counted.map(([name]) => name.toLowerCase());
  const problems: readonly HeaderProblem[] = [
    ...(names.includes('x-ratelimit-limit') && names.includes('x-ratelimit-remaining')
      ? countProblems(response)
      : []),
    ...(names.includes('x-ratelimit-reset') ? resetProblems(subject) : []),
  ];
  if (names.length === 0) return [];
  if (problems.length === 0) return [passed('RATE-2')];
  return problems.map((problem) => breach(subject, 'RATE-2', problem));
};

/** Smaller ones are seconds from now: a document of another API may mean those. */
const smallestTimestamp = 1_000_000_000;

const resetProblems = ({ response }: Judged): readonly HeaderProblem[] => {
  const { text, problem } = rateLimitOf(response).sent.reset;
  if (text === null) return [];
  if (problem === 'fraction' || problem === 'no-timestamp')
    return [{ rule: 'header-malformed', of: 'X-RateLimit-Reset', value: text, isOtherApi: true }];
  if (problem !== 'past' || Number(text) < smallestTimestamp) return [];
  return [{ rule: 'reset-past', reset: text, now: null }];
};
