import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import { systemClock } from '../../src/time/clock.ts';
import { key, run } from '../support/command.ts';
import { resultOf, runInWords } from '../support/run-in-words.ts';
import { openServer } from '../support/servers.ts';

/** A server on a socket, with the requests that it received. */
const serverWith = async (respond: RequestListener) => {
  const seen: string[] = [];
  const address = await openServer(
    createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      respond(request, response);
    }),
  );
  return { baseUrl: `http://${address}/v1`, seen };
};

/** A run in this process, over sockets. */
const judge = async (baseUrl: string, settings: Partial<RunSettings> = {}) => {
  const { outcome, exit } = await runInWords(
    { baseUrl, apiKey: key, runs: 1, ...settings },
    { clock: systemClock },
  );
  const verdicts = Object.fromEntries(outcome.requirements.map(({ id, verdict }) => [id, verdict]));
  return { outcome, exit, verdicts, result: (id: string) => resultOf(outcome, id) };
};

type Headers = Readonly<Record<string, string>>;

const always =
  (status: number, headers: Headers, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

const html = { 'Content-Type': 'text/html' };
const json = { 'Content-Type': 'application/json' };
const rateLimit = { 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '900', 'X-RateLimit-Reset': '1' };
const page = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>`;
const errorOf = (status: number): string => JSON.stringify({ code: 'error', message: 'No.', status });

const keyAdvice =
  'check that the API key is valid there and that the server reads "Authorization: Bearer <key>"';
const addressAdvice = 'this is not the API; check host, port and path';

describe.concurrent('a server that cannot be tested -> exit 3, and one line that says why', () => {
  const rows: readonly (readonly [name: string, respond: RequestListener, line: string])[] = [
    [
      'redirects to another address',
      ({ url }, response) => response.writeHead(301, { Location: `https://staging.example${url}` }).end(),
      'Every operation returned 301 to https://staging.example/v1/…: use that address as --base-url',
    ],
    [
      'redirects to another address, with a page in each',
      ({ url }, response) =>
        response.writeHead(308, { ...html, Location: `https://a.example/api${url}` }).end(page('308')),
      'Every operation returned 308 to https://a.example/api/v1/…: use that address as --base-url',
    ],
    [
      'redirects to a login page',
      ({ url = '' }, response) =>
        response.writeHead(302, { Location: `/login?next=${encodeURIComponent(url)}` }).end(),
      `/login: ${addressAdvice}, and whether the host needs a login`,
    ],
    [
      'a slash at the end of every path',
      ({ url = '' }, response) => {
        const [path, query] = url.split('?');
        response.writeHead(307, { Location: `${path}/${query === undefined ? '' : `?${query}`}` }).end();
      },
      'Every operation returned 307 to its own path with a slash at the end (/v1/pets/). Every route ends in a slash here: serve the paths without it, too',
    ],
    [
      'a redirect to itself',
      ({ url }, response) => response.writeHead(302, { Location: `${url}` }).end(),
      `/v1/pets: ${addressAdvice}, and whether the host needs a login`,
    ],
    [
      'a web application that returns one page for everything',
      always(200, html, page('Welcome')),
      `Every operation returned HTML (200): ${addressAdvice}`,
    ],
    [
      'a page without a media type',
      always(200, {}, '\n<!DOCTYPE html><title>It works!</title>'),
      `Every operation returned HTML (200): ${addressAdvice}`,
    ],
    [
      'a page for GET, and 405 for POST',
      ({ method }, response) =>
        response.writeHead(method === 'POST' ? 405 : 200, html).end(page(`${method}`)),
      `Every operation returned HTML (200 and 405): ${addressAdvice}`,
    ],
    [
      'a login for GET, and a page for POST',
      ({ method }, response) =>
        method === 'POST'
          ? response.writeHead(403, html).end(page('CSRF verification failed'))
          : response.writeHead(302, { Location: '/login' }).end(),
      `Every operation returned a redirect or HTML (302 and 403): ${addressAdvice}`,
    ],
    [
      "a gateway's own 404 page",
      always(404, html, page('404 Not Found')),
      `Every operation returned HTML (404): ${addressAdvice}`,
    ],
    [
      'a maintenance page',
      always(503, { ...html, 'Retry-After': '3600' }, page('503 Back soon')),
      'Every operation returned 503 with the same page, Retry-After 3600: the server is in maintenance, or nothing runs behind it',
    ],
    [
      'a plain text 503 that shows the number of the request',
      (() => {
        let requests = 0;
        return (_, response) => {
          requests += 1;
          response.writeHead(503, { 'Content-Type': 'text/plain' }).end(`no upstream (request ${requests})`);
        };
      })(),
      'Every operation returned 503 with the same page: the server is in maintenance, or nothing runs behind it',
    ],
    [
      'nginx with TLS, to which http is sent',
      always(400, html, page('400 The plain HTTP request was sent to HTTPS port')),
      'Every operation returned 400: http was sent to a TLS port. Use https:// in --base-url',
    ],
    [
      'Go with TLS, to which http is sent',
      always(400, {}, 'Client sent an HTTP request to an HTTPS server.\n'),
      'Every operation returned 400: http was sent to a TLS port. Use https:// in --base-url',
    ],
    [
      'a host that HTTP Basic protects',
      always(401, { ...html, 'WWW-Authenticate': 'Basic realm="staging"' }, page('401')),
      'Every operation returned 401 with WWW-Authenticate: Basic. HTTP Basic protects this host, so the API key was not checked',
    ],
    [
      'an API that refuses the key',
      always(401, { ...json, ...rateLimit, 'WWW-Authenticate': 'Bearer' }, errorOf(401)),
      `Every operation returned 401: ${keyAdvice}`,
    ],
    [
      'an API that refuses the key with 401 and 403',
      ({ method }, response) => response.writeHead(method === 'POST' ? 403 : 401, json).end(errorOf(401)),
      `Every operation returned 401 and 403: ${keyAdvice}`,
    ],
    ...['3600', 'Fri, 31 Dec 9999 23:59:59 GMT', '99999999999999999999'].map(
      (wait) =>
        [
          `429 with Retry-After ${wait}`,
          always(429, { ...json, 'Retry-After': wait }, '{}'),
          `Every request returned 429 with Retry-After ${wait}, longer than the longest wait of 120 s: try again later, or raise --max-wait`,
        ] as const,
    ),
  ];

  test.each(rows)('%s', async (_, respond, line) => {
    const { baseUrl, seen } = await serverWith(respond);
    const { exit, outcome, verdicts } = await judge(baseUrl);
    expect(exit).toBe(3);
    expect(outcome).toMatchObject({ verdict: 'not-judged', ended: expect.stringContaining(line) });
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['skipped']));
    expect(seen.length).toBeLessThanOrEqual(4);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('--read-only -> nothing is created', async () => {
    const { baseUrl, seen } = await serverWith(always(200, html, page('Welcome')));
    expect((await judge(baseUrl, { readOnly: true })).exit).toBe(3);
    expect(seen.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  test('https sent to a port that speaks http', async () => {
    const { baseUrl } = await serverWith(always(200, json, '[]'));
    const { exit, outcome } = await judge(baseUrl.replace('http:', 'https:'));
    expect(exit).toBe(3);
    expect(outcome.ended).toContain('this port does not speak TLS');
    expect(outcome.ended).toMatch(/: use http:\/\/ in --base-url$/);
  });

  test('the command prints the line, and writes a valid report', async () => {
    const { baseUrl } = await serverWith(always(404, html, page('404 Not Found')));
    const { code, out, err, report } = await run(['--base-url', baseUrl, '--api-key', key]);
    expect({ code, err }).toEqual({ code: 3, err: '' });
    expect(out).toContain(`\nNot tested: Every operation returned HTML (404): ${addressAdvice}\n`);
    expect(report?.verdict).toBe('not-judged');
  });
});

/** APIs in an early state: every request gets this response. */
const unfinished: readonly (readonly [name: string, respond: RequestListener])[] = [
  ['errors in JSON that are not an Error', always(404, json, '{"message":"no Route matched"}')],
  ['500 with a page', always(500, html, page('500 Internal Server Error'))],
  ['502 with a page', always(502, html, page('502 Bad Gateway'))],
  ['an Error that is labelled as HTML', always(404, html, errorOf(404))],
  ['a 503 that is an Error', always(503, json, errorOf(503))],
  ['pages with a rate limit header', always(404, { ...html, ...rateLimit }, page('404'))],
  ['plain text', always(404, { 'Content-Type': 'text/plain' }, '404 page not found\n')],
  ['nothing at all', always(200, {}, '')],
  ['a redirect to nowhere', always(302, {}, '')],
  [
    'HTML, but for one operation',
    ({ url = '' }, response) =>
      url.endsWith('/pets/1')
        ? response.writeHead(404, json).end(errorOf(404))
        : response.writeHead(404, html).end(page('404')),
  ],
  [
    '503 with several pages',
    ({ url }, response) => response.writeHead(503, html).end(page(`503 ${url?.replaceAll(/\d/g, '')}`)),
  ],
];

const failsOnlyFirst = (fail: (response: ServerResponse) => void): RequestListener => {
  let requests = 0;
  return ({ url = '' }, response) => {
    requests += 1;
    if (requests === 1) fail(response);
    else if (url.startsWith('/v1/store/orders')) response.writeHead(200, { ...json, ...rateLimit }).end('[]');
    else response.writeHead(200, json).end('[]');
  };
};

const firstRequests: readonly (readonly [name: string, fail: (response: ServerResponse) => void])[] = [
  ['hangs', () => undefined],
  ['is reset', (response) => response.socket?.resetAndDestroy()],
  [
    'streams forever',
    (response) => {
      // Slowly, so that no limit on the size of a body ends it.
      const more = setInterval(() => response.write(' '), 20);
      response
        .writeHead(200, json)
        .on('close', () => clearInterval(more))
        .on('error', () => undefined);
    },
  ],
  [
    'lies about its coding',
    (response) => response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end('[]'),
  ],
  [
    'is cut off in its coding',
    (response) =>
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync('[]').subarray(0, 12)),
  ],
];

