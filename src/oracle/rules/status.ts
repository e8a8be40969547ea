import { responseFor } from '../../document/api-document.ts';
import type { Expectation } from '../probe.ts';
import type { Reading } from '../reading.ts';
import { breach, excerpt, inWords, isOpen, isRemoved, met, type Rule, type Subject } from '../rule.ts';

/** The document has the method, for whatever path: a server that supports it for any resource may not return 501 (RFC 9110 15.6.2). */
const isKnownMethod = ({ probe, knowledge }: Subject): boolean =>
  knowledge.document.operations.some(({ method }) => method === probe.request.method);

/** GEN-4: no input makes the server fail. 501 passes for a method that the document does not have. */
export const serverFailure: Rule = (subject) => {
  const { status } = subject.reading;
  if (status < 500) return [met('GEN-4')];
  if (status === 501 && !isKnownMethod(subject)) return [];
  return [
    breach(subject, {
      requirement: 'GEN-4',
      rule: 'server-error',
      wrongStatus: status,
      message: `${inWords(subject)}: server error (${status})`,
      expected: 'status below 500, whatever the request is',
      actual: `status ${status}`,
    }),
  ];
};

/** GEN-1: within the documented input space the status is a documented one, or 429. */
export const documentedStatus: Rule = (subject) => {
  const { probe, reading, operation } = subject;
  if (probe.space !== 'documented' || operation === null || isOpen(operation)) return [];
  if (reading.status === 429 || responseFor(operation, reading.status) !== null) return [met('GEN-1')];
  if (reading.status === 404 && probe.guessed === true) return [];
  if (reading.status < 500 && probe.inWait === true) return [];
  const documented = operation.responses.map((response) => response.status).join(', ');
  return [
    breach(subject, {
      requirement: 'GEN-1',
      rule: 'undocumented-status',
      wrongStatus: reading.status,
      message: `${inWords(subject)}: expected a status that the document gives for ${operation.id} (${documented}), got ${reading.status}`,
      expected: `status ${documented.replaceAll(', ', ' or ')}`,
      actual: shownStatus(reading),
    }),
  ];
};

/** What the check itself expects of the status. A 429 decides nothing. Of a removed operation, nothing applies but its removal. */
export const expectedStatus: Rule = (subject) => {
  if (subject.reading.status === 429) return [];
  const expects = isRemoved(subject)
    ? subject.probe.expects.filter(({ requirement }) => requirement === 'GET-5')
    : subject.probe.expects;
  return expects.flatMap((expectation) => judgeStatus(subject, expectation));
};

/** The status is one that the check expects. */
export const isExpected = ({ statuses }: Expectation, status: number): boolean =>
  statuses.some((allowed) => (allowed === '4xx' ? status >= 400 && status < 500 : allowed === status));

/** What the check expects and the status meets; another status is no breach. A 429 decides nothing. */
export const metByStatus: Rule = ({ probe, reading: { status } }) =>
  status === 429
    ? []
    : probe.expects
        .filter((expectation) => isExpected(expectation, status))
        .map(({ requirement }) => met(requirement));

/** The status, and of a redirect where it leads. */
export const shownStatus = ({ status, header }: Pick<Reading, 'status' | 'header'>): string => {
  const [location] = header('location');
  return location === undefined || status < 300 || status >= 400
    ? `status ${status}`
    : `status ${status}, Location: ${excerpt(location)}`;
};

/** A 401 to a wrong body is about the key, not the body. */
const despiteKey = ({ request }: Subject['probe'], status: number): string =>
  status === 401 && request.credential.charges !== null ? ', although the key is valid' : '';

/** The breach of an expectation by another status. */
export const unexpectedStatus = (
  subject: Pick<Subject, 'probe'>,
  { requirement, statuses, because }: Expectation,
  reading: Pick<Reading, 'status' | 'header'>,
) => {
  const due = statuses.join(' or ');
  return {
    requirement,
    rule: 'status',
    variant: due,
    wrongStatus: reading.status,
    message: `${inWords(subject)}: expected ${due} (${because}), got ${reading.status}${despiteKey(subject.probe, reading.status)}`,
    expected: `status ${due}`,
    actual: shownStatus(reading),
  };
};

const judgeStatus = (subject: Subject, expectation: Expectation) => {
  const { reading } = subject;
  const { requirement, unless } = expectation;
  if (isExpected(expectation, reading.status)) return met(requirement);
  if (unless?.(reading) === true) return [];
  return breach(subject, unexpectedStatus(subject, expectation, reading));
};
