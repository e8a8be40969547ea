import type { ApiRequest, Header, WireRequest } from './exchange.ts';

/** Writes a request as it goes over the wire: the base URL before it, the key in it as its credential has it. */
export const toWire = (
  request: ApiRequest,
  baseUrl: string,
  key: string,
  version: string,
  otherKeys: readonly string[] = [],
): WireRequest => {
  const presented = request.credential.apply(key, otherKeys);
  const query = [request.query, presented.query ?? ''].filter((part) => part !== '').join('&');
  const defaults: readonly Header[] = [
    ['User-Agent', `animal-store-conformance/${version}`],
    ['Accept', 'application/json'],
  ];
  const given = [...presented.headers, ...request.headers];
  const names = new Set(
    [...given.map(([name]) => name), ...(request.omits ?? [])].map((name) => name.toLowerCase()),
  );
  return {
    method: request.method,
    url: `${baseUrl}${request.path}${query === '' ? '' : `?${query}`}`,
    headers: [
      ...defaults.filter(([name]) => !names.has(name.toLowerCase())),
      ...given,
      ...framingHeaders(request),
    ],
    body: request.body,
    ...(request.framing === undefined ? {} : { framing: request.framing }),
  };
};

const framingHeaders = ({ framing, body }: ApiRequest): readonly Header[] => {
  if (framing === 'chunks' || framing === 'malformed chunk size') return [['Transfer-Encoding', 'chunked']];
  return framing === 'malformed length' ? [['Content-Length', `${Buffer.byteLength(body ?? '')}x`]] : [];
};
