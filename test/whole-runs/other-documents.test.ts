import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import type { Header } from '../../src/http/exchange.ts';
import { createInProcessTransport } from '../../src/http/in-process.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { nowhere } from '../support/build.ts';
import { run } from '../support/command.ts';
import { type OtherApi, todo, weather } from '../support/other-apis.ts';
import { folder, shell } from '../support/processes.ts';
import { alarming, alarms, resultOf, runInWords } from '../support/run-in-words.ts';
import { serveOnSocket } from '../support/servers.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
}

/** Tests a server of another API in this process. */
const judge = async (
  api: OtherApi,
  mistakes: readonly string[] = [],
  changes: Partial<RunSettings> = {},
  at = 'http://localhost/v1',
  headers: readonly Header[] = [],
) => {
  const clock = createVirtualClock(Date.parse('2026-03-01T12:00:00Z'));
  const respond = api.fetch(mistakes);
  const seen: Request[] = [];
  const transport = createInProcessTransport(async ({ url, method, headers, body }) => {
    const path = new URL(url).pathname.replace('/v1', '');
    const request = new Request(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: body === null ? null : Buffer.from(body),
    });
    seen.push({ method, path, authorization: request.headers.get('Authorization') });
    const response = await respond(request);
    return {
      status: response.status,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    };
  }, clock);
  const { outcome, exit } = await runInWords(
    { seed: 7, spec: api.spec, ...changes },
    {
      clock,
      target: nowhere({ baseUrl: at, keys: { main: api.key, 'rate-limit': null }, headers, transport }),
    },
  );
  const broken = alarming(outcome.requirements).map(({ id }) => id);
  return { outcome, exit, seen, result: (id: string) => resultOf(outcome, id), broken };
};

const statusesOf = (outcome: Awaited<ReturnType<typeof judge>>['outcome'], operation: string) =>
  outcome.coverage
    .filter((cell) => cell.operation === operation && cell.seen > 0)
    .map(({ status }) => status);

describe('a server that conforms to its own document -> no alarm', () => {
  test.each([1, 2, 3])('the to-do API, seed %i', async (seed) => {
    const { outcome, exit } = await judge(todo, [], { seed });
    expect({ exit, alarms: alarms(outcome) }).toEqual({ exit: 0, alarms: [] });
    expect(outcome.interface).toEqual({ version: '2.4.0', title: 'To-do lists' });
    expect(statusesOf(outcome, 'listTodos')).toEqual(['200', '400', '401']);
    expect(statusesOf(outcome, 'addTodo')).toEqual(['201', '401', '422']);
    expect(statusesOf(outcome, 'getTodo')).toContain('200');
    expect(statusesOf(outcome, 'replaceTodo')).toContain('200');
    expect(statusesOf(outcome, 'removeTodo')).toContain('204');
  });

  test.each([1, 2, 3])('the weather API, seed %i', async (seed) => {
    const { outcome, exit } = await judge(weather, [], { seed });
    expect({ exit, alarms: alarms(outcome) }).toEqual({ exit: 0, alarms: [] });
    expect(statusesOf(outcome, 'GET /forecast/{city}')).toEqual(expect.arrayContaining(['200', '400']));
    expect(statusesOf(outcome, 'route')).toEqual(['200', '400']);
  });
});

