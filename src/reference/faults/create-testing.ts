import { describe, expect, test } from 'vitest';
import type { Fault } from '../patch.ts';
import { fieldsOf, itemsOf, type TestOptions, type TestServer, testServer } from '../testing.ts';

/** What shows a fault: requests, and what comes of them on the faulty server alone. */
export interface Showing {
  /** What the requests find out; compared exactly. */
  readonly find: (server: TestServer) => Promise<unknown>;
  readonly faulty: unknown;
  readonly conforming: unknown;
}

/** Tests that each fault of a list takes effect in the way that the table tells, and that the table has one for each. */
export function describeFaults(
  faults: readonly Fault[],
  showings: Readonly<Record<string, Showing>>,
  options: TestOptions = {},
): void {
  test('each fault is shown', () => {
    expect(Object.keys(showings).toSorted()).toEqual(faults.map(({ name }) => name).toSorted());
  });
  describe.each(faults)('$name', ({ name, patch }) => {
    const showing = showings[name];
    test('differs as told', async () => {
      expect(await showing?.find(testServer({ ...options, patches: [patch] }))).toEqual(showing?.faulty);
    });
    test('is not how the conforming server answers', async () => {
      expect(showing?.faulty).not.toEqual(showing?.conforming);
      expect(await showing?.find(testServer(options))).toEqual(showing?.conforming);
    });
  });
}

/** A NewPet as JSON text: valid but for the fields given; undefined leaves one out. */
export const bodyOf = (fields: Readonly<Record<string, string | undefined>> = {}): string =>
  `{${Object.entries({ name: '"Bella"', categoryId: '1', ...fields })
    .filter(([, source]) => source !== undefined)
    .map(([field, source]) => `${JSON.stringify(field)}:${source}`)
    .join(',')}}`;

/** The status that a body is answered with. */
export const statusFor =
  (body: string | Uint8Array<ArrayBuffer>): Showing['find'] =>
  async (server) =>
    (await server.send('POST', '/pets', { body })).status;

/** A field of the 201 to a body. */
export const created =
  (field: string, body: string): Showing['find'] =>
  async (server) =>
    fieldsOf(await server.create(body))[field];

/** A field of the animal in the list and in getPet, once it is created. */
export const shown =
  (field: string, body: string): Showing['find'] =>
  async (server) => {
    const made = fieldsOf(await server.create(body));
    const [listed] = itemsOf(await server.get('/pets'));
    const got = fieldsOf(await server.get(`/pets/${made.id}`));
    return [made[field], listed?.[field], got[field]];
  };
