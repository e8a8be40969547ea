import { responseFor } from '../../document/api-document.ts';
import type { SchemaProblem } from '../../document/schema.ts';
import { isJsonObject } from '../../json/json.ts';
import { brokenPart, looksLikeJson, whyBroken } from '../broken.ts';
import { undecidedByCut } from '../cut.ts';
import type { Finding } from '../finding.ts';
import type { Probe } from '../probe.ts';
import { type ReadBody, type Reading, readPartOf } from '../reading.ts';
import { breach, excerpt, isOpen, met, type Rule, responseTo, type Subject } from '../rule.ts';
import { misshapen } from './misshapen.ts';
import { isExpected } from './status.ts';
import { withoutTakenAmiss } from './taken-amiss.ts';

const errorStatuses: readonly number[] = [400, 401, 404];

/**
 * Of an operation whose answers are not shown. Outside the input space a proxy may refuse a request with a page of its own, and what a
 * banned key gets is not specified (RATE-12).
 */
const isOfTheServer = ({ probe, reading: { status } }: Subject): boolean =>
  status < 400 || (status < 500 && probe.space !== 'outside' && probe.inWait !== true);

/** The answers whose body the document describes: its own statuses, and the Error statuses whatever the operation. */
const isDescribed = (subject: Subject): boolean => {
  const { operation, reading } = subject;
  if (errorStatuses.includes(reading.status) || reading.status === 429) return true;
  if (operation === null) return false;
  return isOpen(operation) ? isOfTheServer(subject) : responseFor(operation, reading.status) !== null;
};

/** GEN-2: bodies are JSON, and say so. */
export const jsonBody: Rule = (subject) => {
  const { reading, operation } = subject;
  if (!isDescribed(subject)) return [];
  const breaches: Finding[] = [];
  const add = (rule: string, message: string, expected: string, actual: string) =>
    breaches.push(breach(subject, { requirement: 'GEN-2', rule, message, expected, actual }));
  const response = responseTo(subject);
  if (reading.body.kind === 'empty') {
    const mayBeEmpty = reading.status === 429 || (isOpen(operation) && reading.status !== 401);
    if (mayBeEmpty) return [];
    add('empty-body', `${response}: expected a JSON body, got an empty body`, 'a JSON body', 'an empty body');
    return breaches;
  }
  const type = reading.header('content-type').join(', ');
  const label = type === '' ? 'no Content-Type' : `Content-Type: ${type}`;
  const isLabelled = reading.mediaType === 'application/json';
  if (reading.body.kind === 'unreadable') {
    const { body } = reading;
    // A page of HTML that says so is one mistake, not two.
    if (isLabelled)
      add(
        'unreadable-body',
        `${response}: body is not JSON: ${whyBroken(body)}`,
        'a JSON text (RFC 8259)',
        brokenPart(body),
      );
    else
      add(
        'unreadable-body',
        `${response}: expected application/json, got ${kindOfPage(reading)}`,
        'Content-Type: application/json, and a JSON text',
        `${label}\n${excerpt(body.text)}`,
      );
  } else if (!isLabelled) {
    add(
      'media-type',
      `${response}: expected Content-Type application/json, got ${reading.mediaType ?? 'none'}`,
      'Content-Type: application/json',
      label,
    );
  }
  if (reading.body.kind === 'cut' && breaches.length === 0) return [undecidedByCut('GEN-2', reading.body)];
  return breaches.length > 0 ? breaches : [met('GEN-2')];
};

/** The requirements that an answer of the wrong shape breaches besides GEN-3: they name the shape in their statement. */
const shapeRequirement: Readonly<Record<string, string>> = {
  'listPets 200': 'LIST-1',
  'createPet 201': 'CREATE-1',
  'getPet 200': 'GET-1',
};

/** None where another status was due: what comes under the wrong one is no measure of the right answers. */
const shapeRequirementOf = ({ operation, reading, probe }: Subject): string | undefined =>
  probe.expects.every((expectation) => isExpected(expectation, reading.status))
    ? shapeRequirement[`${operation?.id} ${reading.status}`]
    : undefined;

/** LIST-1, CREATE-1, GET-1 and what expects an Error, where there is no JSON at all. */
export const shapePresent: Rule = (subject) => {
  const { reading, operation, probe } = subject;
  if (!isWithoutJson(reading.body) || operation === null) return [];
  const shape = shapeRequirementOf(subject);
  const { body } = reading;
  const isError = errorStatuses.includes(reading.status);
  return [...(shape === undefined ? [] : [shape]), ...errorRequirements(probe, reading.status)].map(
    (requirement) =>
      breach(subject, {
        requirement,
        rule: 'unreadable-body',
        message: `${responseTo(subject)}: expected ${isError ? 'an Error' : 'a JSON body'}, got ${insteadOfJson(body)}`,
        expected: isError ? 'a JSON object with code, message and status' : 'the documented JSON body',
        actual: shownOf(body),
      }),
  );
};

type WithoutJson = Extract<ReadBody, { kind: 'empty' | 'unreadable' }>;

const isWithoutJson = (body: ReadBody): body is WithoutJson =>
  body.kind === 'empty' || body.kind === 'unreadable';