test.each([
  [todo, 'wrong item shape', ['GEN-3', 'RES-1']],
  [todo, 'no total', ['GEN-3']],
  [todo, 'no Location', ['GEN-3']],
  [todo, 'sick', ['GEN-3']],
  [todo, 'refuses the largest page', ['GEN-1', 'REQ-1']],
  [todo, 'DELETE returns 200', ['GEN-1']],
  [todo, 'fails on bad input', ['GEN-4']],
  [todo, 'open to all', ['AUTH-1', 'AUTH-3']],
  [todo, 'half a key is accepted', ['AUTH-2']],
  [todo, 'no Limit', ['RATE-1']],
  [todo, 'Remaining above Limit', ['RATE-2']],
  [weather, 'negative rain', ['GEN-3']],
  [weather, 'one coordinate', ['GEN-3']],
  [weather, 'fault without a reason', ['GEN-3']],
  [weather, 'no model', ['GEN-3']],
  [weather, 'another model', ['GEN-3']],
  [weather, 'page of the framework', ['GEN-2']],
  [weather, 'legend as HTML', ['GEN-2']],
  [weather, 'fails at the pole', ['GEN-1', 'GEN-4']],
] as const)('mistake "$1" -> only $2 fails', async (api, mistake, requirements) => {
  const { broken, exit } = await judge(api, [mistake]);
  expect(broken).toEqual(requirements);
  expect(exit).toBe(1);
});

test('an invalid request is accepted, and another one is refused -> a failure with both', async () => {
  const { broken, outcome } = await judge(weather, ['ignores X-Client']);
  expect(broken).toEqual(['REQ-2']);
  const [failure] = resultOf(outcome, 'REQ-2')?.failures ?? [];
  expect(failure?.message).toMatch(
    /X-Client.*: expected 400 \(the request is invalid\), got 200\. The server refuses /,
  );
});

test('no operation can be sent -> the reason for each', async () => {
  const spec = join(folder, 'unsendable.json');
  const schema = { type: 'integer', minimum: 5, maximum: 4 };
  const get = {
    parameters: [{ name: 'n', in: 'query', required: true, schema }],
    responses: { 200: { description: 'Never.' } },
  };
  const trace = { responses: { 200: { description: 'Never.' } } };
  const paths = { '/impossible': { get }, '/traced': { trace } };
  const info = { title: 'Unsendable', version: '1' };
  await writeFile(spec, JSON.stringify({ openapi: '3.1.0', info, paths }));
  const { outcome, exit, seen } = await judge({ ...todo, spec });
  expect({ exit, verdict: outcome.verdict, sent: seen.length }).toEqual({
    exit: 3,
    verdict: 'not-judged',
    sent: 0,
  });
  expect(outcome.ended).toContain('GET /impossible: no value meets the schema');
  expect(outcome.ended).toContain('TRACE /traced: the suite does not send this method');
  const ended = await run(['--spec', spec]);
  expect(ended.code).toBe(2);
  expect(ended.err).toContain(`--spec: ${spec}: no operation of the document can be tested: `);
  expect(ended.err).toContain('GET /impossible: no value meets the schema');
});

test('only --read-only rules out every operation -> a usage error too', async () => {
  const spec = join(folder, 'parcels.json');
  const paths = { '/parcels': { post: { responses: { 201: { description: 'Created.' } } } } };
  await writeFile(
    spec,
    JSON.stringify({ openapi: '3.1.0', info: { title: 'Parcels', version: '1' }, paths }),
  );
  const readOnly = await run(['--spec', spec, '--read-only']);
  expect(readOnly.code).toBe(2);
  expect(readOnly.err).toContain('POST /parcels: not possible with --read-only (may change data)');
  // Without --read-only a request is sent. The reference server rejects it, because it has no key.
  const writing = await run(['--spec', spec]);
  expect(writing.code).toBe(3);
  expect(writing.report?.traffic.requests).toBe(1);
});

