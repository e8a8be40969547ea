import type { ApiRequest, Header, WireRequest } from './exchange.ts';

/** Adds base URL, default headers, and credential to a request. */
export const toWire = (
  request: ApiRequest,
  baseUrl: string,
  key: string,
  version: string,
  otherKeys: readonly string[] = [],
): WireRequest => {
  const credential = request.credential.apply(key, otherKeys);
  const query = [request.query, credential.query ?? ''].filter((part) => part !== '').join('&');
  const base = request.basePath === undefined ? baseUrl : `${new URL(baseUrl).origin}${request.basePath}`;
  const defaults: readonly Header[] = [
    ['User-Agent', `animal-store-conformance/${version}`],
    ['Accept', 'application/json'],
  ];
  const headers = [...credential.headers, ...request.headers];
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

/** Adds members to a JSON object, before its own. */
const withMembers = (body: ApiRequest['body'], members: Readonly<Record<string, string>> = {}) =>
  typeof body === 'string' && Object.keys(members).length > 0
    ? body.replace(/^\{(?=")/, () => `${JSON.stringify(members).slice(0, -1)},`)
    : body;

const framingHeaders = ({ framing, body }: ApiRequest): readonly Header[] => {
  if (framing === 'chunks' || framing === 'malformed chunk size') return [['Transfer-Encoding', 'chunked']];
  return framing === 'malformed length' ? [['Content-Length', `${Buffer.byteLength(body ?? '')}x`]] : [];
};
