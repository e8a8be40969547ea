import { setTimeout as pause } from 'node:timers/promises';
import type { RunSettings } from '../../src/config/settings.ts';

/** A request, with ways to respond to it. */
export interface Incoming {
  /** The number of the request, from 1. */
  readonly count: number;
  readonly method: string;
  readonly path: string;
  /** The length of its body. */
  readonly length: number;
  /** Returns the response of the reference server. */
  pass(): Promise<Response>;
  /** Writes bytes to the connection, and closes it. */
  raw(bytes: string): Promise<never>;
  /** Writes bytes to the connection, and leaves it open. */
  rawOpen(bytes: string): Promise<never>;
}

type Respond = (incoming: Incoming) => Promise<Response>;

/** A server in front of the reference server that behaves differently, with the expected result of a run. */
export interface Behavior {
  readonly name: string;
  readonly respond: Respond;
  readonly code: 0 | 1 | 3;
  /** Requirements that must fail. */
  readonly failed: readonly string[];
  /** A budget, unless a full run is needed. */
  readonly settings: Partial<RunSettings>;
}

const seconds = (): number => Math.floor(Date.now() / 1_000);
const dateIn = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toUTCString();

/** The response with another status, or other headers; null removes a header. */
const edited = (
  { body, status, headers }: Response,
  changes: { readonly status?: number; readonly headers?: Readonly<Record<string, string | null>> },
): Response => {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(changes.headers ?? {})) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return new Response(body, { status: changes.status ?? status, headers: all });
};

const headers =
  (change: (incoming: Incoming) => Readonly<Record<string, string | null>>): Respond =>
  async (incoming) =>
    edited(await incoming.pass(), { headers: change(incoming) });

const remaining = (show: (count: number) => string): Respond =>
  headers(({ count }) => ({ 'x-ratelimit-remaining': show(count) }));
const limit = (show: string): Respond => headers(() => ({ 'x-ratelimit-limit': show }));
const reset = (show: () => string): Respond => headers(() => ({ 'x-ratelimit-reset': show() }));
const date = (show: (count: number) => string | null): Respond =>
  headers(({ count }) => ({ date: show(count) }));

/** Changes the successful lists. */
const lists =
  (change: (response: Response) => Promise<Response>): Respond =>
  async (incoming) => {
    const response = await incoming.pass();
    const isList = incoming.method === 'GET' && /^\/v1\/pets(\?|$)/.test(incoming.path);
    return isList && response.status === 200 ? change(response) : response;
  };

const listText = (
  change: (text: string) => string | Uint8Array<ArrayBuffer>,
  contentType = 'application/json',
): Respond =>
  lists(async (response) => {
    const changed = new Response(change(await response.text()), response);
    return edited(changed, { headers: { 'content-type': contentType } });
  });

const names = /"name":"(?:[^"\\]|\\.)*"/g;
const listedName = (json: string): Respond => listText((text) => text.replaceAll(names, `"name":"${json}"`));

const each =
  (n: number, respond: Respond): Respond =>
  (incoming) =>
    incoming.count % n === 0 ? respond(incoming) : incoming.pass();

const between =
  (first: number, last: number, respond: Respond): Respond =>
  (incoming) =>
    incoming.count >= first && incoming.count <= last ? respond(incoming) : incoming.pass();

const from = (n: number, respond: Respond): Respond => between(n, Number.POSITIVE_INFINITY, respond);

const error =
  (status: number, more: () => Readonly<Record<string, string>> = () => ({})): Respond =>
  async () =>
    Response.json({ code: 'error', message: 'No.', status }, { status, headers: more() });

const limited = (retryAfter: string | null): Respond =>
  error(429, () => ({
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(seconds() + 3),
    ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
  }));

const html =
  (status: number): Respond =>
  async () =>
    new Response('<!doctype html><h1>Welcome</h1>', { status, headers: { 'content-type': 'text/html' } });

const redirect =
  (status: number, to: (path: string) => string): Respond =>
  async ({ path }) =>
    new Response(null, { status, headers: { location: to(path) } });

/** Writes a body to HEAD as to GET, which the next response on the connection would follow. */
const headWithBody: Respond = async ({ method, pass, rawOpen }) => {
  const response = await pass();
  if (method !== 'HEAD') return response;
  const body = JSON.stringify({ code: 'error', message: 'No.', status: response.status });
  const lines = [...response.headers]
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return rawOpen(
    `HTTP/1.1 ${response.status} No\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n${body}`,
  );
};