test('an operation that cannot be sent -> not sent, and the others are tested', async () => {
  const document = JSON.parse(await readFile(todo.spec, 'utf8'));
  const impossible = { type: 'integer', minimum: 5, maximum: 4 };
  document.paths['/impossible'] = {
    get: {
      parameters: [{ name: 'n', in: 'query', required: true, schema: impossible }],
      responses: { 200: { description: 'Never.' }, 400: { description: 'Always.' } },
    },
    post: {
      requestBody: { content: { 'image/png': { schema: {} } }, required: true },
      responses: { 201: { description: 'Never.' } },
    },
  };
  const spec = join(folder, 'impossible.json');
  await writeFile(spec, JSON.stringify(document));
  const { exit, broken, seen, outcome } = await judge({ ...todo, spec });
  expect({ exit, verdict: outcome.verdict, broken }).toEqual({ exit: 0, verdict: 'conformant', broken: [] });
  const [notTested] = outcome.observations.filter(
    ({ subject }) => subject === 'operations that are not tested',
  );
  expect(notTested?.value).toBe('GET /impossible, POST /impossible');
  expect(outcome.operations).toMatchObject({ all: 8, requested: 6 });
  expect(outcome.operations?.notRequested).toEqual([
    expect.stringMatching(/^GET \/impossible: /),
    expect.stringMatching(/^POST \/impossible: /),
  ]);
  expect(seen.filter(({ path }) => path === '/impossible')).toEqual([]);
  expect(seen.length).toBeGreaterThan(100);
});

describe('permissions', () => {
  test('--read-only -> only GET', async () => {
    const { seen, exit, outcome } = await judge(todo, [], { readOnly: true });
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(exit).toBe(0);
    expect(outcome.operations).toMatchObject({ all: 6, requested: 3, leftOut: 3 });
  });

  test('--max-creates -> at most this many creations', async () => {
    const { outcome } = await judge(todo, [], { maxCreates: 5 });
    expect(
      outcome.coverage.find(({ operation, status }) => operation === 'addTodo' && status === '201')?.seen,
    ).toBe(5);
    expect(outcome.traffic.created).toBe(5);
  });

  test('not on loopback -> nothing is replaced or deleted', async () => {
    const { seen } = await judge(todo, [], {}, 'http://todo.example/v1');
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
  });

  test('not on loopback, --risky -> only items of the run are replaced or deleted', async () => {
    const { seen, outcome } = await judge(todo, [], { risky: true }, 'http://todo.example/v1');
    const changing = seen.filter(({ method }) => method === 'PUT' || method === 'DELETE');
    expect(changing.length).toBeGreaterThan(2);
    expect(statusesOf(outcome, 'replaceTodo')).not.toContain('404');
    expect(statusesOf(outcome, 'removeTodo')).toEqual(['204', '404']);
  });
});

describe('keys', () => {
  test('an operation without security -> no key is sent', async () => {
    const { seen } = await judge(todo);
    const open = seen.filter(({ path }) => path === '/health');
    expect(new Set(open.map(({ authorization }) => authorization))).toEqual(new Set([null]));
  });

  test('no key -> no Authorization is sent, and authentication is inconclusive', async () => {
    const { seen, result, exit, outcome } = await judge({ ...todo, key: null });
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([null]));
    expect(result('AUTH-1')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('--api-key'),
    });
    // Without a key, nothing is changed: these operations get no request.
    expect({ exit, operations: outcome.operations }).toMatchObject({
      exit: 0,
      operations: { all: 6, requested: 3, leftOut: 0 },
    });
  });

  test('few operations need a key, and no header is about rate limits -> the reason, and no requirement', async () => {
    const { result, outcome } = await judge(weather);
    expect(result('AUTH-2')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('requires no key'),
    });
    expect(outcome.requirements.filter(({ id }) => id.startsWith('RATE-'))).toEqual([]);
  });
});

