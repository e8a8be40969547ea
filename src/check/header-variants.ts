import type { ApiRequest, Credential, Header } from '../http/exchange.ts';
import { hashOf } from '../util/hash.ts';

type Said = Pick<ApiRequest, 'headers' | 'omits'>;

/** What requests say besides what they ask for: which media types and codings are taken, and who it is that asks. */
export interface RequestVariant {
  /** Completes "requests …". */
  readonly inWords: string;
  readonly said: Said;
}

/** As every request that says nothing of it. */
const json: RequestVariant = { inWords: 'with Accept: application/json', said: { headers: [] } };
const nothing: RequestVariant = {
  inWords: 'without an Accept header',
  said: { headers: [], omits: ['Accept'] },
};
const anything: RequestVariant = {
  inWords: 'with Accept: */*',
  said: {
    headers: [
      ['Accept', '*/*'],
      ['Accept-Encoding', 'gzip'],
    ],
  },
};
const jsonRather: RequestVariant = {
  inWords: 'with Accept: application/json;q=0.9, */*;q=0.1',
  said: { headers: [['Accept', 'application/json;q=0.9, */*;q=0.1']] },
};
/** As a browser, and with a date that is none: the field is to be ignored then (RFC 9110 13.1.3). */
const browser: RequestVariant = {
  inWords: 'with the headers of a browser (Accept: text/html…, Accept-Language, If-Modified-Since: none)',
  said: {
    headers: [
      ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['Accept-Language', 'de-CH, fr;q=0.7, *;q=0.1'],
      ['If-Modified-Since', 'none'],
    ],
  },
};

/** Many requests ask for JSON alone. A body is JSON whatever else is welcome (RFC 9110 12.5.1). */
const ways: readonly RequestVariant[] = [json, anything, json, jsonRather, nothing, browser];

const acceptOf = ({ headers, omits = [] }: Said): string | null =>
  omits.includes('Accept') ? null : (headers.find(([name]) => name === 'Accept')?.[1] ?? '');

/** The way in which a request says it; null: in one of its own. */
export const variantOf = (request: Said): RequestVariant | null =>
  ways.find(({ said }) => acceptOf(said) === acceptOf(request)) ?? null;

/** Which part of all requests says it so: from 0 to 1. */
export const shareOf = (way: RequestVariant): number =>
  ways.filter((each) => each === way).length / ways.length;

/** Enough of a body to tell most from each other. */
const telling = 200;

/** How a request presents a key, whatever the key is. */
const asPresented = ({ apply }: Credential): string => {
  const { headers, query = '' } = apply('key');
  return [query, ...headers.map(([name, value]) => `${name}: ${value}`)].join(' ');
};

/** What a request says of the media types and codings it takes: by its content, so that it says the same when it is sent again. */
export const withAccept = (request: ApiRequest): ApiRequest => {
  if (request.headers.some(([name]: Header) => name === 'Accept')) return request;
  // What differs in case alone from other requests is to differ in nothing else.
  if (request.credential.dedicatedConnection) return request;
  const { method, path, query, body, credential } = request;
  const text = typeof body === 'string' ? body.slice(0, telling) : '';
  const way = ways[hashOf(`${method} ${path}?${query} ${asPresented(credential)} ${text}`) % ways.length];
  return way === undefined
    ? request
    : { ...request, ...way.said, headers: [...request.headers, ...way.said.headers] };
};
