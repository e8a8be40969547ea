import { describe, expect, test } from 'vitest';
import type { WireRequest } from '../../src/http/exchange.ts';
import { dialects } from '../../src/reference/dialects/index.ts';
import { faults } from '../../src/reference/faults/index.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { type TestResponse, type TestServer, testKeys, testServer } from '../../src/reference/testing.ts';
import { type ServerSetup, setupFor } from '../../src/selftest/server.ts';
import { differences, recordScript, type Script } from '../support/replay.ts';

/*
 * Every fault and every dialect changes a response. The requests are the ones of a run against the server without patches, up to the
 * first response that differs. A new fault needs no entry here: the self-test fails with it if it changes nothing.
 */

const scripts = new Map<string, Promise<Script>>();

const scriptOf = (setup: ServerSetup): Promise<Script> => {
  const plain = { ...setup, patches: [] };
  const key = JSON.stringify(plain);
  const script = scripts.get(key) ?? recordScript(plain);
  scripts.set(key, script);
  return script;
};

const usual = setupFor({ kind: 'dialect', names: [] });

const hasEffect = async (setup: ServerSetup, script: Script): Promise<boolean> =>
  (await differences(script, setup).next()).done !== true;

test('no patches -> no response differs', async () => {
  expect(await hasEffect(usual, await scriptOf(usual))).toBe(false);
});

/** The self-test could kill these because of their animals or their date. */
const inAnotherStore = faults.filter(({ seedPets, now }) => seedPets !== undefined || now !== undefined);

describe('a fault changes a response of a server with the same animals and the same date', () => {
  test.each(inAnotherStore)('$name', async ({ name }) => {
    const setup = setupFor({ kind: 'fault', names: [name] });
    expect(await hasEffect(setup, await scriptOf(setup))).toBe(true);
  });
});

type Act = (server: TestServer) => Promise<unknown>;

const shown = ({ status, headers, text }: TestResponse) => [status, [...headers], text];

/** Sends requests such as `GET /pets`, in turn. */
const sending =
  (lines: readonly string[], key = 'key-business'): Act =>
  async (server) => {
    const seen: unknown[] = [];
    for (const line of lines) {
      const [method = '', path = ''] = line.split(' ');
      seen.push(shown(await server.send(method, path, { key })));
    }
    return seen;
  };

/** Uses up a day, except for less than the requests of a minute. */
const nearTheEndOfTheDay: Act = async (server) => {
  for (let minute = 0; minute < 16; minute += 1) {
    await server.burst(60, { key: 'key-free' });
    server.now += 60_000;
  }
  return shown(await server.get('/pets', { key: 'key-free' }));
};

/** A ban that does not start on a whole second. */
const bannedBetweenSeconds: Act = async (server) => {
  server.now += 500;
  await server.burst(50, { key: 'key-tiny' });
  return shown(await server.get('/pets', { key: 'key-tiny' }));
};

/** Requests that show dialects which a run with the default settings does not show. */
const ownRequests: ReadonlyMap<string, Act> = new Map([
  ['listed-by-id-descending', sending(['GET /pets'])],
  ['limit-read-leniently', sending(['GET /pets?limit=%2B2', 'GET /pets?limit=%202'])],
  ['last-of-repeated-parameters', sending(['GET /pets?limit=1&limit=2'])],
  ['days-of-another-zone', nearTheEndOfTheDay],
  ['days-sliding', nearTheEndOfTheDay],
  ['headers-of-the-minute', nearTheEndOfTheDay],
  ['reset-rounded-down', bannedBetweenSeconds],
  ['enterprise-quota', sending(['GET /pets'], 'key-enterprise')],
]);

/** Dialects that change nothing on their own: another dialect must change the default first. */
const beside: ReadonlyMap<string, string> = new Map([['listed-by-id-descending', 'oldest-first']]);

const patchOf = (name: string | undefined): readonly Patch[] =>
  dialects.filter((dialect) => dialect.name === name).map(({ patch }) => patch);

const keys = [...testKeys, { key: 'key-enterprise', plan: 'enterprise' as const }];

describe('a dialect changes a response', () => {
  test.each(dialects.filter(({ name }) => !ownRequests.has(name)))('$name', async ({ name }) => {
    const setup = setupFor({ kind: 'dialect', names: [name] });
    expect(await hasEffect(setup, await scriptOf({ ...usual, permission: setup.permission }))).toBe(true);
  });

  test.each([...ownRequests])('%s, for requests of its own', async (name, act) => {
    const before = patchOf(beside.get(name));
    const server = (patches: readonly Patch[]) => testServer({ seedPets: 12, keys, patches });
    const seen = await act(server([...before, ...patchOf(name)]));
    expect(seen).not.toEqual(await act(server(before)));
  });

  test.each([...ownRequests])('%s changes nothing in a run with the default settings', async (name) => {
    const setup = setupFor({ kind: 'dialect', names: [name] });
    const isSeen = await hasEffect(setup, await scriptOf({ ...usual, permission: setup.permission }));
    expect(isSeen, 'It no longer needs requests of its own.').toBe(false);
  });
});

const isPost = ({ method }: WireRequest): boolean => method === 'POST';
const isGetOf =
  (path: RegExp) =>
  ({ method, url }: WireRequest): boolean =>
    method === 'GET' && path.test(url);

const isReadOf =
  (path: RegExp) =>
  ({ method, url }: WireRequest): boolean =>
    ['GET', 'HEAD'].includes(method) && path.test(url);

type IsAllowed = (request: WireRequest, response: string) => boolean;

/** The responses that a fault with `only` in its name may change. */
const allowed: ReadonlyMap<string, IsAllowed> = new Map<string, IsAllowed>([
  ['animals-of-the-beginning-under-their-status-only', isGetOf(/\/pets(\?(?!.*status=).*)?$/)],
  ['category-rounded-in-get-only', isGetOf(/\/pets\/./)],
  ['category-rounded-in-the-201-only', isPost],
  ['category-rounded-in-the-list-only', isGetOf(/\/pets(\?.*)?$/)],
  ['name-cut-in-the-201-only', isPost],
  ['only-available-without-parameters', isGetOf(/\/pets(\?(?!.*(limit|status)=).*)?$/)],
  ['orders-only-by-post', isReadOf(/\/store\/orders/)],
  ['removed-in-decembers-only', isReadOf(/\/pets\/./)],
  ['retry-after-on-the-first-429-only', (_request, response) => /^\[\d+,429,/.test(response)],
]);

describe('a fault whose name says `only` changes no other response', () => {
  test.each([...allowed])('%s', async (name, isAllowed) => {
    const setup = setupFor({ kind: 'fault', names: [name] });
    for await (const { request, response } of differences(await scriptOf(setup), setup))
      expect(isAllowed(request, response), `${request.method} ${request.url}: ${response}`).toBe(true);
  });
});