/** What a body is that is not JSON. */
const insteadOfJson = (body: WithoutJson): string => {
  if (body.kind === 'empty') return 'an empty body';
  return looksLikeJson(body) ? `broken JSON: ${whyBroken(body)}` : 'a body that is not JSON';
};

/** A body that is not JSON, and is not labelled as JSON. */
const kindOfPage = ({ mediaType }: Reading): string => {
  if (mediaType === null) return 'no Content-Type and a body that is not JSON';
  return mediaType === 'text/html' ? 'HTML' : mediaType;
};

/** What is shown of such a body. */
const shownOf = (body: WithoutJson): string => {
  if (body.kind === 'empty') return 'an empty body';
  return looksLikeJson(body) ? brokenPart(body) : excerpt(body.text);
};

/** The check's own requirements that ask for an Error in this answer. */
const errorRequirements = (probe: Probe, status: number): readonly string[] =>
  errorStatuses.includes(status)
    ? probe.expects.filter(({ error }) => error === true).map(({ requirement }) => requirement)
    : [];

/** GEN-3: the body matches the schema of its status; ERR-1: 400, 401 and 404 carry an Error. */
export const schema: Rule = (subject) => {
  const { reading, operation, knowledge } = subject;
  const value = readPartOf(reading);
  if (value === undefined || operation === null) return [];
  const isError = errorStatuses.includes(reading.status) && !(isOpen(operation) && reading.status !== 401);
  const described = responseFor(operation, reading.status)?.schema ?? null;
  const wanted = described ?? (isError ? (knowledge.document.schemas.Error ?? null) : null);
  if (wanted === null) return [];
  const all = problemsIn(reading.body, knowledge.validator(wanted)(value));
  const problems = withoutTakenAmiss(subject, value, all);
  if (problems.length === 0 && all.length > 0) return [];
  const named = isError ? 'ERR-1' : shapeRequirementOf(subject);
  const requirements = [
    ...(described === null ? [] : ['GEN-3']),
    ...(named === undefined ? [] : [named]),
    ...errorRequirements(subject.probe, reading.status),
  ];
  const { body } = reading;
  if (problems.length === 0 && body.kind === 'cut')
    return requirements.map((requirement) => undecidedByCut(requirement, body));
  if (problems.length === 0) return requirements.filter((id) => id === 'GEN-3' || id === 'ERR-1').map(met);
  return requirements.map((requirement) => misshapen(subject, requirement, problems));
};

/** Keywords that a longer value breaks as well. */
const lasting: readonly string[] = ['type', 'maxItems', 'uniqueItems'];

/** The problems that remain whatever the rest of a body is: those of complete items, and those of the type and the length. */
const problemsIn = ({ kind }: ReadBody, problems: readonly SchemaProblem[]): readonly SchemaProblem[] =>
  kind === 'cut'
    ? problems.filter(({ pointer, keyword }) => pointer !== '' || lasting.includes(keyword))
    : problems;

/** ERR-1 where there is no JSON to look at. */
export const errorPresent: Rule = (subject) => {
  const { reading, operation } = subject;
  const { body } = reading;
  if (!errorStatuses.includes(reading.status) || !isWithoutJson(body)) return [];
  if (isOpen(operation) && reading.status !== 401) return [];
  return [
    breach(subject, {
      requirement: 'ERR-1',
      rule: 'no-error-body',
      message: `${responseTo(subject)}: expected an Error, got ${insteadOfJson(body)}`,
      expected: 'a JSON object with code, message and status',
      actual: shownOf(body),
    }),
  ];
};

/** ERR-2: `status` in the body is the status of the response; ERR-3: the codes in use are recorded. */
export const errorContent: Rule = (subject) => {
  const { reading, operation } = subject;
  if (!errorStatuses.includes(reading.status) || reading.body.kind !== 'json') return [];
  if (isOpen(operation) && reading.status !== 401) return [];
  const { value } = reading.body;
  if (!isJsonObject(value)) return [];
  const findings: Finding[] = [];
  if (typeof value.code === 'string') {
    findings.push({
      kind: 'observed',
      requirement: 'ERR-3',
      subject: `code with ${reading.status}`,
      value: value.code,
    });
  }
  if (typeof value.status !== 'bigint') return findings;
  if (value.status === BigInt(reading.status)) return [...findings, met('ERR-2')];
  return [
    ...findings,
    breach(subject, {
      requirement: 'ERR-2',
      rule: 'error-status-differs',
      message: `${responseTo(subject)}: the Error has status ${value.status}, expected ${reading.status}`,
      expected: `"status": ${reading.status}`,
      actual: `"status": ${value.status}`,
    }),
  ];
};

/** RFC 8259, 4: names within an object should be unique; parsers differ in what they make of repeated ones. */
export const duplicateNames: Rule = ({ reading, probe }) =>
  reading.body.kind === 'json' && reading.body.duplicates.length > 0
    ? [
        {
          kind: 'observed',
          requirement: 'GEN-2',
          subject: `member names repeated in ${probe.request.operation} responses`,
          value: reading.body.duplicates.slice(0, 3).join(', '),
        },
      ]
    : [];
