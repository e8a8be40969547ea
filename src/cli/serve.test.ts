import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { dialects } from '../reference/dialects/index.ts';
import { faults } from '../reference/faults/index.ts';

const program = `
  import { Command } from 'commander';
  import { register } from ${JSON.stringify(new URL('./serve.ts', import.meta.url).href)};
  const program = new Command('animal-store-conformance');
  register(program.command('serve'));
  await program.parseAsync(['serve', ...process.argv.slice(1)], { from: 'user' });
`;

const started: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function serve(...args: readonly string[]) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...args]);
  started.push(child);
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    texts.err += chunk;
  });
  return { child, texts, exit: once(child, 'close').then(([code]) => code as number | null) };
}

const firstLine = async ({ child }: ReturnType<typeof serve>): Promise<string> =>
  String((await once(createInterface(child.stdout), 'line'))[0]);

test.each(['SIGINT', 'SIGTERM'] as const)(
  '--json -> base URL and keys in one line; %s -> stops',
  async (signal) => {
    const server = serve('--port', '0', '--json', '--seed-pets', '2', '--now', '2031-01-01');
    const { baseUrl, keys } = JSON.parse(await firstLine(server));
    expect(Object.keys(keys)).toEqual(expect.arrayContaining(['free', 'pro', 'business', 'enterprise']));
    const headers = { authorization: `Bearer ${keys.free}` };
    const list = await fetch(`${baseUrl}/pets`, { headers });
    expect(await list.json()).toHaveLength(2);
    expect(list.headers.get('x-ratelimit-limit')).toBe('60');
    expect((await fetch(`${baseUrl}/pets/1`, { headers })).status).toBe(410);
    server.child.kill(signal);
    expect(await server.exit).toBe(0);
    expect(server.texts.out.trim().split('\n')).toHaveLength(1);
    expect(server.texts.err).toContain('GET /v1/pets 200');
    expect(server.texts.err).not.toContain(keys.free);
  },
);

test('no --json -> prints address and keys, and each request unless --quiet is set', async () => {
  for (const quiet of [[], ['--quiet']]) {
    const server = serve('--port', '0', '--key', 'pro=my-key', '--limit', 'my-key=1/60', ...quiet);
    const [, baseUrl] = (await firstLine(server)).split(' at ');
    const headers = { authorization: 'Bearer my-key' };
    const responses = [
      await fetch(`${baseUrl}/pets`, { headers }),
      await fetch(`${baseUrl}/pets`, { headers }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 429]);
    server.child.kill('SIGINT');
    expect(await server.exit).toBe(0);
    expect(server.texts.out).toMatch(/pro +my-key +\(1 requests in 60 s\)/);
    expect(server.texts.out.includes('GET /v1/pets 429')).toBe(quiet.length === 0);
  }
});

test('--dialect -> responses of the dialect', async () => {
  const server = serve('--port', '0', '--json', '--key', 'free=k', '--dialect', 'oldest-first');
  const { baseUrl } = JSON.parse(await firstLine(server));
  const list = await fetch(`${baseUrl}/pets?limit=1`, { headers: { authorization: 'Bearer k' } });
  expect(await list.json()).toMatchObject([{ id: 1 }]);
});

test('a port in use -> one line and exit code 2', async () => {
  const first = serve('--port', '0', '--json');
  const { port } = new URL(JSON.parse(await firstLine(first)).baseUrl);
  const second = serve('--port', port);
  expect(await second.exit).toBe(2);
  expect(second.texts.err).toMatch(/^error: port \d+ of 127\.0\.0\.1 is in use.*\n$/);
});

test('a value that cannot be used -> one line and exit code 2', async () => {
  const server = serve('--fault', 'no-such-fault');
  expect(await server.exit).toBe(2);
  expect(server.texts.err).toMatch(/^error: --fault: "no-such-fault" is unknown.*\n$/);
});

test('--list-faults and --list-dialects -> all names', async () => {
  const server = serve('--list-faults', '--list-dialects');
  expect(await server.exit).toBe(0);
  for (const { name } of [...faults, ...dialects]) expect(server.texts.out).toContain(`${name}  `);
});
