import { expect, test } from 'vitest';
import { command, firstLineOf, startCommand } from '../../test/support/processes.ts';
import { dialects } from '../reference/dialects/index.ts';
import { faults } from '../reference/faults/index.ts';

/** Starts `serve` on a free port, and waits for its first line. */
const serve = async (...args: readonly string[]) => {
  const { child, ended } = startCommand(['serve', '--port', '0', ...args]);
  return { child, ended, line: await firstLineOf(child) };
};

test.each(['SIGINT', 'SIGTERM'] as const)(
  '--json -> base URL and keys in one line; %s -> stops',
  async (signal) => {
    const { child, ended, line } = await serve('--json', '--seed-pets', '2', '--now', '2031-01-01');
    const { baseUrl, keys } = JSON.parse(line);
    expect(Object.keys(keys)).toEqual(expect.arrayContaining(['free', 'pro', 'business', 'enterprise']));
    const headers = { authorization: `Bearer ${keys.free}` };
    const list = await fetch(`${baseUrl}/pets`, { headers });
    expect(await list.json()).toHaveLength(2);
    expect(list.headers.get('x-ratelimit-limit')).toBe('60');
    expect((await fetch(`${baseUrl}/pets/1`, { headers })).status).toBe(410);
    child.kill(signal);
    const { code, out, err } = await ended;
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(err).toContain('GET /v1/pets 200');
    expect(err).not.toContain(keys.free);
  },
);

test('no --json -> prints address and keys, and each request unless --quiet is set', async () => {
  for (const quiet of [[], ['--quiet']]) {
    const { child, ended, line } = await serve('--key', 'pro=my-key', '--limit', 'my-key=1/60', ...quiet);
    const [, baseUrl] = line.split(' at ');
    const headers = { authorization: 'Bearer my-key' };
    // A window of the limit may end between two of them.
    const statuses: number[] = [];
    while (statuses.length < 3) statuses.push((await fetch(`${baseUrl}/pets`, { headers })).status);
    expect(statuses[0]).toBe(200);
    expect(statuses).toContain(429);
    child.kill('SIGINT');
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toMatch(/pro +my-key +\(1 requests in 60 s\)/);
    expect(out.includes('GET /v1/pets 429')).toBe(quiet.length === 0);
  }
});

test('--dialect -> responses of the dialect', async () => {
  const { line } = await serve('--json', '--key', 'free=k', '--dialect', 'oldest-first');
  const { baseUrl } = JSON.parse(line);
  const list = await fetch(`${baseUrl}/pets?limit=1`, { headers: { authorization: 'Bearer k' } });
  expect(await list.json()).toMatchObject([{ id: 1 }]);
});

test('a port in use -> one line and exit code 2', async () => {
  const { line } = await serve('--json');
  const { code, err } = await command('serve', '--port', new URL(JSON.parse(line).baseUrl).port);
  expect(code).toBe(2);
  expect(err).toMatch(/^error: port \d+ of 127\.0\.0\.1 is in use.*\n$/);
});

test('a value that cannot be used -> one line and exit code 2', async () => {
  const { code, err } = await command('serve', '--fault', 'no-such-fault');
  expect(code).toBe(2);
  expect(err).toMatch(/^error: --fault: "no-such-fault" is unknown.*\n$/);
});

test('--list-faults and --list-dialects -> all names', async () => {
  const { code, out } = await command('serve', '--list-faults', '--list-dialects');
  expect(code).toBe(0);
  for (const { name } of [...faults, ...dialects]) expect(out).toContain(`${name}  `);
});
