import { STATUS_CODES } from 'node:http';
import type { ResponseView } from '../http/request-view.ts';
import type { Outcome, RecordedExchange } from '../run/outcome.ts';
import { jsonText } from './json-text.ts';
import { harComment } from './text/report-files.ts';

/** A larger HAR opens slowly, or not at all, in the developer tools of a browser. */
const MOST_BYTES = 20_000_000;

type Headers = Readonly<Record<string, string>>;

const pairs = (headers: Headers) => Object.entries(headers).map(([name, value]) => ({ name, value }));

const mediaType = (headers: Headers): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

const bytes = (body: string | null): number => (body === null ? 0 : Buffer.byteLength(body));

/** Name and value of each query parameter, decoded, as HAR requires. Invalid escapes stay as they were sent. */
const queryOf = (url: string) => {
  const query = URL.canParse(url) ? new URL(url).search : '';
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
};

const responseOf = (response: ResponseView | null) => ({
  status: response?.status ?? 0,
  statusText: response === null ? '' : (STATUS_CODES[response.status] ?? ''),
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: pairs(response?.headers ?? {}),
  content: {
    size: bytes(response?.body ?? null),
    mimeType: mediaType(response?.headers ?? {}),
    ...(response === null || response.body === null ? {} : { text: response.body }),
  },
  redirectURL: '',
  headersSize: -1,
  bodySize: response === null ? -1 : bytes(response.body),
});

const entryOf = (exchange: RecordedExchange) => ({
  startedDateTime: new Date(exchange.startedAt).toISOString(),
  time: exchange.durationMs,
  request: {
    method: exchange.request.method,
    url: exchange.request.url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(exchange.request.headers),
    queryString: queryOf(exchange.request.url),
    ...(exchange.request.body === null
      ? {}
      : { postData: { mimeType: mediaType(exchange.request.headers), text: exchange.request.body } }),
    headersSize: -1,
    bodySize: bytes(exchange.request.body),
  },
  response: responseOf(exchange.response),
  cache: {},
  timings: { send: 0, wait: exchange.durationMs, receive: 0 },
  // Names of custom fields begin with an underscore (HAR 1.2).
  _id: exchange.id,
  _check: exchange.check,
  _operation: exchange.operation,
  _error: exchange.failure,
  _breaches: exchange.breaches,
});

type Entry = ReturnType<typeof entryOf>;

/** Returns exchanges in the order of sending. If there are too many bytes, exchanges with breaches stay. */
const withinBytes = (exchanges: readonly RecordedExchange[], most: number): readonly RecordedExchange[] => {
  let room = most;
  const byPriority = exchanges.toSorted(
    (a, b) => Math.sign(b.breaches.length) - Math.sign(a.breaches.length),
  );
  const kept = byPriority.filter((exchange) => {
    room -= Buffer.byteLength(JSON.stringify(exchange)) * 2;
    return room >= 0;
  });
  return kept.toSorted((a, b) => a.id - b.id);
};

/** The recorded exchanges as HAR 1.2, about `most` bytes at most. An exchange without a response has status 0 and `_error`. */
export const har = (
  outcome: Pick<Outcome, 'tool' | 'exchanges'> & { readonly traffic: Pick<Outcome['traffic'], 'requests'> },
  most = MOST_BYTES,
): string => {
  const entries = withinBytes(outcome.exchanges, most).map(entryOf);
  const comment = harComment(entries.length, outcome.traffic.requests);
  return jsonText({ log: { version: '1.2', creator: outcome.tool, comment, entries } }, 1);
};

const headersOf = (headers: readonly { readonly name: string; readonly value: string }[]): Headers =>
  Object.fromEntries(headers.map(({ name, value }) => [name, value]));

const exchangeOf = (entry: Entry): RecordedExchange => ({
  id: entry._id,
  check: entry._check,
  operation: entry._operation,
  startedAt: Date.parse(entry.startedDateTime),
  durationMs: entry.time,
  request: {
    method: entry.request.method,
    url: entry.request.url,
    headers: headersOf(entry.request.headers),
    body: entry.request.postData?.text ?? null,
  },
  response:
    entry.response.status === 0
      ? null
      : {
          status: entry.response.status,
          headers: headersOf(entry.response.headers),
          body: entry.response.content.text ?? null,
        },
  failure: entry._error,
  breaches: entry._breaches,
});

/** Returns the exchanges of a HAR that `har` wrote. Throws if the text is not one. */
export const fromHar = (text: string): readonly RecordedExchange[] => {
  const { log }: { readonly log: { readonly entries: readonly Entry[] } } = JSON.parse(text);
  return log.entries.map(exchangeOf);
};
