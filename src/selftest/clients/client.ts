import type { Header } from '../../http/exchange.ts';
import type { Clock } from '../../time/clock.ts';

/** A request as a client writes it. */
export interface ClientRequest {
  readonly method: string;
  /** Below the base address, with the query. A URL is used as it is. */
  readonly path: string;
  readonly headers?: readonly Header[];
  readonly body?: string;
}

export interface ClientResponse {
  readonly status: number;
  header(name: string): string | null;
}

/** What a client of the self-test works with, instead of sockets and the time of the machine. */
export interface ClientTools {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Rejects if the connection is dropped. `connection`: requests with the same one share a connection. */
  send(request: ClientRequest, connection?: object): Promise<ClientResponse>;
}

/** A client with its work: it ends when the work is done, or rejects when it gives up. */
export type TestClient = (tools: ClientTools) => Promise<void>;
