import { type ParsedBody, readPartOf } from '../../http/parsed-response.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import type { SchemaProblem } from '../../json-schema/compile.ts';
import { responseFor } from '../../openapi/document.ts';
import { brokenBody } from '../broken-body.ts';
import { type Finding, observation, undecidedByCut } from '../finding.ts';
import type { Probe } from '../probe.ts';
import type { Problem } from '../problem.ts';
import type { BrokenBody } from '../problems/body.ts';
import { breach, isOpen, type Judged, passed, type Rule } from '../rule.ts';
import { isRounded } from '../wrongly-accepted.ts';
import { schemaProblems } from './schema-problems.ts';
import { isExpected } from './status.ts';

/** The place of a problem that may come of what was sent: an animal, or a member of it that the server did not choose. */
const placeOf = (pointer: string, inList: boolean): { readonly index: number } | null => {
  const [, index = '0', member = ''] =
    (inList ? /^\/(\d+)(?:\/([^/]*).*)?$/ : /^()(?:\/([^/]*).*)?$/).exec(pointer) ?? [];
  const isFound = !inList || pointer !== '';
  return isFound && member !== 'id' ? { index: Number(index) } : null;
};

/** A server that accepts an invalid body (CREATE-5 to CREATE-7) also shows its values in other responses: that is not another breach. */
const withoutWronglyAccepted = (
  { probe, response, serverModel }: Judged,
  value: Json,
  problems: readonly SchemaProblem[],
): readonly SchemaProblem[] => {
  if (problems.length === 0 || response.status >= 300) return problems;
  const { operation } = probe.request;
  const inList = operation === 'listPets' && Array.isArray(value);
  const isWronglyAccepted = (index: number): boolean => {
    const animal = inList ? value[index] : value;
    if (!isJsonObject(animal)) return false;
    if (operation === 'createPet') return probe.inputSpace === 'undocumented' || isRounded(probe, animal);
    return serverModel.wasWronglyAccepted(animal);
  };
  return problems.filter(({ pointer }) => {
    const place = placeOf(pointer, inList);
    return place === null || !isWronglyAccepted(place.index);
  });
};

const errorStatuses: readonly number[] = [400, 401, 404];

/**
 * Of an operation whose responses are not shown. Outside the input space a proxy may refuse a request with a page of its own, and what a
 * banned key gets is not specified (RATE-12).
 */
const isOfTheServer = ({ probe, response: { status } }: Judged): boolean =>
  status < 400 || (status < 500 && probe.inputSpace !== 'undocumented' && probe.duringBackoff !== true);

/** The responses whose body the document describes: its own statuses, and the Error statuses whatever the operation. */
const isDescribed = (subject: Judged): boolean => {
  const { operation, response } = subject;
  if (errorStatuses.includes(response.status) || response.status === 429) return true;
  if (operation === null) return false;
  return isOpen(operation) ? isOfTheServer(subject) : responseFor(operation, response.status) !== null;
};

/** GEN-2: bodies are JSON, and say so. */
export const jsonBody: Rule = (subject) => {
  const { response, operation } = subject;
  if (!isDescribed(subject)) return [];
  const { body, mediaType } = response;
  if (body.kind === 'empty') {
    const mayBeEmpty = response.status === 429 || (isOpen(operation) && response.status !== 401);
    return mayBeEmpty ? [] : [breach(subject, 'GEN-2', { rule: 'empty-body', types: null })];
  }
  const isLabelled = mediaType === 'application/json';
  const contentType = response.header('content-type').join(', ');
  if (body.kind === 'unreadable') {
    const broken = brokenBody(body);
    // A page of HTML that says so is one mistake, not two.
    const problem: Problem = isLabelled
      ? { rule: 'unreadable-body', as: 'json', body: broken }
      : { rule: 'unreadable-body', as: 'page', body: broken, mediaType, contentType };
    return [breach(subject, 'GEN-2', problem)];
  }
  if (!isLabelled)
    return [breach(subject, 'GEN-2', { rule: 'media-type', types: null, mediaType, contentType })];
  return [body.kind === 'cut' ? undecidedByCut('GEN-2', body) : passed('GEN-2')];
};

/** The requirements that a response of the wrong shape breaches besides GEN-3: they name the shape in their statement. */
const shapeRequirement: Readonly<Record<string, string>> = {
  'listPets 200': 'LIST-1',
  'createPet 201': 'CREATE-1',
  'getPet 200': 'GET-1',
};

/** None where another status was due: what comes under the wrong one is no measure of the right responses. */
const shapeRequirementOf = ({ operation, response, probe }: Judged): string | undefined =>
  probe.expects.every((expectation) => isExpected(expectation, response.status))
    ? shapeRequirement[`${operation?.id} ${response.status}`]
    : undefined;

