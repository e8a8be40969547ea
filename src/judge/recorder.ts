import type {
  ApiRequest,
  Credential,
  Exchange,
  FailedExchange,
  Header,
  WireRequest,
} from '../http/exchange.ts';
import type { ApiDocument } from '../openapi/document.ts';
import type { Arrival, Arrivals } from '../oracle/requests/arrival.ts';
import { matchPath } from '../oracle/requests/input-space.ts';
import type { IncomingRequest } from '../reference/incoming.ts';
import { incomingRequest } from '../reference/incoming.ts';
import type { WrittenReply } from '../reference/reply.ts';
import type { Clock } from '../time/clock.ts';

/** Responds to a request. Rejects if the connection is dropped. */
export type Responder = (
  request: IncomingRequest,
  wire: WireRequest,
  connection: object,
) => Promise<WrittenReply>;

export interface RecorderOptions {
  readonly clock: Clock;
  readonly document: ApiDocument;
  readonly respond: Responder;
  /** Numbers the exchanges of a whole judgement. */
  readonly nextId: () => number;
  /** The path of the base address: `/v1`. */
  readonly basePath: string;
  /** The latest time at which this process was certainly not busy. */
  readonly lastIdle?: () => number;
  /** Called when a request is complete. */
  readonly onArrival?: (arrival: Arrival) => void;
}

/** A request in progress. */
export interface Visit {
  readonly reply: Promise<WrittenReply>;
  /** The client read the response to its end, or closed the connection before. */
  end(isRead: boolean): void;
}

export interface Recorder {
  /** `startedAt`: when it began to arrive; absent: now. */
  visit(wire: WireRequest, connection: object, startedAt?: number): Visit;
  /** The reference server banned the key of this request. */
  banned(request: IncomingRequest): void;
  /** In the order of arrival, without requests in progress. */
  arrivals(): Arrivals;
  /** Requests so far, with those in progress. */
  readonly requests: number;
}

/** A client's credential is in the headers of its request. */
const given: Credential = { label: '', chargedTo: 'main', apply: () => ({ headers: [] }) };

/** Describes a request by the document; an unknown path is relative to the host. */
export const describeRequest = (wire: WireRequest, document: ApiDocument, basePath: string) => {
  const { pathname, search } = new URL(wire.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  const path = isBelow ? pathname.slice(basePath.length) : pathname;
  const match = isBelow ? matchPath(document, wire.method, path) : null;
  const operation = match?.operation ?? null;
  const request: ApiRequest = {
    operation: operation?.id ?? `${wire.method} ${path}`,
    method: wire.method,
    path: isBelow ? path : pathname,
    query: search.slice(1),
    headers: wire.headers,
    body: wire.body,
    credential: given,
  };
  return { operation, request, isBelow };
};

/** A browser asks for permission, or for an icon, before or beside the requests of a page. */
export const isOfBrowser = ({ method, url, headers }: WireRequest): boolean =>
  (method === 'OPTIONS' &&
    headers.some(([name]) => name.toLowerCase() === 'access-control-request-method')) ||
  (method === 'GET' && new URL(url).pathname === '/favicon.ico');

const dropped: FailedExchange['failure'] = {
  kind: 'reset',
  detail: { code: 'closed', bodyBytes: null },
  reused: false,
};

/** Records the requests that arrive, with their responses. */
export const createRecorder = (options: RecorderOptions): Recorder => {
  const { clock, document, respond, nextId, basePath, lastIdle = clock.now, onArrival } = options;
  const connections = new Map<object, string>();
  const nameOf = (connection: object): string => {
    const name = connections.get(connection) ?? String(connections.size + 1);
    connections.set(connection, name);
    return name;
  };
  const bannedRequests = new WeakSet<IncomingRequest>();
  const arrivals: Arrival[] = [];
  let requests = 0;

  const visit = (wire: WireRequest, connection: object, startedAt = clock.now()): Visit => {
    const sentAfter = Math.min(startedAt, lastIdle());
    const { operation, request } = describeRequest(wire, document, basePath);
    const { framing: _, ...plain } = wire;
    const incoming = incomingRequest(plain);
    const sent = { id: nextId(), request, wire, startedAt };
    let exchange: Exchange | null = null;
    requests += 1;
    const reply = respond(incoming, wire, connection).then(
      (written) => {
        exchange = {
          ...sent,
          durationMs: clock.now() - startedAt,
          response: responseOf(written),
          failure: null,
        };
        return written;
      },
      (error) => {
        exchange = { ...sent, durationMs: clock.now() - startedAt, response: null, failure: dropped };
        throw error;
      },
    );
    let isOver = false;
    const end = (isRead: boolean): void => {
      if (isOver) return;
      isOver = true;
      const durationMs = clock.now() - startedAt;
      const arrival: Arrival = {
        exchange: exchange ?? { ...sent, durationMs, response: null, failure: dropped },
        operation,
        connection: nameOf(connection),
        sentAfter,
        endedAt: clock.now(),
        isRead,
        isBanned: bannedRequests.has(incoming),
      };
      arrivals.push(arrival);
      onArrival?.(arrival);
    };
    return { reply, end };
  };

  return {
    visit,
    banned: (request) => bannedRequests.add(request),
    arrivals: () => arrivals.toSorted((a, b) => a.exchange.id - b.exchange.id),
    get requests() {
      return requests;
    },
  };
};

const responseOf = ({ status, headers, body }: WrittenReply) => ({
  status,
  headers: Object.entries(headers).map(([name, value]): Header => [name, value]),
  body: body ?? new Uint8Array(),
});
