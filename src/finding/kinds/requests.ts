import { excerpt } from '../../json/excerpt.ts';
import { defineProblem, type ProblemText, type Seen } from '../define-problem.ts';
import { expectedBySchema, type SchemaMistake } from '../words/schema.ts';
import { lengthOf, waitsText } from '../words/values.ts';
import { type BrokenBody, jsonErrorText } from './body.ts';

/** Where a client puts its key instead of a bearer token. `scheme`: of its `Authorization`, which may be malformed. */
export type KeyPlacement =
  | { readonly place: 'none' | 'other-key' | 'malformed' }
  | { readonly place: 'scheme' | 'header' | 'query' | 'cookie' | 'member'; readonly name: string };

/** Why a request is outside the documented input space. */
export type InputMistake =
  /** `undescribed-body`: the operation has no request body. */
  | { readonly part: 'path' | 'method' | 'undescribed-body' }
  | { readonly part: 'parameter'; readonly name: string; readonly how: 'unknown' | 'repeated' }
  | {
      readonly part: 'value';
      readonly name: string;
      readonly value: string;
      readonly keyword: string;
      readonly wanted: readonly string[];
    }
  | { readonly part: 'media-type'; readonly mediaType: string | null }
  /** Null: no body. */
  | { readonly part: 'body'; readonly broken: BrokenBody | null }
  /** A member that the schema does not have. */
  | { readonly part: 'member'; readonly name: string }
  | { readonly part: 'schema'; readonly mistake: SchemaMistake };

/** Why waits are not exponential. */
export type FlatShape = 'constant' | 'shrinking' | 'linear' | 'flat' | 'short';

const placed = (placement: KeyPlacement): string => {
  switch (placement.place) {
    case 'none':
      return 'no key';
    case 'other-key':
      return 'another key than ANIMAL_STORE_API_KEY';
    case 'malformed':
      return 'an Authorization header without "Bearer" and one token';
    case 'scheme':
      return `the scheme ${placement.name}`;
    default:
      return `the key in the ${placement.place} ${placement.name}`;
  }
};

const shapes: Readonly<Record<FlatShape, string>> = {
  constant: 'stay the same',
  shrinking: 'become shorter',
  linear: 'grow by equal amounts',
  flat: 'do not grow',
  short: 'stay below 100 ms',
};

const schemaSides = (mistake: SchemaMistake): readonly [expected: string, actual: string] => {
  const place = mistake.pointer === '' ? 'the body' : mistake.pointer.slice(1);
  return [`a valid NewPet: ${place}: ${expectedBySchema(mistake)}`, mistake.actual];
};

const sidesOf = (mistake: InputMistake): readonly [expected: string, actual: string] => {
  switch (mistake.part) {
    case 'path':
      return ['a path of the document, below the base address', 'an unknown path'];
    case 'method':
      return ['a method that the document has for this path', 'another method'];
    case 'undescribed-body':
      return ['no body, because the document describes none', 'a body'];
    case 'parameter':
      return mistake.how === 'unknown'
        ? ['documented query parameters', `the unknown parameter ${mistake.name}`]
        : [`${mistake.name} once`, `${mistake.name} several times`];
    case 'value':
      return [
        `${mistake.name}: ${expectedBySchema(mistake)}`,
        `${mistake.name}=${excerpt(mistake.value, 60)}`,
      ];
    case 'media-type':
      return ['Content-Type: application/json', mistake.mediaType ?? 'no Content-Type'];
    case 'body': {
      const { broken } = mistake;
      return ['a NewPet as JSON', broken === null ? 'no body' : `broken JSON: ${jsonErrorText(broken)}`];
    }
    case 'member':
      return ['a NewPet with documented members only', `the unknown member ${mistake.name}`];
    case 'schema':
      return schemaSides(mistake.mistake);
  }
};

const ofRequest = ({ request }: Seen, expected: string, actual: string): ProblemText => ({
  message: `${request}: expected ${expected}, got ${actual}`,
  expected,
  actual,
});

