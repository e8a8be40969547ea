import type { ParsedResponse } from '../../http/parsed-response.ts';
import { responseFor } from '../../openapi/document.ts';
import type { Expectation } from '../probe.ts';
import type { Problem } from '../problem.ts';
import { breach, isOpen, isRemoved, type Judged, passed, type Rule } from '../rule.ts';

/** The document has the method, for whatever path: a server that supports it for any resource may not return 501 (RFC 9110 15.6.2). */
const isKnownMethod = ({ probe, serverModel }: Judged): boolean =>
  serverModel.document.operations.some(({ method }) => method === probe.request.method);

/** The document gives this status for the operation, as 503 for a readiness probe. That 500 is documented does not excuse it. */
export const isDocumentedFailure = ({
  operation,
  response: { status },
}: Pick<Judged, 'operation' | 'response'>): boolean =>
  status !== 500 &&
  operation !== null &&
  operation.responses.some((response) => ['5XX', String(status)].includes(response.status.toUpperCase()));

/** GEN-4: no input makes the server fail. 501 passes for a method that the document does not have. */
export const serverFailure: Rule = (subject) => {
  const { status } = subject.response;
  if (status < 500) return [passed('GEN-4')];
  if ((status === 501 && !isKnownMethod(subject)) || isDocumentedFailure(subject)) return [];
  return [breach(subject, 'GEN-4', { rule: 'server-error', wrongStatus: status })];
};

/** GEN-1: within the documented input space the status is a documented one, or 429. */
export const documentedStatus: Rule = (subject) => {
  const { probe, response, operation } = subject;
  if (probe.inputSpace !== 'documented' || operation === null || isOpen(operation)) return [];
  if (response.status === 429 || responseFor(operation, response.status) !== null) return [passed('GEN-1')];
  if (response.status === 404 && probe.guessed === true) return [];
  if (response.status < 500 && probe.duringBackoff === true) return [];
  return [
    breach(subject, 'GEN-1', {
      rule: 'undocumented-status',
      operation: operation.id,
      documented: operation.responses.map(({ status }) => status),
      wrongStatus: response.status,
    }),
  ];
};

/** What the check itself expects of the status. A 429 decides nothing. Of a removed operation, nothing applies but its removal. */
export const checkExpectations: Rule = (subject) => {
  if (subject.response.status === 429) return [];
  const expects = isRemoved(subject)
    ? subject.probe.expects.filter(({ requirement }) => requirement === 'GET-5')
    : subject.probe.expects;
  return expects.flatMap((expectation) => judgeStatus(subject, expectation));
};

/** The status is one that the check expects. */
export const isExpected = ({ statuses }: Expectation, status: number): boolean =>
  statuses.some((allowed) => (allowed === '4xx' ? status >= 400 && status < 500 : allowed === status));

/** What the check expects and the status meets; another status is no breach. A 429 decides nothing. */
export const metByStatus: Rule = ({ probe, response: { status } }) =>
  status === 429
    ? []
    : probe.expects
        .filter((expectation) => isExpected(expectation, status))
        .map(({ requirement }) => passed(requirement));

/** What is wrong with a status that a check does not expect. */
export const unexpectedStatus = (
  { statuses, because }: Expectation,
  { status }: Pick<ParsedResponse, 'status'>,
): Problem => ({ rule: 'status', allowed: statuses, because, wrongStatus: status });

const judgeStatus = (subject: Judged, expectation: Expectation) => {
  const { response } = subject;
  const { requirement, unless } = expectation;
  if (isExpected(expectation, response.status)) return passed(requirement);
  if (unless?.(response) === true) return [];
  return breach(subject, requirement, unexpectedStatus(expectation, response));
};
