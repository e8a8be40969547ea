import { describe, expect, test } from 'vitest';
import type { Json } from '../../json/json.ts';
import type { Dialect } from '../patch.ts';
import { itemsOf, type SendOptions, type TestServer, testKeys, testServer } from '../testing.ts';

const keys = [...testKeys, { key: 'key-enterprise', plan: 'enterprise' as const }];

/** A server in these dialects, with three animals where none of them says how many. */
export const serverIn = (...dialects: readonly Dialect[]): TestServer => {
  const seedPets = dialects.find((one) => one.seedPets !== undefined)?.seedPets ?? 3;
  const now = dialects.find((one) => one.now !== undefined)?.now;
  const patches = dialects.map(({ patch }) => patch);
  return testServer({ patches, seedPets, keys, ...(now === undefined ? {} : { now }) });
};

/** What is looked at to see a dialect. */
export type Look = (server: TestServer) => Promise<unknown>;

/** Something that is seen of a server in the dialect, and on no server without it. */
export type Row = readonly [name: string, look: Look, seen: unknown];

/** Tests that each dialect of a group takes effect; `beside`: others that are spoken all the time. */
export function eachTakesEffect(
  group: readonly Dialect[],
  rows: readonly Row[],
  beside: readonly Dialect[] = [],
): void {
  describe('each takes effect', () => {
    test('and is looked at', () => {
      expect(rows.map(([name]) => name).toSorted()).toEqual(group.map(({ name }) => name).toSorted());
    });
    test.each(rows)('%s', async (name, look, seen) => {
      const dialect = group.find((one) => one.name === name);
      expect(await look(serverIn(...beside, ...(dialect ? [dialect] : [])))).toEqual(seen);
      if (dialect?.now === undefined) expect(await look(serverIn(...beside))).not.toEqual(seen);
    });
  });
}

/** `GET /pets?limit=3`, `POST /pets` with a body, … */
const sending = (line: string, options: SendOptions = {}) => {
  const [method = '', path = ''] = line.split(' ');
  return (server: TestServer) => server.send(method, path, options);
};

export const statusOf =
  (line: string, options?: SendOptions): Look =>
  async (server) =>
    (await sending(line, options)(server)).status;

export const textOf =
  (line: string, options?: SendOptions): Look =>
  async (server) =>
    (await sending(line, options)(server)).text;

export const bodyOf =
  (line: string, options?: SendOptions): Look =>
  async (server) =>
    (await sending(line, options)(server)).json;

export const headerOf =
  (name: string, line: string, options?: SendOptions): Look =>
  async (server) =>
    (await sending(line, options)(server)).headers.get(name);

/** A field of each animal listed. */
export const listed =
  (field: string, query = ''): Look =>
  async (server) =>
    itemsOf(await server.get(`/pets${query}`)).map((pet): Json => pet[field] ?? null);

/** What `look` sees after so many other looks. */
export const after =
  (looks: readonly Look[], look: Look): Look =>
  async (server) => {
    for (const other of looks) await other(server);
    return look(server);
  };

export const wait =
  (ms: number): Look =>
  async (server) => {
    server.now += ms;
  };

export const times = (count: number, look: Look): readonly Look[] => Array<Look>(count).fill(look);
export const each =
  (...looks: readonly Look[]): Look =>
  async (server) => {
    const seen: unknown[] = [];
    for (const look of looks) seen.push(await look(server));
    return seen;
  };
