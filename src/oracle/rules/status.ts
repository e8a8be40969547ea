import type { Expectation } from '../../finding/probe.ts';
import type { Problem } from '../../finding/problem.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import { responseFor } from '../../openapi/document.ts';
import { breach, isOpen, isRemoved, passed, type Rule, type RuleSubject } from '../rule.ts';

/** Tells whether the document has the method for any path. A server that supports it anywhere must not return 501 (RFC 9110 15.6.2). */
const isKnownMethod = ({ probe, serverModel }: RuleSubject): boolean =>
  serverModel.document.operations.some(({ method }) => method === probe.request.method);

/** Tells whether the document has this 5xx for the operation, for example 503 for a readiness probe. A documented 500 is still a failure. */
export const isDocumentedFailure = ({
  operation,
  response: { status },
}: Pick<RuleSubject, 'operation' | 'response'>): boolean =>
  status !== 500 &&
  operation !== null &&
  operation.responses.some((response) => ['5XX', String(status)].includes(response.status.toUpperCase()));

/** GEN-4: no input causes a server error. 501 is permitted for a method that the document does not have. */
export const serverFailure: Rule = (subject) => {
  const { status } = subject.response;
  if (status < 500) return [passed('GEN-4')];
  if ((status === 501 && !isKnownMethod(subject)) || isDocumentedFailure(subject)) return [];
  return [breach(subject, 'GEN-4', { rule: 'server-error', wrongStatus: status })];
};

/** GEN-1: a documented input gets a documented status, or 429. */
export const documentedStatus: Rule = (subject) => {
  const { probe, response, operation } = subject;
  if (probe.inputSpace !== 'documented' || operation === null || isOpen(operation)) return [];
  if (response.status === 429 || responseFor(operation, response.status) !== null) return [passed('GEN-1')];
  if (response.status === 404 && probe.guessed === true) return [];
  if (probe.stateStatuses?.includes(response.status) === true) return [];
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

/** Tests the expectations of the check. A 429 decides nothing. For a removed operation, only GET-5 applies. */
export const checkExpectations: Rule = (subject) => {
  if (subject.response.status === 429) return [];
  const expects = isRemoved(subject)
    ? subject.probe.expects.filter(({ requirement }) => requirement === 'GET-5')
    : subject.probe.expects;
  return expects.flatMap((expectation) => judgeStatus(subject, expectation));
};

/** Tells whether the check expects the status. */
export const isExpected = ({ statuses }: Expectation, status: number): boolean =>
  statuses.some((allowed) => (allowed === '4xx' ? status >= 400 && status < 500 : allowed === status));

/** Returns the expectations that pass. Another status is not a breach, and a 429 decides nothing. */
export const passedByStatus: Rule = ({ probe, response: { status } }) =>
  status === 429
    ? []
    : probe.expects
        .filter((expectation) => isExpected(expectation, status))
        .map(({ requirement }) => passed(requirement));

/** Returns the problem of a status that a check does not expect. */
export const unexpectedStatus = (
  { statuses, because }: Expectation,
  { status }: Pick<ParsedResponse, 'status'>,
): Problem => ({ rule: 'status', allowed: statuses, because, wrongStatus: status });

const judgeStatus = (subject: RuleSubject, expectation: Expectation) => {
  const { response } = subject;
  const { requirement, unless } = expectation;
  if (isExpected(expectation, response.status)) return passed(requirement);
  if (unless?.(response) === true) return [];
  return breach(subject, requirement, unexpectedStatus(expectation, response));
};
