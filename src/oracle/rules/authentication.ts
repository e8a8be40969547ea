import type { Problem } from '../problem.ts';
import { breach, passed, type Rule } from '../rule.ts';

/** Schemes under which a key is no bearer token, whatever a server calls that. */
const otherScheme = /^(basic|digest|negotiate|ntlm)\b/i;

/** What is wrong with the challenge of a 401; null: nothing. */
const problemOf = (value: string): Problem | null => {
  if (value === '') return { rule: 'header-missing', of: 'challenge' };
  const hasScheme = /^[!#$%&'*+.^_`|~0-9a-z-]+/i.test(value);
  if (hasScheme && !(otherScheme.test(value) && !/\bbearer\b/i.test(value))) return null;
  return { rule: 'header-malformed', of: 'challenge', value, hasScheme };
};

/** AUTH-6: a 401 carries a challenge that applies to what was asked for (RFC 9110, 11.6.1). */
export const challenge: Rule = (subject) => {
  const { response } = subject;
  if (response.status !== 401) return [];
  const value = response.header('www-authenticate').join(', ');
  const problem = problemOf(value);
  return [problem === null ? passed('AUTH-6') : breach(subject, 'AUTH-6', problem)];
};
