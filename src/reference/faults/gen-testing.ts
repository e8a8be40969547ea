import { expect, test } from 'vitest';
import type { Fault } from '../patch.ts';
import { type SendOptions, type TestServer, testServer } from '../testing.ts';

/** What a fault changes: what is done, and what comes of it on the faulty server only. */
export type Difference = readonly [act: (server: TestServer) => Promise<unknown>, faulty: unknown];

/** One test for each fault: its difference shows on a server with the fault, and does not on the conforming one. */
export function testDifferences(
  faults: readonly Fault[],
  differences: Readonly<Record<string, Difference>>,
): void {
  test('each fault has its difference, and each difference its fault', () => {
    expect(Object.keys(differences).sort()).toEqual(faults.map(({ name }) => name).sort());
  });
  test.each(faults)('$name: $description', async ({ name, patch }) => {
    const [act, faulty] = differences[name] ?? [];
    expect(await act?.(testServer({ seedPets: 12, patches: [patch] }))).toEqual(faulty);
    expect(await act?.(testServer({ seedPets: 12 }))).not.toEqual(faulty);
  });
}

type Act = Difference[0];

/** The status of one answer; `dropped` where none comes, `late` where it takes longer than ten seconds. */
export const status =
  (method: string, path: string, options: SendOptions = {}): Act =>
  async (server) => {
    const start = server.now;
    const answer = await server.send(method, path, options).catch(() => null);
    if (answer === null) return 'dropped';
    return server.now - start > 10_000 ? 'late' : answer.status;
  };

/** The status of a creation with this body. */
export const created = (body: string | Uint8Array<ArrayBuffer>, options: SendOptions = {}): Act =>
  status('POST', '/pets', {
    ...options,
    body,
    headers: { 'content-type': 'application/json', ...options.headers },
  });

/** The results of several acts on the same server, one after the other. */
export const inTurn =
  (...acts: readonly Act[]): Act =>
  async (server) => {
    const results: unknown[] = [];
    for (const act of acts) results.push(await act(server));
    return results;
  };

/** The text of a creation. */
export const newPet = (fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ name: 'Rex', categoryId: 1, ...fields });

export const keyless: SendOptions = { key: null };

/** What each operation answers, in the order of the document. */
export const everywhere = (options: SendOptions): Act =>
  inTurn(
    status('GET', '/pets', options),
    created(newPet(), options),
    status('GET', '/pets/1', options),
    status('GET', '/store/orders', options),
  );