describe('a document that takes the key in another way than as a bearer token', () => {
  const key = 'user:key-of-the-vault';
  const basic = `Basic ${Buffer.from(key).toString('base64')}`;
  const schemes = {
    header: { type: 'apiKey', in: 'header', name: 'X-Vault-Key' },
    query: { type: 'apiKey', in: 'query', name: 'vault key' },
    basic: { type: 'http', scheme: 'Basic' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'vault' },
    mutual: { type: 'mutualTLS' },
  };
  const hasKey: Readonly<Record<keyof typeof schemes, (request: globalThis.Request) => boolean>> = {
    header: ({ headers }) => headers.get('X-Vault-Key') === key,
    query: ({ url }) => new URL(url).searchParams.get('vault key') === key,
    basic: ({ headers }) => headers.get('Authorization') === basic,
    cookie: ({ headers }) => headers.get('Cookie') === `vault=${key}`,
    mutual: () => false,
  };
  /** Tests a server with one operation to list and one to create. It ignores the key, or rejects requests without it. */
  const judgeVault = async (
    scheme: keyof typeof schemes,
    {
      ignoresKey = false,
      rejection = 401,
      or = [],
    }: {
      readonly ignoresKey?: boolean;
      readonly rejection?: number;
      readonly or?: readonly (keyof typeof schemes)[];
    } = {},
  ) => {
    const spec = join(folder, `vault-${[scheme, ...or].join('-')}-${rejection}.json`);
    const content = { 'application/json': { schema: { type: 'object', required: ['id'] } } };
    const responses = (status: number) => ({
      [status]: { description: 'Done.', content },
      [rejection]: { description: 'No key.' },
    });
    const document = {
      openapi: '3.1.0',
      info: { title: 'Vault', version: '1' },
      security: [scheme, ...or].map((each) => ({ [each]: [] })),
      paths: { '/coins': { get: { responses: responses(200) }, post: { responses: responses(201) } } },
      components: { securitySchemes: schemes },
    };
    await writeFile(spec, JSON.stringify(document));
    const fetch = () => async (request: globalThis.Request) => {
      if (!ignoresKey && !hasKey[scheme](request)) return new Response(null, { status: rejection });
      return Response.json({ id: 1 }, { status: request.method === 'POST' ? 201 : 200 });
    };
    return judge({ spec, key, fetch });
  };

  test.each(['header', 'query', 'basic', 'cookie'] as const)(
    '%s -> every operation is tested with it',
    async (scheme) => {
      const { outcome, broken, result } = await judgeVault(scheme);
      expect(broken).toEqual([]);
      expect(['AUTH-1', 'AUTH-2', 'AUTH-3'].map((id) => result(id)?.verdict)).toEqual([
        'passed',
        'passed',
        'passed',
      ]);
      expect(outcome.traffic.created).toBeGreaterThan(0);
      expect(JSON.stringify(outcome)).not.toContain('key-of-the-vault');
    },
  );

  test.each(['header', 'query', 'basic', 'cookie'] as const)(
    '%s, ignored -> AUTH-1 to AUTH-3 fail',
    async (scheme) => {
      const { broken } = await judgeVault(scheme, { ignoresKey: true });
      expect(broken).toEqual(['AUTH-1', 'AUTH-2', 'AUTH-3']);
    },
  );

  test.each([
    ['header', []],
    ['basic', ['mutual']],
  ] as const)('%s or %j, and another documented status without it -> inconclusive', async (scheme, or) => {
    const { broken, result } = await judgeVault(scheme, { rejection: 404, or });
    expect([broken, result('AUTH-1')?.reason]).toEqual([
      [],
      'GET /coins: the document gives neither 401 nor 403 for a request without a key',
    ]);
  });

  test('basic, and another documented status without it -> AUTH-1 to AUTH-3 fail', async () => {
    const { broken } = await judgeVault('basic', { rejection: 404 });
    expect(broken).toEqual(['AUTH-1', 'AUTH-2', 'AUTH-3']);
  });

  test('mutual TLS alone -> not judged, with the ways that are supported', async () => {
    const { outcome, exit } = await judgeVault('mutual');
    expect([exit, outcome.ended]).toEqual([
      3,
      expect.stringContaining('that the document says how it is sent'),
    ]);
  });
});

