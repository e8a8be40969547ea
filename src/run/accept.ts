import type { ApiRequest, Header } from '../client/exchange.ts';
import { hashOf } from './hash.ts';

type Said = Pick<ApiRequest, 'headers' | 'omits'>;

const accepts = (value: string): Said => ({ headers: [['Accept', value]] });

/** Most requests ask for JSON alone, as every one does that says nothing of it. A body is JSON whatever else is welcome (RFC 9110 12.5.1). */
const ways: readonly Said[] = [
  { headers: [] },
  { headers: [...accepts('*/*').headers, ['Accept-Encoding', 'gzip']] },
  { headers: [] },
  accepts('application/json;q=0.9, */*;q=0.1'),
  { headers: [] },
  { headers: [], omits: ['Accept'] },
];

/** Enough of a body to tell most from each other. */
const telling = 200;

/** What a request says of the media types and codings it takes: by its content, so that it says the same when it is sent again. */
export const withAccept = (request: ApiRequest): ApiRequest => {
  if (request.headers.some(([name]: Header) => name === 'Accept')) return request;
  const { method, path, query, body, credential } = request;
  const text = typeof body === 'string' ? body.slice(0, telling) : '';
  const said = ways[hashOf(`${method} ${path}?${query} ${credential.label} ${text}`) % ways.length];
  return said === undefined
    ? request
    : { ...request, ...said, headers: [...request.headers, ...said.headers] };
};
