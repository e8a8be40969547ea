import { breachOf, type Finding } from '../finding/finding.ts';
import type { Probe } from '../finding/probe.ts';
import type { FailedExchange } from '../http/exchange.ts';
import { isFrontRefusal, isGatewayFailure, mayBeUnreadable } from './front-refusal.ts';
import { type Kind, kindOf } from './kind.ts';
import { isRemoved, type Rule, type RuleSubject } from './rule.ts';
import { challenge } from './rules/authentication.ts';
import { duplicateNames, errorContent, errorPresent, jsonBody, schema, shapePresent } from './rules/body.ts';
import { creation } from './rules/creation.ts';
import { deprecationHeaders } from './rules/deprecation.ts';
import { documentedHeaders, documentedMediaType, documentedSchema } from './rules/documented.ts';
import { documentedHeadersPresent, documentedHeadersValid } from './rules/documented-rate-limits.ts';
import { list } from './rules/list.ts';
import { ownPets } from './rules/own-pets.ts';
import { headersPresent, headersValid, limitMatchesPlan, on429 } from './rules/rate-limit-headers.ts';
import { checkExpectations, documentedStatus, passedByStatus, serverFailure } from './rules/status.ts';

const alwaysRules: readonly Rule[] = [serverFailure, checkExpectations];

/** A response from in front of the application may pass a check's expectation, but breaches nothing. */
const frontRules: readonly Rule[] = [serverFailure, passedByStatus];

/** Rules for every operation of the interface: error bodies, authentication, and rate limit headers. */
const interfaceRules: readonly Rule[] = [
  ...[errorPresent, errorContent, duplicateNames, challenge],
  ...[headersPresent, headersValid, limitMatchesPlan, on429],
];

/** Rules for every response of an operation, until the operation is removed. */
const rulesUntilRemoval: Readonly<Record<Kind, readonly Rule[]>> = {
  known: [
    documentedStatus,
    jsonBody,
    schema,
    shapePresent,
    ...interfaceRules,
    list,
    creation,
    ownPets,
    deprecationHeaders,
  ],
  added: [documentedStatus, documentedMediaType, schema, documentedHeaders, ...interfaceRules],
  'other-api': [
    documentedStatus,
    documentedMediaType,
    documentedSchema,
    documentedHeaders,
    documentedHeadersPresent,
    documentedHeadersValid,
  ],
};

/** Applies to an exchange every rule that concerns it. The check that sent it does not matter. */
export const judge = (subject: RuleSubject): readonly Finding[] => {
  const findings: Finding[] = [];
  const apply = (rule: Rule): void => {
    for (const finding of rule(subject)) findings.push(finding);
  };
  if (subject.probe.observedOnly === true || isGatewayFailure(subject)) return [];
  if (isFrontRefusal(subject)) {
    frontRules.forEach(apply);
    return findings;
  }
  alwaysRules.forEach(apply);
  if (isSpecified(subject)) rulesUntilRemoval[kindOf(subject)].forEach(apply);
  return findings;
};

/** Tells whether the document specifies the response. For an unknown or removed operation, any 4xx is acceptable (GET-5). */
const isSpecified = (subject: RuleSubject): boolean =>
  subject.operation === null ? subject.probe.inputSpace !== 'no-operation' : !isRemoved(subject);

/** GEN-4: every request gets a response. A server may instead close the connection if it cannot read the request. */
export const judgeNoResponse = (probe: Probe, exchange: FailedExchange): readonly Finding[] => {
  const { kind, detail } = exchange.failure;
  if (kind === 'aborted') return [];
  if (kind === 'reset' && mayBeUnreadable(probe, exchange.wire)) return [];
  const problem = { rule: 'no-response', failure: kind, detail } as const;
  return [{ ...breachOf('GEN-4', problem, exchange), probe }];
};

/** The requirements that every response can breach. */
export const onEveryResponse: readonly string[] = ['GEN-1', 'GEN-2', 'GEN-3', 'GEN-4', 'ERR-1', 'ERR-2'];

/** The requirements that the oracle tests with every exchange of every check. */
export const oracleRequirements: readonly string[] = [
  ...onEveryResponse,
  ...['ERR-3', 'AUTH-6', 'RATE-1', 'RATE-2', 'RATE-3', 'RATE-7', 'RATE-10', 'RATE-12', 'RATE-14', 'GET-6'],
];
