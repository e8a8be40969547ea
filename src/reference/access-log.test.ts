import { expect, test } from 'vitest';
import { withAccessLog } from './access-log.ts';
import { createReference } from './reference.ts';

const clock = { now: () => Date.parse('2026-03-01T12:00:00Z'), sleep: async () => {} };

/** The log lines of requests to a server with the key `secret-key`. */
async function linesFor(...requests: readonly Request[]): Promise<string[]> {
  const lines: string[] = [];
  const keys = [
    { key: 'secret-key', plan: 'free' as const },
    { key: '1234567890', plan: 'pro' as const },
  ];
  const reference = withAccessLog(createReference({ clock, keys, random: () => 0 }), clock, (line) =>
    lines.push(line),
  );
  for (const request of requests) await reference.fetch(request);
  return lines;
}

const request = (path: string, authorization?: string): Request =>
  new Request(`http://localhost${path}`, authorization === undefined ? {} : { headers: { authorization } });

test('line: time, method, path, status, duration, and the beginning of a long key', async () => {
  expect(await linesFor(request('/v1/pets?limit=5&status=sold', 'Bearer secret-key'))).toEqual([
    '2026-03-01T12:00:00.000Z GET /v1/pets?limit=5&status=sold 200 0 ms key …',
  ]);
  expect((await linesFor(request('/v1/pets', 'Bearer a-key-of-20-characters')))[0]).toMatch(/ key a-ke…$/);
});

test('no key -> the line says so', async () => {
  expect((await linesFor(request('/v1/pets')))[0]).toMatch(/401 0 ms no key$/);
});

test.each([
  ['the query', '/v1/pets?api_key=secret-key'],
  ['a parameter of the interface', '/v1/pets?limit=secret-key&status=secret-key'],
  ['a parameter name', '/v1/pets?secret-key'],
  ['the path', '/v1/pets/secret-key/secret-key'],
  ['a petId of digits', '/v1/pets/1234567890'],
  ['the query, percent-encoded', '/v1/pets?k=%73ecret-key'],
])('key in %s -> not shown', async (_where, path) => {
  for (const authorization of ['Bearer secret-key', 'Basic secret-key', 'secret-key', 'Bearer secret-keX']) {
    const [line = ''] = await linesFor(request(path, authorization));
    expect(line).not.toMatch(/secre|ecret|12345/);
  }
});

test('control characters sent -> still one line of printable characters', async () => {
  const header = Buffer.from('Bearer \x7f\x85é\u0001x').toString('latin1');
  const [line = ''] = await linesFor(request('/v1/pets/%0a%1b[31m?\u001b=\u2028', header));
  expect(line).toMatch(/^[\x20-\x7e…]+$/);
});
