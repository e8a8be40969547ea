import type { UnreadableReason } from '../../http/parsed-response.ts';
import { excerpt, splitSafe } from '../../json/excerpt.ts';
import { defineProblem, ofResponse, type ProblemText, type Seen } from '../define-problem.ts';
import { type Mistakes, schemaPosition, schemaText } from '../words/schema.ts';

/** A body that is not JSON: excerpts, and the place of the syntax error. */
export interface BrokenBody {
  readonly why: UnreadableReason;
  /** Counted from 1; null: not known. */
  readonly character: number | null;
  readonly start: string;
  /** The text around the error, which is at index `at`. */
  readonly near: string;
  readonly at: number;
}

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

const withoutError = ({ body }: { body: BrokenBody | null }, seen: Seen): ProblemText =>
  ofResponse(
    seen,
    `expected an Error, got ${insteadOfJson(body)}`,
    'a JSON object with code, message and status',
    shownBody(body),
  );

type Unreadable =
  | { as: 'json'; body: BrokenBody }
  | { as: 'page'; body: BrokenBody; mediaType: string | null; contentType: string }
  /** Null: an empty body. */
  | { as: 'error' | 'documented'; body: BrokenBody | null };

const unreadable = (facts: Unreadable, seen: Seen): ProblemText => {
  switch (facts.as) {
    case 'json': {
      const wrong = `body is not JSON: ${jsonErrorText(facts.body)}`;
      return ofResponse(seen, wrong, 'a JSON text (RFC 8259)', excerptAt(facts.body));
    }
    case 'page': {
      const wrong = `expected application/json, got ${kindOfPage(facts.mediaType)}`;
      const actual = `${shownType(facts.contentType)}\n${excerpt(facts.body.start)}`;
      return ofResponse(seen, wrong, 'Content-Type: application/json, and a JSON text', actual);
    }
    case 'error':
      return withoutError(facts, seen);
    case 'documented': {
      const wrong = `expected a JSON body, got ${insteadOfJson(facts.body)}`;
      return ofResponse(seen, wrong, 'the documented JSON body', shownBody(facts.body));
    }
  }
};

const exampleBody: BrokenBody = {
  why: { code: 'unexpected', expected: 'end', found: 'c' },
  character: 12,
  start: '{"name":"x"c',
  near: '{"name":"x"c',
  at: 11,
};

/** Problems with bodies. */
export const bodyKinds = {
  /** `types`: the media types in the document; null: JSON. */
  'empty-body': defineProblem<{ types: readonly string[] | null }>({
    example: { types: null },
    saysBothSides: true,
    text: ({ types }, seen) => {
      const wanted = types === null ? 'a JSON body' : `a body of ${types.join(' or ')}`;
      return ofResponse(seen, `expected ${wanted}, got an empty body`, wanted, 'an empty body');
    },
  }),
  'media-type': defineProblem<{
    types: readonly string[] | null;
    mediaType: string | null;
    contentType: string;
  }>({
    example: { types: null, mediaType: 'text/html', contentType: 'text/html; charset=utf-8' },
    saysBothSides: true,
    text: ({ types, mediaType, contentType }, seen) => {
      const wrong =
        types === null
          ? `expected Content-Type application/json, got ${mediaType ?? 'none'}`
          : `expected ${types.join(' or ')}, got ${mediaType ?? 'no Content-Type'}`;
      const wanted = (types ?? ['application/json']).join(' or ');
      return ofResponse(seen, wrong, `Content-Type: ${wanted}`, shownType(contentType));
    },
  }),
  'unreadable-body': defineProblem<Unreadable>({
    example: { as: 'json', body: exampleBody },
    saysBothSides: true,
    text: unreadable,
  }),
  /** Null: an empty body. */
  'no-error-body': defineProblem<{ body: BrokenBody | null }>({
    example: { body: null },
    saysBothSides: true,
    text: withoutError,
  }),
  schema: defineProblem<Mistakes>({
    example: {
      mistakes: [
        { keyword: 'type', wanted: ['integer'], pointer: '/0/id', member: 'id', actual: 'a string' },
      ],
      items: 2,
    },
    text: schemaText,
    variant: ({ mistakes: [first] }) => `${first?.keyword ?? ''} ${schemaPosition(first?.pointer ?? '')}`,
    members: ({ mistakes }) => [...new Set(mistakes.flatMap(({ member }) => member ?? []))].toSorted(),
  }),
  'error-status-differs': defineProblem<{ inBody: bigint; status: number }>({
    example: { inBody: 400n, status: 401 },
    text: ({ inBody, status }, seen) =>
      ofResponse(
        seen,
        `the Error has status ${inBody}, expected ${status}`,
        `"status": ${status}`,
        `"status": ${inBody}`,
      ),
  }),
  'error-with-200': defineProblem<{ body: string }>({
    example: { body: '{"code":"not_found","message":"No such pet","status":404}' },
    saysBothSides: true,
    text: ({ body }, { request }) => ({
      message: `${request}: expected an array of animals or a 4xx, got 200 with an Error`,
      expected: 'an array of animals, or a 4xx',
      actual: excerpt(body),
    }),
  }),
};