const variantOf = (mistake: InputMistake): string => {
  if (mistake.part === 'schema') return `${mistake.mistake.keyword} ${mistake.mistake.pointer}`;
  return 'name' in mistake ? `${mistake.part} ${mistake.name}` : mistake.part;
};

type EarlyRequest = {
  readonly retryAfter: string;
  /** Milliseconds from the 429 to the request, and from the request to the end of the wait. */
  readonly afterMs: number;
  readonly earlyMs: number;
};

type FlatWaits = {
  readonly shape: FlatShape;
  /** Milliseconds beyond `Retry-After`, of each series. */
  readonly series: readonly (readonly number[])[];
};

type LimitHit = {
  /** Milliseconds from the response with Remaining 0 to the request, and from the request to Reset. */
  readonly afterMs: number;
  readonly untilResetMs: number;
};

/** What is wrong with a request of a client. */
export const requestKinds = {
  'key-not-bearer': defineProblem<{ placement: KeyPlacement }>({
    example: { placement: { place: 'query', name: 'api_key' } },
    text: ({ placement }, seen) => ofRequest(seen, 'Authorization: Bearer <API_KEY>', placed(placement)),
    variant: ({ placement }) => placement.place,
  }),
  'sent-during-wait': defineProblem<EarlyRequest>({
    example: { retryAfter: '2', afterMs: 12, earlyMs: 1988 },
    text: ({ retryAfter, afterMs, earlyMs }, { request }) => ({
      message: `${request}: expected no request until Retry-After (${retryAfter}) has passed, got one ${lengthOf(earlyMs)} too early`,
      expected: `the next request ${lengthOf(afterMs + earlyMs)} after the 429, or later`,
      actual: `${lengthOf(afterMs)} after the 429`,
    }),
    headers: () => ['Retry-After'],
  }),
  'not-exponential': defineProblem<FlatWaits>({
    example: { shape: 'constant', series: [[500, 502, 501, 500, 503, 500]] },
    text: ({ shape, series }) => ({
      message: `Waits beyond Retry-After: expected waits that grow by a factor, got waits that ${shapes[shape]}`,
      expected: 'waits that grow by a factor, for example 1, 2, 4, and 8 s, or no further tries',
      actual: waitsText(series),
    }),
  }),
  'key-banned': defineProblem<{ sentAfter429: number }>({
    example: { sentAfter429: 4 },
    text: ({ sentAfter429 }, { request }) => ({
      message: `${request}: expected a wait after the 429, got so many requests that the key was banned`,
      expected: 'no requests until Retry-After has passed, and longer waits if 429s repeat',
      actual: `${sentAfter429} requests after the first 429`,
    }),
  }),
  'undocumented-request': defineProblem<{ mistake: InputMistake }>({
    example: { mistake: { part: 'parameter', name: 'page', how: 'unknown' } },
    text: ({ mistake }, seen) => ofRequest(seen, ...sidesOf(mistake)),
    variant: ({ mistake }) => variantOf(mistake),
  }),
  'deprecated-operation': defineProblem<{ operation: string }>({
    example: { operation: 'getPet' },
    text: (_, { request }) => ({
      message: `${request}: expected GET /pets with a status filter, got the deprecated operation, which is removed on 5 December 2030`,
      expected: 'GET /pets with a status filter',
      actual: 'GET /pets/{petId}',
    }),
  }),
  'limit-hit': defineProblem<LimitHit>({
    example: { afterMs: 20, untilResetMs: 3980 },
    text: ({ afterMs, untilResetMs }, { request }) => ({
      message: `${request}: expected a wait until X-RateLimit-Reset, because X-RateLimit-Remaining was 0, got a request ${lengthOf(untilResetMs)} before it`,
      expected: `the next request ${lengthOf(afterMs + untilResetMs)} after the response with X-RateLimit-Remaining: 0, or later`,
      actual: `${lengthOf(afterMs)} after it; it got 429`,
    }),
    headers: () => ['X-RateLimit-Remaining'],
  }),
};