describe('several schemes together', () => {
  const [key, app] = ['key-of-the-vault', 'app-7f3a9c21'];
  type Requirement = 'key' | 'app' | 'both';
  const judgeTogether = async (checked: Requirement, headers: readonly Header[] = [['X-App', app]]) => {
    const spec = join(folder, `together-${checked}-${headers.length}.json`);
    const document = {
      openapi: '3.1.0',
      info: { title: 'Vault', version: '1' },
      security: [{ key: [], app: [] }],
      paths: {
        '/coins': { get: { responses: { 200: { description: 'Done.' }, 401: { description: 'No.' } } } },
      },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer' },
          app: { type: 'apiKey', in: 'header', name: 'X-App' },
        },
      },
    };
    await writeFile(spec, JSON.stringify(document));
    const fetch =
      () =>
      async ({ headers: sent }: globalThis.Request) => {
        const isRight = {
          key: sent.get('Authorization') === `Bearer ${key}`,
          app: sent.get('X-App') === app,
        };
        const passes = checked === 'both' ? isRight.key && isRight.app : isRight[checked];
        return new Response(null, { status: passes ? 200 : 401 });
      };
    return judge({ spec, key, fetch }, [], {}, 'http://localhost/v1', headers);
  };

  test('both are checked -> no failure, and neither is shown', async () => {
    const { broken, result, outcome } = await judgeTogether('both');
    expect([broken, result('AUTH-1')?.verdict, result('AUTH-2')?.verdict]).toEqual([[], 'passed', 'passed']);
    for (const secret of [key, app]) expect(JSON.stringify(outcome)).not.toContain(secret);
  });

  test.each([
    ['key', ['AUTH-1', 'AUTH-2']],
    ['app', ['AUTH-1', 'AUTH-2', 'AUTH-3']],
  ] as const)('only the %s is checked -> %j fail', async (checked, requirements) => {
    expect((await judgeTogether(checked)).broken).toEqual(requirements);
  });

  test('one is not given -> not tested, with the flag that gives it', async () => {
    const { outcome, exit } = await judgeTogether('both', []);
    expect([exit, outcome.ended]).toEqual([3, expect.stringMatching(/give --header 'X-App: VALUE'$/)]);
  });
});

test('key rejected by every operation -> not judged', async () => {
  const { exit, outcome } = await judge({
    ...todo,
    fetch: () => async () => new Response(null, { status: 403 }),
  });
  expect({ exit, verdict: outcome.verdict }).toEqual({ exit: 3, verdict: 'not-judged' });
});

const refuse = async () => new Response(null, { status: 400 });

test.each([
  ['the to-do API', todo],
  ['the weather API', weather],
])('%s: tested by the command', async (_, api) => {
  const { baseUrl } = await serveOnSocket({ keys: [], fetch: api.fetch([]), refuse });
  const key = api.key === null ? [] : ['--api-key', api.key];
  const ended = await run(['--base-url', baseUrl, ...key, '--spec', api.spec, '--seed', '3']);
  expect(ended.code, ended.out + ended.err).toBe(0);
  expect(ended.report?.verdict).toBe('conformant');
});

describe.concurrent('a document that can be read only once', () => {
  test.each([
    ['standard input, from a pipe', 'cat "$SPEC" | $RUN --spec /dev/stdin'],
    ['standard input, from a file', '$RUN --spec /dev/stdin < "$SPEC"'],
    ['a named pipe', 'mkfifo spec.pipe; cat "$SPEC" > spec.pipe & $RUN --spec spec.pipe'],
    ['a file descriptor', 'exec 3< "$SPEC"; $RUN --spec /dev/fd/3'],
  ])('%s', async (_, line) => {
    const { baseUrl } = await serveOnSocket({ keys: [], fetch: weather.fetch([]), refuse });
    const words = [
      'animal-store-conformance',
      'run',
      '--only',
      'GEN-3',
      '--runs',
      '1',
      '--base-url',
      baseUrl,
    ];
    const { code, err } = await shell(line.replace('$RUN', words.join(' ')), { SPEC: weather.spec }).ended;
    expect([code, err]).toEqual([0, '']);
  });
});
