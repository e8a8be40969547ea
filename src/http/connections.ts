import { Client } from 'undici';
import type { Clock } from '../time/clock.ts';
import type { ConnectionPreference, TransportResult } from './exchange.ts';
import { connectorSkippingInterim } from './interim.ts';
import { type ConnectionOptions, tlsConnector } from './tls.ts';
import { connectorSendingVerbatim, type Verbatim } from './verbatim.ts';

/** As much as browsers read. The default of 16 KiB is less than many servers may send. */
const MAX_HEADER_BYTES = 256 * 1024;

/** Shorter than the idle time-out of most servers, so that the client usually closes first. */
const IDLE_MS = 2_000;
/** Far shorter than the idle time-out of any server. */
const RECENT_MS = 200;
/**
 * A new connection without a response for this long may wait for the server to close another one. If it is not even established, the
 * server's backlog is full and its kernel drops packets.
 */
const STARVING_MS = 1_000;
/** Fits in the shortest usual backlog, 5 connections. */
const SMALL_BACKLOG = 4;

/** One undici client per connection, because undici does not tell whether a connection is reused. */
export interface Connection {
  readonly client: Client;
  readonly origin: string;
  /** Requests on it must have this id; null: they must have no id. */
  readonly connectionId: string | null;
  readonly verbatim: Verbatim;
  /** The server's refusal of the client certificate; null: none. */
  refusal: Error | null;
  served: number;
  connected: boolean;
  /** Method and status of the last exchange. Whether a server closes the connection may depend on them. */
  last: string;
  /** End of the last exchange, by the pool's clock. */
  lastAt: number;
}

export interface ConnectionRequest {
  readonly origin: string;
  readonly connectionId: string | null;
  readonly connection: ConnectionPreference;
  readonly timeoutMs: number;
}

export interface PoolOptions extends ConnectionOptions {
  readonly concurrency: number;
  readonly clock: Clock;
}

type State = ReturnType<typeof createState>;

const createState = (options: PoolOptions) => ({
  ...options,
  all: new Set<Connection>(),
  idle: [] as Connection[],
  /** Connections without a first response, oldest first. */
  unserved: new Set<Connection>(),
  /** Unserved connections that have waited for longer than `STARVING_MS`. */
  starving: new Set<Connection>(),
  /** Requests that wait for a place in the server's backlog. */
  pending: [] as (() => void)[],
  /** Values of `last` after which a connection was reused successfully. */
  servedAfter: new Set<string>(),
  /** The server has closed a recently used connection. */
  closesRecentlyUsed: false,
  hasFullBacklog: false,
  /** Requests time out. All are sent at once, so that their time-outs overlap. */
  timesOut: false,
});

/**
 * Creates a pool with at most `concurrency` idle connections. If the server's backlog seems full, only a few connections at a time wait
 * for their first response.
 */
export const createConnectionPool = (options: PoolOptions) => {
  const state = createState(options);
  return {
    /** Returns an idle connection, or opens one. A connection id selects its own connection, even if that was not recently used. */
    acquire: (wanted: ConnectionRequest): Promise<Connection> => acquire(state, wanted),
    /** Waits for an exchange. Closes idle connections if the first exchange of a connection takes long. */
    withRelief: (connection: Connection, exchange: Promise<TransportResult>): Promise<TransportResult> =>
      withRelief(state, connection, exchange),
    /** Records which exchanges leave a connection reusable. */
    record: (connection: Connection, method: string, result: TransportResult): void =>
      record(state, connection, method, result),
    /** Keeps a connection for reuse. */
    release: (connection: Connection): void => {
      state.idle.push(connection);
      closeIdle(state, state.starving.size > 0 ? 0 : state.concurrency);
    },
    close: (connection: Connection): void => close(state, connection),
    closeAll: async (): Promise<void> => {
      releaseAll(state);
      await Promise.all([...state.all].map(({ client }) => client.destroy()));
      state.all.clear();
      state.idle.length = 0;
    },
  };
};

