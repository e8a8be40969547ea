import type { Header } from '../../http/exchange.ts';
import type { ClientRequest, ClientResponse, ClientTools, TestClient } from './client.ts';

/** A retry policy: milliseconds before the next try; null: give up. `tries` counts from 1. */
export type Wait = (response: ClientResponse, tries: number, tools: ClientTools) => number | null;

export const bearer = ({ key }: ClientTools): readonly Header[] => [['Authorization', `Bearer ${key}`]];

export const list: ClientRequest = { method: 'GET', path: '/pets?limit=10&status=available' };

export const create = (body: unknown): ClientRequest => ({
  method: 'POST',
  path: '/pets',
  headers: [['Content-Type', 'application/json; charset=utf-8']],
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const rex = create({ name: 'Rex', categoryId: 1, status: 'available' });

/** The usual work: six requests. */
export const usualWork: readonly ClientRequest[] = [
  list,
  rex,
  { method: 'GET', path: '/pets' },
  create({ name: 'Luna', categoryId: 2 }),
  { method: 'GET', path: '/pets?status=sold' },
  list,
];

/** Milliseconds that `Retry-After` asks for, in both forms; null: absent. */
export const retryAfterMs = (response: ClientResponse, { clock }: ClientTools): number | null => {
  const value = response.header('retry-after');
  if (value === null) return null;
  return /^\d+$/.test(value) ? Number(value) * 1000 : Math.max(0, Date.parse(value) - clock.now());
};

/** A wait as RFC 9110 asks, and an exponential one in addition. */
export const exponential =
  (base: number, factor = 2, most = 7): Wait =>
  (response, tries, tools) =>
    tries >= most ? null : (retryAfterMs(response, tools) ?? 0) + base * factor ** (tries - 1);

export const never: Wait = () => null;

export interface Style {
  readonly work?: readonly ClientRequest[];
  readonly wait?: Wait;
  readonly headers?: (tools: ClientTools, tries: number, last: ClientResponse | null) => readonly Header[];
  /** Waits for Reset if Remaining is at most this; null: it does not look. Absent: 0. */
  readonly reserve?: number | null;
  /** Also tries again after other responses. */
  readonly retries?: (status: number | null) => boolean;
  readonly connection?: () => object;
}

class GaveUp extends Error {}

const sleepUntilReset = async (response: ClientResponse, reserve: number, { clock }: ClientTools) => {
  const remaining = Number(response.header('x-ratelimit-remaining') ?? Number.NaN);
  const reset = Number(response.header('x-ratelimit-reset')) * 1000;
  if (remaining <= reserve) await clock.sleep(Math.max(0, reset - clock.now()) + 5);
};

/** Sends one request, and tries again after a 429 as the style says. */
export const sendIn =
  (style: Style, tools: ClientTools) =>
  async (request: ClientRequest, connection: object): Promise<ClientResponse> => {
    const { wait = exponential(500), headers = bearer, reserve = 0, retries = () => false } = style;
    let last: ClientResponse | null = null;
    for (let tries = 1; ; tries += 1) {
      const sent: ClientRequest = {
        ...request,
        headers: [...headers(tools, tries, last), ...(request.headers ?? [])],
      };
      const response: ClientResponse | null = await tools
        .send(sent, style.connection?.() ?? connection)
        .catch(() => null);
      last = response;
      const status = response?.status ?? null;
      if (response !== null && reserve !== null && status !== 429)
        await sleepUntilReset(response, reserve, tools);
      if (status !== 429 && !retries(status)) {
        if (response === null || response.status === 401) throw new GaveUp();
        return response;
      }
      const ms = response === null ? 200 * 2 ** tries : wait(response, tries, tools);
      if (ms === null || tries > 60) throw new GaveUp();
      await tools.clock.sleep(ms);
    }
  };

/** A client that sends one request at a time. */
export const sequential =
  (style: Style = {}): TestClient =>
  async (tools) => {
    const send = sendIn(style, tools);
    const connection = {};
    for (const request of style.work ?? usualWork) await send(request, connection);
  };
