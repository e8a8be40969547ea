/** A small server of things, for documents of other APIs. */

export type Item = Readonly<Record<string, unknown>> & { readonly id: number };

export type Fetch = (request: Request) => Promise<Response>;

/** A server that conforms, and what its document has. */
export interface Choice {
  readonly name: string;
  readonly members?: object;
  readonly required?: readonly string[];
  readonly query?: object;
  readonly hasNoRead?: boolean;
  readonly document?: object;
  serve(): Fetch;
}

interface Ways {
  /** What is stored of what was sent. */
  store(sent: Record<string, unknown>): Record<string, unknown>;
  list(items: readonly Item[], query: URLSearchParams): unknown;
  nextId(items: readonly Item[], last: number, sent: Record<string, unknown>): number;
  update(item: Item): unknown;
  /** What a creation does to the others. */
  created(item: Item, items: Map<number, Item>): void;
  /** The response to what was deleted. */
  gone(method: string): number;
  /** Responses to GET are kept for as long. */
  readonly cacheMs: number;
  readonly tags: boolean;
}

const usual: Ways = {
  store: (sent) => sent,
  list: (items) => items,
  nextId: (_, last) => last + 1,
  update: (item) => item,
  created: () => {},
  gone: () => 404,
  cacheMs: 0,
  tags: false,
};

export const json = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

export const objectIn = async (request: Request): Promise<Record<string, unknown> | null> => {
  const sent: unknown = await request.json().catch(() => null);
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? { ...sent } : null;
};

const longMs = 1_000;

/** Keeps responses to GET for a while, and says how old they are if that is long. */
const cached = (cacheMs: number, fetch: Fetch): Fetch => {
  const kept = new Map<string, { readonly until: number; readonly response: Response }>();
  return async (request) => {
    if (request.method !== 'GET') return fetch(request);
    const known = kept.get(request.url);
    const response = known !== undefined && known.until > Date.now() ? known.response : await fetch(request);
    if (response !== known?.response)
      kept.set(request.url, { until: Date.now() + cacheMs, response: response.clone() });
    if (cacheMs < longMs) return response.clone();
    const { status, headers, body } = response.clone();
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), Age: '1' } });
  };
};

const tagOf = (item: Item): string =>
  `"${Buffer.from(JSON.stringify(item)).toString('base64url').slice(-40)}"`;

/** Serves things; `other` replaces ways of the usual server. */
export const things =
  (other: Partial<Ways> = {}) =>
  (): Fetch => {
    const ways = { ...usual, ...other };
    const items = new Map<number, Item>();
    const deleted = new Set<number>();
    let last = 0;
    const headers = (item: Item) => (ways.tags ? { ETag: tagOf(item) } : {});
    const create = async (request: Request): Promise<Response> => {
      const sent = await objectIn(request);
      if (sent === null) return new Response(null, { status: 400 });
      last = ways.nextId([...items.values()], last, sent);
      const item = { ...ways.store(sent), id: last };
      items.set(item.id, item);
      ways.created(item, items);
      deleted.delete(item.id);
      return json(201, item);
    };
    const change = async (request: Request, item: Item): Promise<Response> => {
      const tag = request.headers.get('if-match');
      if (ways.tags && tag !== null && tag !== tagOf(item)) return new Response(null, { status: 412 });
      const sent = await objectIn(request);
      if (sent === null) return new Response(null, { status: 400 });
      const next = { ...(request.method === 'PATCH' ? item : {}), ...sent, id: item.id };
      items.set(item.id, next);
      return json(200, ways.update(next));
    };
    return cached(ways.cacheMs, async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const { method } = request;
      if (pathname.endsWith('/things'))
        return method === 'POST' ? create(request) : json(200, ways.list([...items.values()], searchParams));
      const id = Number(pathname.split('/').at(-1));
      const item = items.get(id);
      if (item === undefined)
        return new Response(null, { status: deleted.has(id) ? ways.gone(method) : 404 });
      if (method === 'GET') return json(200, item, headers(item));
      if (method !== 'DELETE') return change(request, item);
      items.delete(id);
      deleted.add(id);
      return new Response(null, { status: 204 });
    });
  };
