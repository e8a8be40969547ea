import { Client } from 'undici';
import type { Clock } from '../time/clock.ts';
import type { Answer, WantedConnection } from './exchange.ts';
import { connectorPassingOverInterim } from './interim.ts';
import { connectorSendingVerbatim, type Verbatim } from './verbatim.ts';

/** Shorter than what servers usually keep idle connections for, so that it is mostly we who close them. */
const IDLE_MS = 2_000;
/** Far less than any server keeps idle connections for. */
const WARM_MS = 200;
/**
 * A new connection that has to wait this long for its answer may wait for another one to be closed; if it does not even stand, the
 * server's queue is full, and its kernel drops what comes.
 */
const STARVED_MS = 1_000;
/** So many connections find room in the shortest queue that servers are usual to have, of five. */
const FEW = 4;

/** One undici client with one connection: so it is always known whether the connection has served before. */
export interface Connection {
  readonly client: Client;
  readonly origin: string;
  /** Only requests with this id may go over it; null: those without one. */
  readonly connectionId: string | null;
  readonly verbatim: Verbatim;
  served: number;
  connected: boolean;
  /** The method and status of the last exchange: whether a server closes after it depends on them. */
  last: string;
  /** By the pool's clock. */
  lastAt: number;
}

/** Which connection is wanted. */
export interface Wanted {
  readonly origin: string;
  readonly connectionId: string | null;
  readonly connection: WantedConnection;
  readonly timeoutMs: number;
}

export interface PoolOptions {
  readonly concurrency: number;
  readonly clock: Clock;
}

/**
 * The connections of a transport: those with nothing to do are kept for reuse, at most `concurrency` of them. Once one does not come to
 * stand for long, or is overtaken, only a few wait for their first answer at a time.
 */
export const createConnectionPool = ({ concurrency, clock }: PoolOptions) => {
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  const starved = new Set<Connection>();
  /** The last exchanges after which connections have served on. */
  const servedAfter = new Set<string>();
  let closesWarm = false;
  /** Connections that have not served yet, and what waits for there to be fewer. */
  const young = new Set<Connection>();
  const waiting: (() => void)[] = [];
  let queueIsShort = false;
  /** Before a server that hangs all stand in line at once: its time-outs are to overlap. */
  let hangs = false;

  const isWarm = ({ last, lastAt }: Connection): boolean =>
    !closesWarm && servedAfter.has(last) && clock.now() - lastAt < WARM_MS;

  const open = ({ origin, connectionId, timeoutMs }: Wanted): Connection => {
    const verbatim: Verbatim = { message: null };
    const client = new Client(origin, {
      allowH2: false,
      connect: connectorSendingVerbatim(connectorPassingOverInterim(timeoutMs), verbatim),
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    });
    const connection: Connection = {
      client,
      origin,
      connectionId,
      verbatim,
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
      const byServer = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET';
      if (byServer && isWarm(connection)) closesWarm = true;
    });
    all.add(connection);
    return connection;
  };

  const retire = (connection: Connection): void => {
    all.delete(connection);
    void connection.client.destroy().catch(() => undefined);
  };

  /** Opens a connection as soon as there is room for it. */
  const openInTurn = async (wanted: Wanted): Promise<Connection> => {
    while (queueIsShort && !hangs && young.size >= FEW)
      await new Promise<void>((resolve) => waiting.push(resolve));
    const connection = open(wanted);
    young.add(connection);
    return connection;
  };

  /** It has served, or never will. One that was opened later and serves earlier has overtaken those that the queue had no room for. */
  const grown = (connection: Connection): void => {
    for (const older of young) {
      if (older === connection) break;
      if (connection.served > 0 && starved.has(older)) queueIsShort = true;
    }
    if (young.delete(connection)) waiting.shift()?.();
  };

  const letAllGo = (): void => {
    hangs = true;
    for (const go of waiting.splice(0)) go();
  };

  const keepIdle = (most: number): void => {
    for (const oldest of idle.splice(0, Math.max(0, idle.length - most))) retire(oldest);
  };

  return {
    /** One that is idle, or else a new one; a request with an id uses its own however long ago that was used. */
    take: async (wanted: Wanted): Promise<Connection> => {
      const { origin, connectionId, connection } = wanted;
      const serves = (each: Connection): boolean =>
        each.origin === origin &&
        each.connectionId === connectionId &&
        // Known before it is told: a connection that its last answer closed is gone at once.
        each.client.stats.connected &&
        (connection !== 'warm' || connectionId !== null || isWarm(each));
      const at = connection === 'fresh' ? -1 : idle.findLastIndex(serves);
      return (at === -1 ? undefined : idle.splice(at, 1)[0]) ?? openInTurn(wanted);
    },

    /** Learns after which exchanges connections serve on. */
    learn: (connection: Connection, method: string, answer: Answer): void => {
      if (connection.connectionId !== null) return;
      if (!answer.ok) {
        if (answer.failure.kind === 'reset' && answer.failure.reused) closesWarm = true;
        if (answer.failure.kind === 'timeout' || answer.failure.kind === 'unreachable') letAllGo();
        return;
      }
      if (answer.reused) servedAfter.add(connection.last);
      connection.last = `${method} ${answer.response.status}`;
      connection.lastAt = clock.now();
    },

    /** Keeps a connection for reuse. */
    giveBack: (connection: Connection): void => {
      idle.push(connection);
      keepIdle(starved.size > 0 ? 0 : concurrency);
    },

    retire,

    /** Waits for an exchange. One that is the first of its connection must not wait for connections that have nothing to do. */
    relieved: async (connection: Connection, exchange: Promise<Answer>): Promise<Answer> => {
      if (connection.served > 0) return exchange;
      const starve = (): void => {
        starved.add(connection);
        if (!connection.connected) queueIsShort = true;
        keepIdle(0);
      };
      const over = new AbortController();
      clock.sleep(STARVED_MS, over.signal).then(starve, () => undefined);
      try {
        return await exchange;
      } finally {
        over.abort();
        starved.delete(connection);
        grown(connection);
      }
    },

    close: async (): Promise<void> => {
      letAllGo();
      await Promise.all([...all].map(({ client }) => client.destroy()));
      all.clear();
      idle.length = 0;
    },
  };
};
