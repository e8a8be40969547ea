import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../../examples/listening.ts';
import { type BenchApi, isObject, type Members } from './fault.ts';
import { document } from './parts-document.ts';
import { faults } from './parts-faults.ts';

const key = 'parts-51be07';

type Has = (fault: string) => boolean;

interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Part extends Members {
  readonly number: string;
  readonly version: number;
}

const refuse = (status: number): Answer => ({ status, json: { reason: 'Not so.' } });

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= most;
const isNumber = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;
const states = ['new', 'used', 'broken'];

const isMember: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => isText(value, 80),
  price: (value) => isNumber(value, 10_000),
  stock: (value) => isNumber(value, 1_000_000) && Number.isInteger(value),
  state: (value) => states.includes(`${value}`) && typeof value === 'string',
};

/** The known members of a body, if they are valid. Others are ignored. */
const readPart = (sent: unknown, required: readonly string[]): Members | null => {
  if (!isObject(sent) || required.some((name) => sent[name] === undefined)) return null;
  const known = Object.entries(sent).filter(([name]) => name in isMember);
  return known.length > 0 && known.every(([name, value]) => isMember[name]?.(value) === true)
    ? Object.fromEntries(known)
    : null;
};

const shown = ({ version, ...part }: Part, has: Has): Answer => ({
  status: 200,
  json: part,
  headers: { ETag: has('tag-never-changes') ? '"1"' : `"${version}"` },
});

const isWhole = (value: string, least: number, most: number): boolean =>
  /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;

const list = (parts: ReadonlyMap<string, Part>, query: URLSearchParams, has: Has): Answer => {
  const limit = query.get('limit') ?? (has('default-limit-ignored') ? '50' : '5');
  const offset = query.get('offset') ?? '0';
  const sort = query.get('sort');
  const least = query.get('minPrice') ?? '0';
  if (!isWhole(limit, 1, 100) || !isWhole(offset, 0, 999_999_999)) return refuse(400);
  if (sort !== null && !['price', '-price', 'name'].includes(sort)) return refuse(400);
  if (least.trim() === '' || !(Number(least) >= 0)) return refuse(400);
  const price = (part: Part) => Number(part.price);
  const found = [...parts.values()].filter((part) => has('bound-ignored') || price(part) >= Number(least));
  if (sort === 'price') found.sort((a, b) => price(a) - price(b));
  if (sort === '-price' && !has('descending-ignored')) found.sort((a, b) => price(b) - price(a));
  if (sort === 'name' && !has('sort-by-name-ignored'))
    found.sort((a, b) => `${a.name}`.localeCompare(`${b.name}`));
  const start = Number(offset) + (has('pages-skip-one') && Number(offset) > 0 ? 1 : 0);
  const items = found.slice(start, start + Number(limit)).map(({ version, ...part }) => ({
    ...part,
    ...(has('listed-stock-wrong') ? { stock: 0 } : {}),
  }));
  return { status: 200, json: { items, total: has('total-of-page') ? items.length + 1 : found.length } };
};

const createStore = (has: Has) => {
  const parts = new Map<string, Part>();
  let last = 0;
  const deliver = async (sent: unknown): Promise<Answer> => {
    const part = readPart(sent, ['name', 'price', 'stock']);
    if (part === null) return refuse(400);
    const number = `P-${last + 1}`;
    if (has('deliveries-collide')) await new Promise((resolve) => setTimeout(resolve, 15));
    last += 1;
    const name = has('names-cut') ? [...`${part.name}`].slice(0, 60).join('') : part.name;
    const kept = {
      state: has('other-default') ? 'used' : 'new',
      ...part,
      name: has('letters-lost') ? `${name}`.replaceAll(/[^\0-\x7f]/g, '?') : name,
      ...(has('nothing-in-stock') && part.stock === 0 ? { stock: 1 } : {}),
      number: has('deliveries-collide') ? number : `P-${last}`,
      version: 1,
    };
    parts.set(kept.number, kept);
    return { ...shown(kept, has), status: 201 };
  };
  const change = (part: Part, sent: unknown, tag: string | undefined): Answer => {
    const changes = readPart(sent, []);
    if (tag !== undefined && tag !== '*' && tag !== `"${part.version}"` && !has('if-match-ignored'))
      return refuse(412);
    if (changes === null) return refuse(400);
    const next = { ...part, ...changes, version: part.version + 1 };
    parts.set(part.number, next);
    if (has('change-hits-all')) for (const [code, other] of parts) parts.set(code, { ...other, ...changes });
    return shown(next, has);
  };
  const drop = (code: string): Answer => {
    parts.delete(code);
    if (has('drop-takes-neighbor')) parts.delete(`P-${Number(code.slice(2)) - 1}`);
    return { status: 204 };
  };
  return { parts, deliver, change, drop };
};

const createApp = (names: ReadonlySet<string>) => {
  const has: Has = (fault) => names.has(fault);
  const { parts, deliver, change, drop } = createStore(has);
  const dropped = new Set<string>();
  return async (request: IncomingMessage): Promise<Answer> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const given = request.headers['x-parts-key'];
    const isOpen = has('search-without-key') && pathname === '/search';
    if (given !== key && !isOpen) return refuse(401);
    const body = await text(request);
    let sent: unknown;
    try {
      sent = JSON.parse(body);
    } catch {
      if (request.method === 'POST' || request.method === 'PATCH') return refuse(400);
    }
    const route = `${request.method} ${pathname}`;
    if (route === 'POST /deliveries') return deliver(sent);
    if (route === 'GET /parts') return list(parts, searchParams, has);
    if (route === 'POST /search')
      return isObject(sent) && isText(sent.text, 40) ? { status: 200, json: [] } : refuse(400);
    // The numbers of parts need no percent-encoding.
    const code = /^\/parts\/([^/]+)$/.exec(pathname)?.[1] ?? '';
    const part = parts.get(code);
    if (part === undefined) {
      const isRevived = has('dropped-can-be-changed') && dropped.has(code) && request.method === 'PATCH';
      if (isRevived)
        return { status: 200, json: { number: code, name: 'x', price: 1, stock: 1, state: 'new' } };
      return refuse(has('dropped-is-400') && dropped.has(code) ? 400 : 404);
    }
    if (request.method === 'GET') return shown(part, has);
    if (request.method === 'PATCH') return change(part, sent, request.headers['if-match']);
    if (request.method !== 'DELETE') return refuse(405);
    dropped.add(code);
    return drop(code);
  };
};

/** Spare parts, on nothing but Node. */
export const parts: BenchApi = {
  name: 'parts',
  framework: 'node:http',
  key,
  authenticate: (sent) => ({ header: ['X-Parts-Key', sent] }),
  document: async () => document,
  faults,
  serve: async (names) => {
    const respond = createApp(names);
    const server = createServer((request, response) => {
      respond(request)
        .catch(() => refuse(500))
        .then(({ status, json, headers = {} }) => {
          response.writeHead(status, {
            ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...headers,
          });
          response.end(json === undefined ? undefined : JSON.stringify(json));
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { baseUrl, close } = await listening(server);
    return { baseUrl: baseUrl.replace('/v1', ''), close };
  },
};
