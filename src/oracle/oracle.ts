import type { FailedExchange } from '../http/exchange.ts';
import { breachOf, type Finding } from './finding.ts';
import { isFrontRefusal, isGatewayFailure, mayBeUnreadable } from './front-refusal.ts';
import { type Kind, kindOf } from './kind.ts';
import type { Probe } from './probe.ts';
import { isRemoved, type Judged, type Rule } from './rule.ts';
import { challenge } from './rules/authentication.ts';
import { duplicateNames, errorContent, errorPresent, jsonBody, schema, shapePresent } from './rules/body.ts';
import { creation } from './rules/creation.ts';
import { deprecation } from './rules/deprecation.ts';
import { documentedHeaders, documentedMediaType, documentedSchema } from './rules/documented.ts';
import { documentedHeadersPresent, documentedHeadersValid } from './rules/documented-rate-limits.ts';
import { list } from './rules/list.ts';
import { ownPets } from './rules/own-pets.ts';
import { headersPresent, headersValid, limitMatchesPlan, on429 } from './rules/rate-limit-headers.ts';
import { checkExpectations, documentedStatus, metByStatus, serverFailure } from './rules/status.ts';

const always: readonly Rule[] = [serverFailure, checkExpectations];

/** A refusal in front of the application may meet what a check expects, and breaches nothing. */
const inFront: readonly Rule[] = [serverFailure, metByStatus];

/** What is said of every response of an operation, for as long as the operation exists. */
const skipAfterRemoval: Readonly<Record<Kind, readonly Rule[]>> = {
  known: [
    documentedStatus,
    jsonBody,
    schema,
    shapePresent,
    errorPresent,
    errorContent,
    duplicateNames,
    challenge,
    headersPresent,
    headersValid,
    limitMatchesPlan,
    on429,
    list,
    creation,
    ownPets,
    deprecation,
  ],
  added: [
    documentedStatus,
    documentedMediaType,
    schema,
    documentedHeaders,
    errorPresent,
    errorContent,
    duplicateNames,
    challenge,
    headersPresent,
    headersValid,
    limitMatchesPlan,
    on429,
  ],
  foreign: [
    documentedStatus,
    documentedMediaType,
    documentedSchema,
    documentedHeaders,
    documentedHeadersPresent,
    documentedHeadersValid,
  ],
};

/** Every exchange is judged by every rule that applies to it, whatever it was sent for. */
export const judge = (subject: Judged): readonly Finding[] => {
  const findings: Finding[] = [];
  const apply = (rule: Rule): void => {
    for (const finding of rule(subject)) findings.push(finding);
  };
  if (isGatewayFailure(subject)) return [];
  if (isFrontRefusal(subject)) {
    inFront.forEach(apply);
    return findings;
  }
  always.forEach(apply);
  if (isSpokenOf(subject)) skipAfterRemoval[kindOf(subject)].forEach(apply);
  return findings;
};

/** The document says nothing of what it does not describe, nor of a removed operation any more: any 4xx will do (GET-5). */
const isSpokenOf = (subject: Judged): boolean =>
  subject.operation === null ? subject.probe.inputSpace !== 'no-operation' : !isRemoved(subject);

/** GEN-4: a response comes, whatever the request is; for what cannot be read the connection may be closed instead. */
export const judgeNoResponse = (probe: Probe, exchange: FailedExchange): readonly Finding[] => {
  const { kind, message } = exchange.failure;
  if (kind === 'aborted') return [];
  if (kind === 'reset' && mayBeUnreadable(probe, exchange.wire)) return [];
  const problem = { rule: 'no-response', failure: kind, detail: message } as const;
  return [{ ...breachOf('GEN-4', problem, exchange), probe }];
};

/** The requirements that any request could break. */
export const onEveryResponse: readonly string[] = ['GEN-1', 'GEN-2', 'GEN-3', 'GEN-4', 'ERR-1', 'ERR-2'];

/** The requirements on which the oracle gives evidence by itself, with every exchange of every check. */
export const oracleRequirements: readonly string[] = [
  ...onEveryResponse,
  ...['ERR-3', 'AUTH-6', 'RATE-1', 'RATE-2', 'RATE-3', 'RATE-7', 'RATE-10', 'RATE-12', 'RATE-14', 'GET-6'],
];
