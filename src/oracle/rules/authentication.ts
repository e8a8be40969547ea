import { breach, excerpt, inWords, met, type Rule } from '../rule.ts';

/** AUTH-6: a 401 carries a challenge (RFC 9110, 11.6.1). */
export const challenge: Rule = (subject) => {
  const { reading } = subject;
  if (reading.status !== 401) return [];
  const value = reading.header('www-authenticate').join(', ');
  if (/^[!#$%&'*+.^_`|~0-9a-z-]+/i.test(value)) return [met('AUTH-6')];
  return [
    breach(subject, {
      requirement: 'AUTH-6',
      rule: 'no challenge',
      message: `The 401 answer to ${inWords(subject)} carries ${value === '' ? 'no WWW-Authenticate header' : `WWW-Authenticate: ${excerpt(value)}, which is no challenge: a scheme comes first`}.`,
      expected: 'WWW-Authenticate: Bearer',
      actual: value === '' ? 'no WWW-Authenticate' : `WWW-Authenticate: ${value}`,
    }),
  ];
};