const year = 365 * 24 * 3_600;
/** Everything that a server shows of its clock is off by as many seconds. */
const clockOff =
  (off: number): Respond =>
  async ({ pass }) => {
    const response = await pass();
    const reset = response.headers.get('x-ratelimit-reset');
    return edited(response, {
      headers: {
        date: dateIn(off / 3_600),
        ...(reset === null ? {} : { 'x-ratelimit-reset': String(Number(reset) + off) }),
      },
    });
  };

/** Refuses a large body before it has read it. */
const refusesUnread: Respond = ({ length, pass, raw }) =>
  length > 10_000
    ? raw('HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    : pass();

const closed: Respond = ({ raw }) => raw('');
const halfABody: Respond = ({ raw }) =>
  raw('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[{"id":');
const silence: Respond = () => new Promise(() => undefined);

export const longErrors: Respond = async (incoming) => {
  const response = await incoming.pass();
  const { status } = response;
  if (status < 400) return response;
  const body = JSON.stringify({ code: 'error', message: 'm'.repeat(2_000_000), status });
  return new Response(body, response);
};

export const manyHeaders: Respond = async ({ pass }) => {
  const response = await pass();
  const lines = Array.from({ length: 10_000 }, (_, index): [string, string] => [`x${index}`, 'v']);
  return new Response(response.body, {
    status: response.status,
    headers: [...response.headers, ...lines],
  });
};

const rows = (
  code: Behavior['code'],
  failed: readonly string[],
  servers: Readonly<Record<string, Respond>>,
  more: Partial<Pick<Behavior, 'settings'>> = {},
): readonly Behavior[] =>
  Object.entries(servers).map(([name, respond]) => ({
    name,
    respond,
    code,
    failed,
    settings: { budget: 150 },
    ...more,
  }));

/** A list that never ends, and soon is longer than what is kept of a body. */
const endlessList: Respond = lists(async ({ status, headers }) => {
  const blanks = new Uint8Array(65_536).fill(0x20);
  const body = new ReadableStream({
    pull: async (controller) => {
      await pause(5);
      controller.enqueue(blanks);
    },
  });
  return edited(new Response(body, { status, headers }), { headers: { 'content-length': null } });
});

export const behaviors: readonly Behavior[] = [
  ...rows(1, ['GEN-4'], { 'lists never end': endlessList }, { settings: { budget: 60, timeout: 1_000 } }),
  ...rows(1, ['RATE-7'], {
    '429 to everything, without Retry-After': limited(null),
    '429 to everything, Retry-After is negative': limited('-5'),
    '429 to everything, Retry-After is a word': limited('soon'),
    '429 to everything, Retry-After is 1e99': limited('1e99'),
    '429 to everything, Retry-After is NaN': limited('NaN'),
    '429 to everything, Retry-After is empty': limited(''),
    '429 to everything after 100 requests, without Retry-After': from(100, limited(null)),
  }),
  ...rows(1, ['RATE-8'], { '429 to everything, for a second each time': limited('1') }),
  ...rows(3, [], {
    '429 to everything, until a past date': limited('Wed, 01 Jan 2020 00:00:00 GMT'),
    'redirects everything to itself, for good': redirect(308, (path) => path),
    'redirects everything to another host': redirect(307, () => 'https://example.test/v1'),
  }),
  ...rows(1, ['RATE-4'], {
    'Remaining is 0, Reset is always 2 s away': headers(() => ({
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(seconds() + 2),
    })),
    'Remaining of the day counts up': headers(({ count }) => ({
      'x-ratelimit-limit': '100000',
      'x-ratelimit-remaining': String(count),
      'x-ratelimit-reset': String(Math.ceil(seconds() / 86_400) * 86_400),
    })),
  }),
  ...rows(1, ['RATE-4'], { 'Remaining counts up': remaining(String) }),
  ...rows(1, ['RATE-2'], {
    'Remaining is negative': remaining(() => '-3'),
    'Remaining is greater than Limit': remaining(() => '999999999'),
    'Limit is 0': limit('0'),
    'Limit is shown twice': limit('1000, 1000'),
    'Reset is in the past': reset(() => String(seconds() - 3_600)),
    'Reset is in milliseconds': reset(() => String(Date.now() + 30_000)),
    'Reset is 1e30': reset(() => '1e30'),
    'Reset is an ISO date': reset(() => new Date().toISOString()),
    'Date is a day ahead, Reset is not': date(() => dateIn(24)),
    'Date is of 1970, Reset is not': date(() => new Date(0).toUTCString()),
    'Date jumps by hours, Reset does not': date((count) => dateIn(count % 5)),
  }),
  ...rows(1, ['GET-5'], { 'its clock is ten years ahead': clockOff(10 * year) }),
  ...rows(1, ['RATE-3'], { 'Limit has 20 digits': limit('9'.repeat(20)) }),
  ...rows(0, [], {
    'Date is a word': date(() => 'today'),
    'there is no Date': date(() => null),
    'Date in the form of RFC 850': date(() => {
      const [, day, month, year, time] = new Date().toUTCString().split(/[ ,]+/);
      return `Sunday, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
    }),
    'Date in the form of asctime': date(() => {
      const [weekday, day, month, year, time] = new Date().toUTCString().split(/[ ,]+/);
      return `${weekday} ${month} ${day?.replace(/^0/, ' ')} ${time} ${year}`;
    }),
    'its clock is ten years behind': clockOff(-10 * year),
    'HEAD gets a body': headWithBody,
    'every response closes its connection': headers(() => ({ connection: 'close' })),
    'everything takes 20 ms': async ({ pass }) => {
      await pause(20);
      return pass();
    },
    'members named __proto__ and constructor': listText((text) =>
      text.replaceAll('{"id"', '{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"id"'),
    ),
  }),
  ...rows(1, ['GEN-4'], {
    'every 40th response is cut off in its body': each(40, halfABody),
    'every connection is closed after 100 requests': from(100, closed),
    '503 for 30 requests': between(100, 130, error(503)),
    'a 502 page for every 50th request': each(50, html(502)),
  }),
  ...rows(
    1,
    ['GEN-4'],
    { 'every 40th connection is closed without a response': each(40, closed) },
    { settings: {} },
  ),
  ...rows(1, ['GEN-4'], { 'every 90th request hangs': each(90, silence) }, { settings: { timeout: 1_000 } }),
  ...rows(1, ['LIST-1'], {
    'a web page after 100 requests': from(100, html(200)),
    'lists are JSON in a JSON string': listText(JSON.stringify),
    'lists have status 206': lists(async (response) => edited(response, { status: 206 })),
    'lists have status 204': lists(async ({ headers }) => new Response(null, { status: 204, headers })),
  }),
  ...rows(
    1,
    ['AUTH-4'],
    { 'bodies of 10 kB get 413 unread, and the connection ends': refusesUnread },
    { settings: {} },
  ),
  ...rows(1, ['LIST-1'], { 'no key is valid after 100 requests': from(100, error(401)) }, { settings: {} }),
  ...rows(1, ['GEN-2', 'LIST-1'], {
    'lists in UTF-16': listText((text) => new Uint8Array(Buffer.from(text, 'utf16le'))),
    'a byte order mark before lists': listText((text) => `\ufeff${text}`),
    'a comma behind the last animal': listText((text) => text.replace(/\]$/, ',]')),
    'single quotes': listText((text) => text.replaceAll('"', "'")),
    'NaN as categoryId': listText((text) => text.replaceAll(/"categoryId":\d+/g, '"categoryId":NaN')),
    'a prefix against hijacking': listText((text) => `)]}',\n${text}`),
    JSONP: listText((text) => `callback(${text})`, 'application/javascript'),
    'two lists in a row': listText((text) => text + text),
    XML: listText(() => '<pets/>', 'application/xml'),
    'an empty body': listText(() => ''),
    'the word undefined': listText(() => 'undefined'),
    'bytes that are not UTF-8': listText(
      (text) => new Uint8Array([...Buffer.from(text), 0x2c, 0x22, 0xff, 0xc0, 0x22, 0x5d]),
    ),
  }),
  ...rows(1, ['GET-1'], {
    'escape sequences of a terminal as names': listedName('\\u001b[2J\\u001b]0;owned\\u0007'),
    'scripts as names': listedName('</script><script>alert(1)</script>'),
    'workflow commands as names': listedName('\\n::error::owned\\n::set-output name=a::b'),
  }),
];