/** LIST-1, CREATE-1, GET-1 and what expects an Error, where there is no JSON at all. */
export const shapePresent: Rule = (subject) => {
  const { response, operation, probe } = subject;
  if (!isWithoutJson(response.body) || operation === null) return [];
  const shape = shapeRequirementOf(subject);
  const { body } = response;
  const isError = errorStatuses.includes(response.status);
  return [...(shape === undefined ? [] : [shape]), ...errorRequirements(probe, response.status)].map(
    (requirement) =>
      breach(subject, requirement, {
        rule: 'unreadable-body',
        as: isError ? 'error' : 'documented',
        body: brokenOrEmpty(body),
      }),
  );
};

type WithoutJson = Extract<ParsedBody, { kind: 'empty' | 'unreadable' }>;

const isWithoutJson = (body: ParsedBody): body is WithoutJson =>
  body.kind === 'empty' || body.kind === 'unreadable';

const brokenOrEmpty = (body: WithoutJson): BrokenBody | null =>
  body.kind === 'empty' ? null : brokenBody(body);

/** ERR-1: the body is to be an Error. */
const isToBeError = ({ operation, response: { status } }: Judged): boolean =>
  errorStatuses.includes(status) && (status === 401 || !isOpen(operation));

/** The check's own requirements that ask for an Error in this response. */
const errorRequirements = (probe: Probe, status: number): readonly string[] =>
  errorStatuses.includes(status)
    ? probe.expects.filter(({ error }) => error === true).map(({ requirement }) => requirement)
    : [];

/** GEN-3: the body matches the schema of its status; ERR-1: 400, 401 and 404 carry an Error. */
export const schema: Rule = (subject) => {
  const { response, operation, serverModel } = subject;
  const value = readPartOf(response);
  if (value === undefined || operation === null) return [];
  const isError = isToBeError(subject);
  const described = responseFor(operation, response.status)?.schema ?? null;
  const wanted = described ?? (isError ? (serverModel.document.schemas.Error ?? null) : null);
  if (wanted === null) return [];
  const all = problemsIn(response.body, serverModel.validator(wanted)(value));
  const problems = withoutWronglyAccepted(subject, value, all);
  if (problems.length === 0 && all.length > 0) return [];
  const named = isError ? 'ERR-1' : shapeRequirementOf(subject);
  const requirements = [
    ...(described === null ? [] : ['GEN-3']),
    ...(named === undefined ? [] : [named]),
    ...errorRequirements(subject.probe, response.status),
  ];
  const { body } = response;
  if (problems.length === 0 && body.kind === 'cut')
    return requirements.map((requirement) => undecidedByCut(requirement, body));
  if (problems.length === 0) return requirements.filter((id) => id === 'GEN-3' || id === 'ERR-1').map(passed);
  return requirements.map((requirement) => schemaProblems(subject, requirement, problems));
};

/** Keywords that a longer value breaks as well. */
const lasting: readonly string[] = ['type', 'maxItems', 'uniqueItems'];

/** The problems that remain whatever the rest of a body is: those of complete items, and those of the type and the length. */
const problemsIn = ({ kind }: ParsedBody, problems: readonly SchemaProblem[]): readonly SchemaProblem[] =>
  kind === 'cut'
    ? problems.filter(({ pointer, keyword }) => pointer !== '' || lasting.includes(keyword))
    : problems;

/** ERR-1 where there is no JSON to look at. */
export const errorPresent: Rule = (subject) => {
  const { body } = subject.response;
  if (!isToBeError(subject) || !isWithoutJson(body)) return [];
  return [breach(subject, 'ERR-1', { rule: 'no-error-body', body: brokenOrEmpty(body) })];
};

/** ERR-2: `status` in the body is the status of the response; ERR-3: the codes in use are recorded. */
export const errorContent: Rule = (subject) => {
  const { response } = subject;
  if (!isToBeError(subject) || response.body.kind !== 'json') return [];
  const { value } = response.body;
  if (!isJsonObject(value)) return [];
  const findings: Finding[] = [];
  if (typeof value.code === 'string') {
    findings.push(observation('ERR-3', `code with ${response.status}`, value.code));
  }
  if (typeof value.status !== 'bigint') return findings;
  if (value.status === BigInt(response.status)) return [...findings, passed('ERR-2')];
  return [
    ...findings,
    breach(subject, 'ERR-2', {
      rule: 'error-status-differs',
      inBody: value.status,
      status: response.status,
    }),
  ];
};

/** RFC 8259, 4: names within an object should be unique; parsers differ in what they make of repeated ones. */
export const duplicateNames: Rule = ({ response, probe }) =>
  response.body.kind === 'json' && response.body.duplicates.length > 0
    ? [
        observation(
          'GEN-2',
          `member names repeated in ${probe.request.operation} responses`,
          response.body.duplicates.slice(0, 3).join(', '),
        ),
      ]
    : [];
