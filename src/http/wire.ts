import type { ApiRequest, Header, WireRequest } from './exchange.ts';

/** Adds base URL, default headers, and credential to a request. */
export const toWire = (
  request: ApiRequest,
  baseUrl: string,
  key: string,
  version: string,
  otherKeys: readonly string[] = [],
  given: readonly Header[] = [],
): WireRequest => {
  const credential = request.credential.apply(key, otherKeys, given);
  const query = [request.query, credential.query ?? ''].filter((part) => part !== '').join('&');
  const base = request.basePath === undefined ? baseUrl : `${new URL(baseUrl).origin}${request.basePath}`;
  const defaults: readonly Header[] = [
    ['User-Agent', `animal-store-conformance/${version}`],
    ['Accept', 'application/json'],
  ];
  const headers = oneCookie([
    ...without(given, [...(request.credential.omits ?? []), ...credential.headers.map(([name]) => name)]),
    ...credential.headers,
    ...request.headers,
  ]);
  const names = new Set(
    [...headers.map(([name]) => name), ...(request.omits ?? [])].map((name) => name.toLowerCase()),
  );
  return {
    method: request.method,
    url: `${base}${request.path}${query === '' ? '' : `?${query}`}`,
    headers: [
      ...defaults.filter(([name]) => !names.has(name.toLowerCase())),
      ...headers,
      ...framingHeaders(request),
    ],
    body: withMembers(request.body, credential.members),
    ...(request.framing === undefined ? {} : { framing: request.framing }),
  };
};

const without = (headers: readonly Header[], names: readonly string[]): readonly Header[] => {
  const left = new Set(names.map((name) => name.toLowerCase()));
  return headers.filter(([name]) => !left.has(name.toLowerCase()));
};

/** A request has at most one Cookie header (RFC 6265 5.4). */
const oneCookie = (headers: readonly Header[]): readonly Header[] => {
  const cookies = headers.filter(([name]) => name.toLowerCase() === 'cookie');
  if (cookies.length < 2) return headers;
  return [...without(headers, ['cookie']), ['Cookie', cookies.map(([, value]) => value).join('; ')]];
};

/** Adds members to a JSON object, before its own. */
const withMembers = (body: ApiRequest['body'], members: Readonly<Record<string, string>> = {}) =>
  typeof body === 'string' && Object.keys(members).length > 0
    ? body.replace(/^\{(?=")/, () => `${JSON.stringify(members).slice(0, -1)},`)
    : body;

const framingHeaders = ({ framing, body }: ApiRequest): readonly Header[] => {
  if (framing === 'chunks' || framing === 'malformed chunk size') return [['Transfer-Encoding', 'chunked']];
  return framing === 'malformed length' ? [['Content-Length', `${Buffer.byteLength(body ?? '')}x`]] : [];
};
