import type { Problem } from '../../finding/problem.ts';
import { rateLimitHeaders, rateLimitOf } from '../../rate-limit/headers.ts';
import { breach, passed, type Rule, type RuleSubject } from '../rule.ts';
import { documentedResponse } from './documented.ts';
import { countProblems } from './rate-limit-headers.ts';

/** Returns the rate limit headers that the document describes for the response. */
const declaredHeaders = (subject: RuleSubject) =>
  Object.entries(documentedResponse(subject)?.headers ?? {}).filter(([name]) =>
    rateLimitHeaders.includes(name.toLowerCase()),
  );

const isSent = ({ response }: RuleSubject, name: string): boolean =>
  response.header(name.toLowerCase()).length > 0;

/** RATE-1 for another API: the rate limit headers that its document requires are present. */
export const documentedHeadersPresent: Rule = (subject) => {
  const required = declaredHeaders(subject).filter(([, header]) => header.required);
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

/** RATE-2 for another API: headers declared as numbers are whole, Remaining is within Limit, Reset is not in the past. */
export const documentedHeadersValid: Rule = (subject) => {
  const { response, serverModel } = subject;
  const counted = declaredHeaders(subject).filter(
    ([name, { schema }]) =>
      isSent(subject, name) &&
      serverModel.validator(schema)(1n).length === 0 &&
      serverModel.validator(schema)('x').length > 0,
  );
  // The count rules apply only if both headers are declared as numbers.
  const names = counted.map(([name]) => name.toLowerCase());
  const problems: readonly Problem[] = [
    ...(names.includes('x-ratelimit-limit') && names.includes('x-ratelimit-remaining')
      ? countProblems(response)
      : []),
    ...(names.includes('x-ratelimit-reset') ? resetProblems(subject) : []),
  ];
  if (names.length === 0) return [];
  if (problems.length === 0) return [passed('RATE-2')];
  return problems.map((problem) => breach(subject, 'RATE-2', problem));
};

/** Smaller values may be seconds from now, which another API may use. */
const smallestTimestamp = 1_000_000_000;

const resetProblems = ({ response }: RuleSubject): readonly Problem[] => {
  const { text, problem } = rateLimitOf(response).sent.reset;
  if (text === null) return [];
  if (problem === 'fraction' || problem === 'no-timestamp')
    return [{ rule: 'header-malformed', of: 'X-RateLimit-Reset', value: text, isOtherApi: true }];
  if (problem !== 'past' || Number(text) < smallestTimestamp) return [];
  return [{ rule: 'reset-past', reset: text, now: null }];
};
