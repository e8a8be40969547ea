import type { Exchange, FailedExchange, Header, WireRequest, WireResponse } from '../http/exchange.ts';
import { keyPlaces } from '../http/key-locations.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { Arrival } from '../oracle/requests/arrival.ts';
import { counter } from '../reference/patch-kit/core.ts';
import { describeRequest } from './recorder.ts';

/** Recorded traffic of a client. */
export interface RecordedTraffic {
  /** The most frequent base address. */
  readonly baseUrl: string;
  /** The requests to each base address: each has its own keys and limits. */
  readonly servers: readonly (readonly Arrival[])[];
  /** Keys and other credentials in the recording: no report may have them. */
  readonly secrets: readonly string[];
}

export type ReadHar =
  | { readonly ok: true; readonly traffic: RecordedTraffic }
  | { readonly ok: false; readonly problem: 'not-json' | 'not-har' | 'no-requests' };

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;
const members = (value: unknown): Members => (isMembers(value) ? value : {});
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isMembers) : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const positive = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** HTTP/2 has its own lines for the method and the path, which begin with a colon. */
const headersOf = (message: Members): readonly Header[] =>
  listOf(message.headers).flatMap(({ name, value }): Header[] => {
    const [header, text] = [textOf(name), textOf(value)];
    return header === null || text === null || header.startsWith(':') ? [] : [[header, text]];
  });

const bytesOf = ({ text, encoding }: Members): Uint8Array =>
  Buffer.from(textOf(text) ?? '', encoding === 'base64' ? 'base64' : 'utf8');

const requestOf = (request: Members): WireRequest | null => {
  const [method, url] = [textOf(request.method), textOf(request.url)];
  if (method === null || url === null || !/^https?:/.test(url) || !URL.canParse(url)) return null;
  const body = isMembers(request.postData) ? textOf(request.postData.text) : null;
  return { method, url, headers: headersOf(request), body };
};

const responseOf = (response: Members): WireResponse | null =>
  positive(response.status) === 0
    ? null
    : {
        status: positive(response.status),
        headers: headersOf(response).filter(([name]) => name.toLowerCase() !== 'content-encoding'),
        body: bytesOf(members(response.content)),
      };

interface Entry {
  readonly wire: WireRequest;
  readonly response: WireResponse | null;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly endedAt: number;
  readonly connection: string | null;
}

const entryOf = (entry: Members): readonly Entry[] => {
  const wire = requestOf(members(entry.request));
  const began = Date.parse(textOf(entry.startedDateTime) ?? '');
  if (wire === null || Number.isNaN(began) || entry._fromCache !== undefined) return [];
  const timings = members(entry.timings);
  const queued = positive(timings.blocked) + positive(timings.dns) + positive(timings.connect);
  const startedAt = began + queued;
  const endedAt = Math.max(startedAt, began + positive(entry.time));
  const durationMs = Math.min(endedAt - startedAt, positive(timings.send) + positive(timings.wait));
  const response = responseOf(members(entry.response));
  return [{ wire, response, startedAt, durationMs, endedAt, connection: textOf(entry.connection) }];
};

/** The base address in a URL of the API; null: it looks like another URL. */
const baseIn = ({ wire: { url } }: Entry): string | null =>
  /^(https?:\/\/[^/?#]+(?:\/[^?#]*?)?)\/(?:pets|store\/orders)(?:[/?#]|$)/.exec(url)?.[1] ?? null;

/** The base addresses, the most frequent first; only those that end in `/v1`, if there are any. */
const basesOf = (entries: readonly Entry[]): readonly string[] => {
  const found = entries.flatMap((entry) => baseIn(entry) ?? []);
  const counted = [...Map.groupBy(found, (base) => base)];
  const bases = counted.toSorted(([, a], [, b]) => b.length - a.length).map(([base]) => base);
  const versioned = bases.filter((base) => base.endsWith('/v1'));
  return versioned.length > 0 ? versioned : bases;
};

const notReceived: FailedExchange['failure'] = {
  kind: 'reset',
  detail: { code: 'closed', bodyBytes: null },
  reused: false,
};

const arrivalOf = (entry: Entry, id: number, basePath: string, document: ApiDocument): Arrival => {
  const { wire, response, startedAt, durationMs, endedAt, connection } = entry;
  const { operation, request } = describeRequest(wire, document, basePath);
  const sent = { id, request, wire, startedAt, durationMs };
  const exchange: Exchange =
    response === null
      ? { ...sent, response: null, failure: notReceived }
      : { ...sent, response, failure: null };
  const isRead = response !== null;
  return { exchange, operation, connection, sentAfter: startedAt, endedAt, isRead, isBanned: false };
};

const credentialHeaders = new Set([
  'authorization',
  'cookie',
  ...keyPlaces.filter(({ kind }) => kind === 'header').map(({ name }) => name.toLowerCase()),
]);
const credentialParameters = new Set(
  keyPlaces.filter(({ kind }) => kind === 'query').map(({ name }) => name),
);

const secretsIn = ({ wire }: Entry): readonly string[] => [
  ...wire.headers
    .filter(([name]) => credentialHeaders.has(name.toLowerCase()))
    .flatMap(([, value]) => value.split(/[\s;=]+/).filter((part) => part.length >= 6)),
  ...[...new URL(wire.url).searchParams]
    .filter(([name]) => credentialParameters.has(name))
    .map(([, value]) => value),
];

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/** Reads the requests for the API from a HAR of a browser, of a proxy, or of this program. `target`: the base address; null: find it. */
export const readHar = (text: string, document: ApiDocument, target: string | null): ReadHar => {
  const har = parse(text);
  if (har === undefined) return { ok: false, problem: 'not-json' };
  const { entries: given } = members(members(har).log);
  if (!Array.isArray(given)) return { ok: false, problem: 'not-har' };
  const all = listOf(given).flatMap(entryOf);
  const bases = target === null ? basesOf(all) : [target];
  const own = bases
    .map((base) => ({
      basePath: new URL(base).pathname.replace(/\/$/, ''),
      entries: all
        .filter(({ wire }) => wire.url.startsWith(`${base}/`))
        .toSorted((a, b) => a.startedAt - b.startedAt),
    }))
    .filter(({ entries }) => entries.length > 0);
  const [baseUrl] = bases;
  if (baseUrl === undefined || own.length === 0) return { ok: false, problem: 'no-requests' };
  const nextId = counter();
  const servers = own.map(({ basePath, entries }) =>
    entries.map((entry) => arrivalOf(entry, nextId(), basePath, document)),
  );
  const secrets = own.flatMap(({ entries }) => entries.flatMap(secretsIn));
  return { ok: true, traffic: { baseUrl, servers, secrets: [...new Set(secrets)] } };
};
