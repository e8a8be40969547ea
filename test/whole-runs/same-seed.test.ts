import { describe, expect, test } from 'vitest';
import { at, record, run, type Seen } from '../support/command.ts';

describe.concurrent('the same seed', () => {
  const sent = async (...args: readonly string[]): Promise<readonly Seen[]> => {
    const server = await record();
    await run([...at(server), '--seed', '11', '--runs', '10', ...args]);
    await server.close();
    return server.seen;
  };
  /** Removes the parts that differ between runs: the name prefix, and categories derived from it. */
  const withoutRun = (text: string): string =>
    text
      .replaceAll(/\\u00([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/conformance-[a-z0-9]{7}-/g, 'conformance-RUN-')
      .replaceAll(/"categoryId":-?\d{16,}/g, '"categoryId":RARE');

  test('the same requests in the same order', async () => {
    const one = ['--concurrency', '1'];
    const [first, second] = await Promise.all([sent(...one), sent(...one)]);
    expect(first.length).toBeGreaterThan(300);
    const comparable = (all: readonly Seen[]) =>
      all.map(({ path, body, ...request }) => ({
        ...request,
        path: withoutRun(path),
        body: withoutRun(body),
      }));
    expect(comparable(second)).toEqual(comparable(first));
  });

  test('the same animals with concurrent requests; another seed -> others', async () => {
    const created = (all: readonly Seen[]) =>
      all
        .filter(({ method }) => method === 'POST')
        .map(
          ({ body, authorization }) =>
            `${authorization} ${withoutRun(body).replaceAll(/"(id|_id|ID|petId)":"?\d+"?/g, '"$1":…')}`,
        )
        .toSorted();
    const [first, second, other] = await Promise.all([
      sent('--only', 'CREATE'),
      sent('--only', 'CREATE'),
      sent('--only', 'CREATE', '--seed', '12'),
    ]);
    expect(created(second)).toEqual(created(first));
    expect(created(other)).not.toEqual(created(first));
  });
});
