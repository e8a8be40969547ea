import { type Finding, inconclusive, observation, undecidedByCut } from '../../finding/finding.ts';
import type { BrokenBody } from '../../finding/kinds/body.ts';
import type { Probe } from '../../finding/probe.ts';
import type { Problem } from '../../finding/problem.ts';
import { type ParsedBody, readPartOf } from '../../http/parsed-response.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import type { SchemaProblem } from '../../json-schema/compile.ts';
import { responseFor } from '../../openapi/document.ts';
import { brokenBody } from '../broken-body.ts';
import { breach, isOpen, passed, type Rule, type RuleSubject } from '../rule.ts';
import { isRounded } from '../wrongly-accepted.ts';
import { schemaProblems } from './schema-problems.ts';
import { isExpected } from './status.ts';

/** Returns the animal whose problem may come from its creation. Null for the list itself, and for ids, which the server chooses. */
const animalOf = (pointer: string, inList: boolean): { readonly index: number } | null => {
  const [, index = '0', member = ''] =
    (inList ? /^\/(\d+)(?:\/([^/]*).*)?$/ : /^()(?:\/([^/]*).*)?$/).exec(pointer) ?? [];
  const isOfAnimal = !inList || pointer !== '';
  return isOfAnimal && member !== 'id' ? { index: Number(index) } : null;
};

/** A server that accepts an invalid body (CREATE-5 to CREATE-7) also shows its values in other responses. That is not another breach. */
const withoutWronglyAccepted = (
  { probe, response, serverModel }: RuleSubject,
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
    const animal = animalOf(pointer, inList);
    return animal === null || !isWronglyAccepted(animal.index);
  });
};

const errorStatuses: readonly number[] = [400, 401, 404];

/**
 * Tells whether a response comes from the server, for an operation without specified responses. A proxy may reject an undocumented request
 * with its own page, and the response for a banned key is not specified (RATE-12).
 */
const isOfTheServer = ({ probe, response: { status } }: RuleSubject): boolean =>
  status < 400 || (status < 500 && probe.inputSpace !== 'undocumented' && probe.duringBackoff !== true);

/** Tells whether the document describes the body: for documented statuses, and for the Error statuses of any operation. */
const isDescribed = (subject: RuleSubject): boolean => {
  const { operation, response } = subject;
  if (errorStatuses.includes(response.status) || response.status === 429) return true;
  if (operation === null) return false;
  return isOpen(operation) ? isOfTheServer(subject) : responseFor(operation, response.status) !== null;
};

/** GEN-2: bodies are JSON with Content-Type application/json. */
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
    // An HTML page with the media type of HTML is one mistake, not two.
    const problem: Problem = isLabelled
      ? { rule: 'unreadable-body', as: 'json', body: broken }
      : { rule: 'unreadable-body', as: 'page', body: broken, mediaType, contentType };
    return [breach(subject, 'GEN-2', problem)];
  }
  if (!isLabelled)
    return [breach(subject, 'GEN-2', { rule: 'media-type', types: null, mediaType, contentType })];
  return [body.kind === 'cut' ? undecidedByCut('GEN-2', body) : passed('GEN-2')];
};

/** Requirements that a body of the wrong shape breaches in addition to GEN-3, because their statements name the shape. */
const shapeRequirement: Readonly<Record<string, string>> = {
  'listPets 200': 'LIST-1',
  'createPet 201': 'CREATE-1',
  'getPet 200': 'GET-1',
};

/** Undefined if another status was expected, because then the body says nothing about correct responses. */
const shapeRequirementOf = ({ operation, response, probe }: RuleSubject): string | undefined =>
  probe.expects.every((expectation) => isExpected(expectation, response.status))
    ? shapeRequirement[`${operation?.id} ${response.status}`]
    : undefined;

/** LIST-1, CREATE-1, GET-1, and expectations of an Error, if the body is not JSON. */
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

/** ERR-1: tells whether the body must be an Error. */
const mustBeError = ({ operation, response: { status } }: RuleSubject): boolean =>
  errorStatuses.includes(status) && (status === 401 || !isOpen(operation));

/** Returns the requirements whose expectation includes an Error body in this response. */
const errorRequirements = (probe: Probe, status: number): readonly string[] =>
  errorStatuses.includes(status)
    ? probe.expects.filter(({ error }) => error === true).map(({ requirement }) => requirement)
    : [];

/** GEN-3: the body matches the schema of its status. ERR-1: 400, 401 and 404 have an Error. */
export const schema: Rule = (subject) => {
  const { response, operation, serverModel } = subject;
  const value = readPartOf(response);
  if (value === undefined || operation === null) return [];
  const isError = mustBeError(subject);
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

/** Keywords that a longer value violates, too. */
const decidedByPart: readonly string[] = ['type', 'maxItems', 'uniqueItems'];

/** Returns the problems that do not depend on the rest of a cut body: of complete items, of the type, and of the length. */
const problemsIn = ({ kind }: ParsedBody, problems: readonly SchemaProblem[]): readonly SchemaProblem[] =>
  kind === 'cut'
    ? problems.filter(({ pointer, keyword }) => pointer !== '' || decidedByPart.includes(keyword))
    : problems;

/** ERR-1, if the body is not JSON. */
export const errorPresent: Rule = (subject) => {
  const { body } = subject.response;
  if (!mustBeError(subject) || !isWithoutJson(body)) return [];
  return [breach(subject, 'ERR-1', { rule: 'no-error-body', body: brokenOrEmpty(body) })];
};

const statusInBody = (subject: RuleSubject, inBody: Json | undefined): Finding => {
  const { status } = subject.response;
  if (typeof inBody !== 'bigint')
    return inconclusive('ERR-2', { code: 'unreadable-response', detail: 'error-status' });
  if (inBody === BigInt(status)) return passed('ERR-2');
  return breach(subject, 'ERR-2', { rule: 'error-status-differs', inBody, status });
};

/** ERR-2: `status` in the body is the status of the response. ERR-3: the codes in use are recorded. */
export const errorContent: Rule = (subject) => {
  const { response } = subject;
  if (!mustBeError(subject)) return [];
  const value = response.body.kind === 'json' ? response.body.value : null;
  const { code, status } = isJsonObject(value) ? value : {};
  return [
    typeof code === 'string'
      ? observation('ERR-3', `code with ${response.status}`, code)
      : inconclusive('ERR-3', { code: 'unreadable-response', detail: 'error-code' }),
    statusInBody(subject, status),
  ];
};

/** Names in an object should be unique, because parsers differ in how they read repeated names (RFC 8259 4). */
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
