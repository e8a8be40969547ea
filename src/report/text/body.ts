import type { UnreadableReason } from '../../http/parsed-response.ts';
import { excerpt, splitSafe } from '../../json/excerpt.ts';
import type { BodyProblem, BrokenBody } from '../../oracle/problems/body.ts';
import { schemaText } from './schema.ts';
import { ofResponse, type Seen, type Texts } from './texts.ts';

const around = ({ near, at }: BrokenBody, before: number, length: number): string => {
  const from = splitSafe(near, Math.max(0, at - before));
  return `${from > 0 ? '…' : ''}${excerpt(near.slice(from), length)}`;
};

const tokens: Readonly<Record<string, string>> = {
  value: 'a value',
  name: 'a member name in double quotes',
  end: 'the end',
};

const syntax = {
  'open-string': 'a string without its closing quote',
  'control-character': 'a control character in a string',
  'malformed-escape': 'a malformed escape in a string',
  'too-many-items': 'too many items',
} as const;

const encodings = { 'byte-order-mark': 'a byte order mark', 'invalid-utf8': 'invalid UTF-8' } as const;

const why = (reason: UnreadableReason): string => {
  if (reason.code === 'encoding') return `it has ${encodings[reason.encoding]}`;
  if (reason.code === 'coding') return `it has the coding "${reason.coding}", which is not decoded`;
  if (reason.code !== 'unexpected') return syntax[reason.code];
  const { expected, found } = reason;
  const wanted = tokens[expected] ?? [...expected].map((character) => `"${character}"`).join(' or ');
  return `expected ${wanted}, got ${found === null ? tokens.end : JSON.stringify(found)}`;
};

/** Why a body is not JSON, and its position: `expected ",", got "c" at character 20: …"name":""conf…`. */
export const jsonErrorText = (body: BrokenBody): string =>
  body.character === null
    ? why(body.why)
    : `${why(body.why)} at character ${body.character}: ${around(body, 20, 40)}`;

/** The part of a body that breaks the grammar. */
export const excerptAt = (body: BrokenBody): string => around(body, 60, 120);

/** Whether a body begins like JSON, so that JSON was intended. */
export const looksLikeJson = ({ start }: BrokenBody): boolean => /^\s*[[{"]/.test(start);

/** Describes a body that is not JSON. */
const insteadOfJson = (body: BrokenBody | null): string => {
  if (body === null) return 'an empty body';
  return looksLikeJson(body) ? `broken JSON: ${jsonErrorText(body)}` : 'a body that is not JSON';
};

const shownBody = (body: BrokenBody | null): string => {
  if (body === null) return 'an empty body';
  return looksLikeJson(body) ? excerptAt(body) : excerpt(body.start);
};

/** Describes a body that neither is JSON nor has its media type. */
const kindOfPage = (mediaType: string | null): string => {
  if (mediaType === null) return 'no Content-Type and a body that is not JSON';
  return mediaType === 'text/html' ? 'HTML' : mediaType;
};

const shownType = (contentType: string): string =>
  contentType === '' ? 'no Content-Type' : `Content-Type: ${contentType}`;

const withoutError = (body: BrokenBody | null, seen: Seen) =>
  ofResponse(
    seen,
    `expected an Error, got ${insteadOfJson(body)}`,
    'a JSON object with code, message and status',
    shownBody(body),
  );

/** The sentences about bodies. */
export const bodyTexts: Texts<BodyProblem> = {
  'empty-body': ({ types }, seen) => {
    const wanted = types === null ? 'a JSON body' : `a body of ${types.join(' or ')}`;
    return ofResponse(seen, `expected ${wanted}, got an empty body`, wanted, 'an empty body');
  },
  'media-type': ({ types, mediaType, contentType }, seen) => {
    const wrong =
      types === null
        ? `expected Content-Type application/json, got ${mediaType ?? 'none'}`
        : `expected ${types.join(' or ')}, got ${mediaType ?? 'no Content-Type'}`;
    const wanted = (types ?? ['application/json']).join(' or ');
    return ofResponse(seen, wrong, `Content-Type: ${wanted}`, shownType(contentType));
  },
  'unreadable-body': (problem, seen) => {
    if (problem.as === 'json')
      return ofResponse(
        seen,
        `body is not JSON: ${jsonErrorText(problem.body)}`,
        'a JSON text (RFC 8259)',
        excerptAt(problem.body),
      );
    if (problem.as === 'page')
      return ofResponse(
        seen,
        `expected application/json, got ${kindOfPage(problem.mediaType)}`,
        'Content-Type: application/json, and a JSON text',
        `${shownType(problem.contentType)}\n${excerpt(problem.body.start)}`,
      );
    if (problem.as === 'error') return withoutError(problem.body, seen);
    const wrong = `expected a JSON body, got ${insteadOfJson(problem.body)}`;
    return ofResponse(seen, wrong, 'the documented JSON body', shownBody(problem.body));
  },
  'no-error-body': ({ body }, seen) => withoutError(body, seen),
  schema: schemaText,
  'error-status-differs': ({ inBody, status }, seen) =>
    ofResponse(
      seen,
      `the Error has status ${inBody}, expected ${status}`,
      `"status": ${status}`,
      `"status": ${inBody}`,
    ),
  'error-with-200': ({ body }, { request }) => ({
    message: `${request}: expected an array of animals or a 4xx, got 200 with an Error`,
    expected: 'an array of animals, or a 4xx',
    actual: excerpt(body),
  }),
};
