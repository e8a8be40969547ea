import { breach, excerpt, met, type Rule, responseTo } from '../rule.ts';

/** Schemes under which a key is no bearer token, whatever a server calls that. */
const otherScheme = /^(basic|digest|negotiate|ntlm)\b/i;

/** What is wrong with the challenge of a 401; null: nothing. */
const problemOf = (value: string): string | null => {
  if (value === '') return 'no WWW-Authenticate header';
  const shown = `WWW-Authenticate: ${excerpt(value)}`;
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+/i.test(value)) return `${shown} without a scheme`;
  return otherScheme.test(value) && !/\bbearer\b/i.test(value)
    ? `${shown}, although the key is a bearer token`
    : null;
};

/** AUTH-6: a 401 carries a challenge that applies to what was asked for (RFC 9110, 11.6.1). */
export const challenge: Rule = (subject) => {
  const { reading } = subject;
  if (reading.status !== 401) return [];
  const value = reading.header('www-authenticate').join(', ');
  const problem = problemOf(value);
  if (problem === null) return [met('AUTH-6')];
  return [
    breach(subject, {
      requirement: 'AUTH-6',
      rule: value === '' ? 'header-missing' : 'header-malformed',
      message: `${responseTo(subject)}: ${problem}`,
      expected: 'WWW-Authenticate: Bearer',
      actual: value === '' ? 'no WWW-Authenticate' : `WWW-Authenticate: ${value}`,
    }),
  ];
};