const fewCases = { only: ['GEN-4', 'ORDERS-1', 'LIST-1'], budget: 40 };

describe.concurrent('any other server -> tested', () => {
  test.each(unfinished)('%s', async (_, respond) => {
    const { baseUrl } = await serverWith(respond);
    const { exit, outcome } = await judge(baseUrl, fewCases);
    expect({ exit, verdict: outcome.verdict }).toEqual({ exit: 1, verdict: 'nonconformant' });
  });

  test.each(firstRequests)(
    'the first request %s -> that operation fails, others are tested',
    async (_, fail) => {
      const { baseUrl, seen } = await serverWith(failsOnlyFirst(fail));
      const { exit, result } = await judge(baseUrl, { ...fewCases, timeout: 6_000 });
      expect(exit).toBe(1);
      expect(seen.length).toBeGreaterThan(10);
      expect(result('GEN-4')?.failures.map(({ operation }) => operation)).toEqual(['listPets']);
      for (const id of ['LIST-1', 'ORDERS-1']) expect(result(id)?.checks).toBeGreaterThan(0);
    },
  );

  test('one operation always hangs -> it fails after two requests, others are tested', async () => {
    const isList = (request: string) => /^GET \/v1\/pets(\?|$)/.test(request);
    const { baseUrl, seen } = await serverWith(({ method, url }, response) => {
      if (!isList(`${method} ${url}`)) response.writeHead(200, { ...json, ...rateLimit }).end('[]');
    });
    const { exit, result } = await judge(baseUrl, { ...fewCases, timeout: 6_000 });
    expect(exit).toBe(1);
    expect(result('GEN-4')?.verdict).toBe('failed');
    expect(result('ORDERS-1')?.checks).toBeGreaterThan(0);
    expect(seen.filter(isList)).toHaveLength(2);
    expect(seen.length).toBeGreaterThan(10);
  });
});
