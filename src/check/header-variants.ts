import type { ApiRequest, Credential, Header } from '../http/exchange.ts';
import { hashOf } from '../util/hash.ts';

type RequestHeaders = Pick<ApiRequest, 'headers' | 'omits'>;

/** Headers that do not change the meaning of a request: accepted media types and codings, and the client. */
export interface RequestVariant {
  /** Completes "requests …". */
  readonly phrase: string;
  readonly headers: readonly Header[];
  readonly omits?: readonly string[];
}

const usual: RequestVariant = { phrase: 'with Accept: application/json', headers: [] };
const withoutAccept: RequestVariant = { phrase: 'without an Accept header', headers: [], omits: ['Accept'] };
const anything: RequestVariant = {
  phrase: 'with Accept: */*',
  headers: [
    ['Accept', '*/*'],
    ['Accept-Encoding', 'gzip'],
  ],
};
const preferJson: RequestVariant = {
  phrase: 'with Accept: application/json;q=0.9, */*;q=0.1',
  headers: [['Accept', 'application/json;q=0.9, */*;q=0.1']],
};
/** Like a browser, and with an invalid date: a server must ignore the field then (RFC 9110 13.1.3). */
const browser: RequestVariant = {
  phrase: 'with the headers of a browser (Accept: text/html…, Accept-Language, If-Modified-Since: none)',
  headers: [
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['Accept-Language', 'de-CH, fr;q=0.7, *;q=0.1'],
    ['If-Modified-Since', 'none'],
  ],
};

/** JSON is listed twice, because many clients accept nothing else. The body is JSON for every variant (RFC 9110 12.5.1). */
const variants: readonly RequestVariant[] = [usual, anything, usual, preferJson, withoutAccept, browser];

const acceptOf = ({ headers, omits = [] }: RequestHeaders): string | null =>
  omits.includes('Accept') ? null : (headers.find(([name]) => name === 'Accept')?.[1] ?? '');

/** The variant of a request; null if its Accept header is its own. */
export const variantOf = (request: RequestHeaders): RequestVariant | null =>
  variants.find((variant) => acceptOf(variant) === acceptOf(request)) ?? null;

/** The header fields by which variants differ. */
const variantFields: readonly string[] = [
  ...new Set(['Accept', ...variants.flatMap(({ headers }) => headers.map(([name]) => name))]),
];

/** The header fields of a request that do not matter, because requests of another variant have the same result. */
export const irrelevantFields = (
  request: RequestHeaders,
  others: readonly RequestHeaders[],
): readonly string[] => {
  const variant = variantOf(request);
  const differs = (other: RequestHeaders): boolean => variantOf(other) !== variant;
  return variant !== null && others.some(differs) ? variantFields : [];
};

/** The part of all requests that have this variant: from 0 to 1. */
export const shareOf = (variant: RequestVariant): number =>
  variants.filter((each) => each === variant).length / variants.length;

/** The first characters of a body distinguish most bodies. */
const hashedCharacters = 200;

/** How a request presents a key, independent of the key itself. */
const presentation = ({ apply }: Credential): string => {
  const { headers, query = '' } = apply('key');
  return [query, ...headers.map(([name, value]) => `${name}: ${value}`)].join(' ');
};

/** Returns the request with the headers of a variant. The content selects the variant, so that a repeated request is identical. */
export const withVariant = (request: ApiRequest): ApiRequest => {
  if (request.headers.some(([name]: Header) => name === 'Accept')) return request;
  // A request that differs from others only in case must not differ in anything else.
  if (request.credential.dedicatedConnection) return request;
  const { method, path, query, body, credential } = request;
  const text = typeof body === 'string' ? body.slice(0, hashedCharacters) : '';
  const hash = hashOf(`${method} ${path}?${query} ${presentation(credential)} ${text}`);
  const { headers, omits } = variants[hash % variants.length] ?? usual;
  return { ...request, ...(omits === undefined ? {} : { omits }), headers: [...request.headers, ...headers] };
};
