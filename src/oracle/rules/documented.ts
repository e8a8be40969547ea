import { type ResponseDescription, responseFor } from '../../openapi/document.ts';
import { lenientParses } from '../../openapi/lenient-parses.ts';
import { covers, isJsonType } from '../../openapi/media-types.ts';
import { rateLimitHeaders } from '../../rate-limit/headers.ts';
import { brokenBody } from '../broken-body.ts';
import { type Finding, inconclusive, undecidedByCut } from '../finding.ts';
import type { Problem } from '../problem.ts';
import { breach, type Judged, passed, type Rule } from '../rule.ts';
import { schemaProblems } from './schema-problems.ts';
import { isDocumentedFailure } from './status.ts';

/** Statuses that often come from a proxy: `default` does not speak for it. */
const proxied: readonly number[] = [405, 413, 414, 415, 431];

/** What the document says of a response; null where it says nothing. Failures of the server are told by GEN-4 alone. */
export const documentedResponse = ({
  probe,
  operation,
  response,
}: Pick<Judged, 'probe' | 'operation' | 'response'>): ResponseDescription | null => {
  const { status } = response;
  const isFailure = status >= 500 && !isDocumentedFailure({ operation, response });
  const documented = operation === null || isFailure ? null : responseFor(operation, status);
  // What is accepted against the document is not what `default` is about either.
  const isBeyond = proxied.includes(status) || (status < 300 && probe.inputSpace !== 'documented');
  return documented?.status === 'default' && isBeyond ? null : documented;
};

/** RFC 9110, 6.4.1: these never have a body. */
const isBodiless = ({ probe, response }: Judged): boolean =>
  probe.request.method === 'HEAD' || [204, 205, 304].includes(response.status);

/** The media types of a response that has to have a body; none where it need not. */
const mediaTypesFor = (subject: Judged): readonly string[] => {
  const documented = documentedResponse(subject);
  return documented === null || isBodiless(subject) ? [] : Object.keys(documented.schemas);
};

/** GEN-2: the media type is one that the document gives for the status; JSON is JSON. */
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

/** The schema for a body of this media type: that of the closest range, else of the type that the suite asks for. Null: none is given. */
const schemaOf = (
  { mediaType, schema, schemas }: ResponseDescription,
  answered: string,
): ResponseDescription['schema'] => {
  const [closest] = Object.keys(schemas)
    .filter((range) => covers(range, answered))
    .toSorted((a, b) => b.length - a.length);
  if (closest !== undefined) return isJsonType(answered) ? (schemas[closest] ?? null) : null;
  return isJsonType(mediaType) ? schema : null;
};

/** GEN-3: a JSON body matches the schema of its status. */
export const documentedSchema: Rule = (subject) => {
  const { response, serverModel } = subject;
  const documented = documentedResponse(subject);
  const schema = documented === null ? null : schemaOf(documented, response.mediaType ?? '');
  const { body } = response;
  if (schema === null || isBodiless(subject)) return [];
  if (body.kind === 'cut') return [undecidedByCut('GEN-3', body)];
  if (body.kind !== 'json') return [];
  const problems = serverModel.validator(schema)(body.value);
  return problems.length === 0 ? [passed('GEN-3')] : [schemaProblems(subject, 'GEN-3', problems)];
};

/** GEN-3: headers that the document requires are there, and what it says of their values holds. Those of rate limits are RATE-1's. */
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
    const problems = headerReadings(text).map((value) => serverModel.validator(schema)(value));
    if (problems.some((found) => found.length === 0)) return [passed('GEN-3')];
    const undecided = problems.flat().find((problem) => problem.undecided);
    if (undecided) return [inconclusive('GEN-3', { code: 'slow-pattern', problem: undecided.actual })];
    const wanted = problems[0]?.map(({ expected }) => expected).join('\n') ?? '';
    return [breach(subject, 'GEN-3', { rule: 'header-invalid', name, value: text, wanted })];
  });
};

/** What a header's text may be taken for: a value by itself, or a list. */
const headerReadings = (text: string) => [
  ...lenientParses(text),
  ...lenientParses(text.split(',').map((item) => item.trim())),
];
