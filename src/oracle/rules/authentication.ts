import type { Problem } from '../../finding/problem.ts';
import { breach, passed, type Rule } from '../rule.ts';

/** Schemes that are not for bearer tokens. */
const otherScheme = /^(basic|digest|negotiate|ntlm)\b/i;

/** Returns what is wrong with the challenge of a 401, or null. */
const problemOf = (value: string): Problem | null => {
  if (value === '') return { rule: 'header-missing', of: 'challenge' };
  const hasScheme = /^[!#$%&'*+.^_`|~0-9a-z-]+/i.test(value);
  if (hasScheme && !(otherScheme.test(value) && !/\bbearer\b/i.test(value))) return null;
  return { rule: 'header-malformed', of: 'challenge', value, hasScheme };
};

/** AUTH-6: a 401 has a challenge that applies to the resource (RFC 9110 11.6.1). */
export const challenge: Rule = (subject) => {
  const { response } = subject;
  if (response.status !== 401) return [];
  const value = response.header('www-authenticate').join(', ');
  const problem = problemOf(value);
  return [problem === null ? passed('AUTH-6') : breach(subject, 'AUTH-6', problem)];
};
