import { type Finding, inconclusive, undecidedByCut } from '../../finding/finding.ts';
import type { Problem } from '../../finding/problem.ts';
import type { Json } from '../../json/json.ts';
import type { SchemaProblem } from '../../json-schema/problems.ts';
import { type ResponseDescription, responseFor } from '../../openapi/document.ts';
import { headerReadings } from '../../openapi/header-readings.ts';
import { covers, isJsonType } from '../../openapi/media-types.ts';
import { rateLimitHeaders } from '../../rate-limit/headers.ts';
import { brokenBody } from '../broken-body.ts';
import { breach, passed, type Rule, type RuleSubject } from '../rule.ts';
import { schemaProblems } from './schema-problems.ts';
import { isDocumentedFailure } from './status.ts';

/** Statuses that often come from a proxy. The `default` response does not apply to them. */
const proxyStatuses: readonly number[] = [405, 413, 414, 415, 431];

/** Returns the description of a response in the document, or null. Server errors are only tested by GEN-4. */
export const documentedResponse = ({
  probe,
  operation,
  response,
}: Pick<RuleSubject, 'probe' | 'operation' | 'response'>): ResponseDescription | null => {
  const { status } = response;
  if (status === 404 && probe.hasInvalidPath === true) return null;
  const isFailure = status >= 500 && !isDocumentedFailure({ operation, response });
  const documented = operation === null || isFailure ? null : responseFor(operation, status);
  // `default` does not apply to undocumented inputs that are accepted, either.
  const isOutsideDefault =
    proxyStatuses.includes(status) || (status < 300 && probe.inputSpace !== 'documented');
  return documented?.status === 'default' && isOutsideDefault ? null : documented;
};

/** Tells whether the response never has a body (RFC 9110 6.4.1). */
const hasNoBody = ({ probe, response }: RuleSubject): boolean =>
  probe.request.method === 'HEAD' || [204, 205, 304].includes(response.status);

/** Returns the media types of a response that must have a body. */
const mediaTypesFor = (subject: RuleSubject): readonly string[] => {
  const documented = documentedResponse(subject);
  return documented === null || hasNoBody(subject) ? [] : Object.keys(documented.schemas);
};

/** GEN-2: the document has the media type for the status, and a JSON body is valid JSON. */
export const documentedMediaType: Rule = (subject) => {
  const { response } = subject;
  const types = mediaTypesFor(subject);
  if (types.length === 0) return [];
  const { body, mediaType } = response;
  if (body.kind === 'empty') {
    const mayBeEmpty = response.status === 429 || !types.every(isJsonType);
    return mayBeEmpty ? [] : [breach(subject, 'GEN-2', { rule: 'empty-body', types })];
  }
  const problems: Problem[] = [];
  if (mediaType === null || !types.some((range) => covers(range, mediaType))) {
    const contentType = response.header('content-type').join(', ');
    problems.push({ rule: 'media-type', types, mediaType, contentType });
  }
  if (body.kind === 'unreadable' && (isJsonType(mediaType) || types.every(isJsonType)))
    problems.push({ rule: 'unreadable-body', as: 'json', body: brokenBody(body) });
  if (problems.length > 0) return problems.map((problem) => breach(subject, 'GEN-2', problem));
  return [body.kind === 'cut' ? undecidedByCut('GEN-2', body) : passed('GEN-2')];
};

/** Returns the schema for a body of this media type: of the closest range, otherwise of the type that the suite accepts. Null: none. */
const schemaOf = ({ mediaType, schema, schemas }: ResponseDescription, actualType: string) => {
  const [closest] = Object.keys(schemas)
    .filter((range) => covers(range, actualType))
    .toSorted((a, b) => b.length - a.length);
  if (closest !== undefined) return isJsonType(actualType) ? (schemas[closest] ?? null) : null;
  return isJsonType(mediaType) ? schema : null;
};

/** RFC 9457, 3.1: these members are URI references. Frameworks describe them as `uri`, and write the path of the request. */
const isProblemReference = (
  { pointer, keyword, actual }: SchemaProblem,
  { response }: RuleSubject,
): boolean =>
  response.mediaType === 'application/problem+json' &&
  ['/type', '/instance'].includes(pointer) &&
  keyword === 'format' &&
  /^"[/?#]?[^\s"<>\\^`{|}]*"?$/.test(actual);

/** GEN-3: a JSON body matches the schema of its status. */
export const documentedSchema: Rule = (subject) => {
  const { response, serverModel } = subject;
  const documented = documentedResponse(subject);
  const schema = documented === null ? null : schemaOf(documented, response.mediaType ?? '');
  const { body } = response;
  if (schema === null || hasNoBody(subject)) return [];
  if (body.kind === 'cut') return [undecidedByCut('GEN-3', body)];
  if (body.kind !== 'json') return [];
  const problems = serverModel
    .validator(schema)(body.value)
    .filter((problem) => !isProblemReference(problem, subject));
  return problems.length === 0 ? [passed('GEN-3')] : [schemaProblems(subject, 'GEN-3', problems)];
};

/** GEN-3: required headers are present, and header values match their schemas. RATE-1 tests the rate limit headers. */
export const documentedHeaders: Rule = (subject) => {
  const { response, serverModel } = subject;
  if (response.status === 429) return [];
  const described = Object.entries(documentedResponse(subject)?.headers ?? {}).filter(
    ([name]) => !rateLimitHeaders.includes(name.toLowerCase()),
  );
  return described.flatMap(([name, { required, schema }]): readonly Finding[] => {
    const values = response.header(name.toLowerCase());
    if (values.length === 0)
      return required ? [breach(subject, 'GEN-3', { rule: 'header-missing', of: 'document', name })] : [];
    const text = values.join(', ');
    const validate = serverModel.validator(schema);
    const problems = headerReadings(values).map(validate);
    const isCookies = name.toLowerCase() === 'set-cookie' && values.every(isValidBy(validate));
    if (isCookies || problems.some((found) => found.length === 0)) return [passed('GEN-3')];
    const undecided = problems.flat().find((problem) => problem.undecided);
    if (undecided) return [inconclusive('GEN-3', { code: 'slow-pattern', problem: undecided.actual })];
    const demands = (problems[0] ?? []).map(({ keyword, wanted }) => ({ keyword, wanted }));
    return [breach(subject, 'GEN-3', { rule: 'header-invalid', name, value: text, demands })];
  });
};

/** Each line of Set-Cookie has a value of its own. */
const isValidBy =
  (validate: (value: Json) => readonly unknown[]) =>
  (line: string): boolean =>
    headerReadings([line]).some((value) => validate(value).length === 0);