const acquire = async (state: State, wanted: ConnectionRequest): Promise<Connection> => {
  const { origin, connectionId, connection } = wanted;
  const fits = (each: Connection): boolean =>
    each.origin === origin &&
    each.connectionId === connectionId &&
    // The client knows before its 'disconnect' event that a response closed the connection.
    each.client.stats.connected &&
    (connection !== 'recently-used' || connectionId !== null || isRecentlyUsed(state, each));
  const at = connection === 'fresh' ? -1 : state.idle.findLastIndex(fits);
  const [idle] = at === -1 ? [] : state.idle.splice(at, 1);
  return idle ?? openInTurn(state, wanted);
};

const isRecentlyUsed = (
  { closesRecentlyUsed, servedAfter, clock }: State,
  { last, lastAt }: Connection,
): boolean => !closesRecentlyUsed && servedAfter.has(last) && clock.now() - lastAt < RECENT_MS;

/** Opens a connection as soon as the server's backlog has room. */
const openInTurn = async (state: State, wanted: ConnectionRequest): Promise<Connection> => {
  while (state.hasFullBacklog && !state.timesOut && state.unserved.size >= SMALL_BACKLOG)
    await new Promise<void>((resolve) => state.pending.push(resolve));
  const connection = open(state, wanted);
  state.unserved.add(connection);
  return connection;
};

const open = (state: State, { origin, connectionId, timeoutMs }: ConnectionRequest): Connection => {
  const verbatim: Verbatim = { message: null };
  const connect = tlsConnector(timeoutMs, state, (error) => {
    connection.refusal = error;
  });
  const client = new Client(origin, {
    allowH2: false,
    connect: connectorSendingVerbatim(connectorSkippingInterim(connect), verbatim),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
  });
  const connection: Connection = {
    client,
    origin,
    connectionId,
    verbatim,
    refusal: null,
    served: 0,
    connected: false,
    last: '',
    lastAt: 0,
  };
  client.on('connect', () => {
    connection.served = 0;
    connection.connected = true;
  });
  client.on('disconnect', (_origin, _targets, { code }) => {
    connection.connected = false;
    const isByServer = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET';
    if (isByServer && isRecentlyUsed(state, connection)) state.closesRecentlyUsed = true;
  });
  state.all.add(connection);
  return connection;
};

const close = ({ all }: State, connection: Connection): void => {
  all.delete(connection);
  void connection.client.destroy().catch(() => undefined);
};

const closeIdle = (state: State, most: number): void => {
  const { idle } = state;
  for (const oldest of idle.splice(0, Math.max(0, idle.length - most))) close(state, oldest);
};

const releaseAll = (state: State): void => {
  state.timesOut = true;
  for (const go of state.pending.splice(0)) go();
};

const withRelief = async (state: State, connection: Connection, exchange: Promise<TransportResult>) => {
  if (connection.served > 0) return exchange;
  const starve = (): void => {
    state.starving.add(connection);
    if (!connection.connected) state.hasFullBacklog = true;
    closeIdle(state, 0);
  };
  const done = new AbortController();
  state.clock.sleep(STARVING_MS, done.signal).then(starve, () => undefined);
  try {
    return await exchange;
  } finally {
    // Without a reason, an error with a stack is made for each connection.
    done.abort('ended');
    state.starving.delete(connection);
    endFirstExchange(state, connection);
  }
};

/** If a later connection gets its response first, the older ones did not fit in the backlog. */
const endFirstExchange = (state: State, connection: Connection): void => {
  const { unserved, starving, pending } = state;
  for (const older of unserved) {
    if (older === connection) break;
    if (connection.served > 0 && starving.has(older)) state.hasFullBacklog = true;
  }
  if (unserved.delete(connection)) pending.shift()?.();
};

const record = (state: State, connection: Connection, method: string, result: TransportResult): void => {
  if (connection.connectionId !== null) return;
  if (!result.ok) {
    const { kind, reused } = result.failure;
    if (kind === 'reset' && reused) state.closesRecentlyUsed = true;
    if (kind === 'timeout' || kind === 'unreachable') releaseAll(state);
    return;
  }
  if (result.reused) state.servedAfter.add(connection.last);
  connection.last = `${method} ${result.response.status}`;
  connection.lastAt = state.clock.now();
};
