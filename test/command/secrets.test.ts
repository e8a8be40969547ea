import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { invalidKeys, otherWrongSchemes, wrongSchemes } from '../../src/http/credentials.ts';
import { type Ended, run, startRun } from '../support/command.ts';
import { findKeys, findKeysIn } from '../support/find-keys.ts';
import { folder } from '../support/processes.ts';
import { serveOnSocket, testReference } from '../support/servers.ts';

const canaries = {
  long: 'Zq7RtV2mXw9KpL4sJn8BdF6hGy3TcA1eUo5WiMx0',
  special: 'q.Z+4$w(K)[t]{8}^j|\\R*?"v\'B`m<N>&x%41~',
  short: 'k7Qx-9z',
  base64: 'eUtwLWNhbmFyeS03ZlEyeFl6N0xtTnA0UnRW/+==',
  escaped: 'pW%c7%20Kq%2Fv9%2Bx%25Z%3D%3D',
} as const;
type Pair = readonly [main: string, other: string];

const percent = (text: string): string =>
  [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
const entities = (text: string): string => [...text].map((each) => `&#${each.charCodeAt(0)};`).join('');
const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

/** A key in the forms in which a server may repeat it. */
const forms = (key: string): readonly string[] => [
  key,
  percent(key),
  encodeURIComponent(key),
  entities(key),
  base64(key),
  base64(`user:${key}`),
  base64(`{"Authorization":"Bearer ${key}"}`),
  key.toUpperCase(),
];

/** The invalid keys that the suite makes from a key, if they show more than the beginning. */
const nearMissKeys = (key: string): readonly string[] =>
  [...invalidKeys, ...wrongSchemes, ...otherWrongSchemes]
    .flatMap((credential) => {
      const { headers, query = '' } = credential.apply(key);
      return [...headers.map(([, value]) => value), query];
    })
    .map((value) => value.replace(/^\w+[ =]/, ''))
    .filter((token) => token.length >= 6);

/** A header with the key in its name, if the key is a valid name. */
const named = (key: string) => (/^[\w-]+$/.test(key) ? { [`X-${key}`]: key } : {});

const echo = (key: string, response: Response, presented: string): Promise<Response> | Response => {
  const all = [...forms(key), presented, base64(presented)];
  const headers = new Headers({
    ...Object.fromEntries(response.headers),
    'X-Echo': all.join(' , '),
    ...named(key),
  });
  headers.delete('content-length');
  if (response.status === 400)
    return new Response(`<html>${all.join('<br>')}</html>`, { status: 500, headers });
  const repeated = {
    [key]: all,
    message: all.join('; '),
    code: key,
    name: all[0],
    categoryId: key,
    status: 0,
  };
  return response.text().then((text) => {
    const body = text.startsWith('[') ? `${JSON.stringify([repeated])}` : JSON.stringify(repeated);
    return new Response(body, { status: response.status, headers });
  });
};

/** A server with two keys. `echoes`: each response repeats the presented key and the valid one. */
const serve = async ([main, other]: Pair, echoes: boolean): Promise<string> => {
  const reference = testReference({
    keys: [
      { key: main, plan: 'business' },
      { key: other, plan: 'business', window: { limit: 10, seconds: 1 } },
    ],
  });
  let count = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const presented = request.headers.get('authorization') ?? request.url;
    const response = await reference.fetch(request);
    count += 1;
    // The first responses are correct, so that the run goes on.
    return echoes && count > 40 ? echo(main, response, presented) : response;
  };
  return (await serveOnSocket({ ...reference, fetch })).baseUrl;
};

/** Every place where one of the keys, or an invalid key made from it, can be read. */
const leaksOf = async ({ out, err, report, reportDir }: Partial<Ended>, keys: readonly string[]) => {
  const wanted = keys.flatMap((key) => [...forms(key), ...nearMissKeys(key), key.toLowerCase()]);
  const printed = findKeysIn(Buffer.from(`${out}\n${err}`), wanted).map((found) => ({
    file: 'terminal',
    ...found,
  }));
  const written = report === undefined ? [] : await findKeys(String(reportDir), wanted);
  return [...printed, ...written].map(({ file, key, under }) => `${file}: ${key} ${under}`);
};

const few = ['--runs', '1', '--seed', '5'];
const inFlags = ([main, other]: Pair) => ['--api-key', main, '--rate-limit-key', other];
const inEnvironment = ([main, other]: Pair) => ({
  ANIMAL_STORE_API_KEY: main,
  ANIMAL_STORE_RATE_LIMIT_KEY: other,
});
const inFile = ([main, other]: Pair, name: string) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ apiKey: main, rateLimitKey: other }));
  return ['--config', file];
};

describe.concurrent('no key in any report or message', () => {
  test('conforming server, keys in flags', async () => {
    const keys: Pair = [canaries.long, canaries.special];
    const ended = await run([...few, '--base-url', await serve(keys, false), ...inFlags(keys)]);
    expect(ended.report?.verdict).toBe('conformant');
    expect(ended.out).toContain('key Zq7R…');
    expect(ended.report?.requirements.some(({ failures }) => failures.length > 0)).toBe(false);
    expect(await leaksOf(ended, keys)).toEqual([]);
  });

  test.each<[string, Pair, (keys: Pair) => [string[], Record<string, string>]]>([
    [
      'the environment: a short one, and one that looks like base64',
      [canaries.short, canaries.base64],
      (keys) => [[], inEnvironment(keys)],
    ],
    [
      'the environment: a percent-encoded one',
      [canaries.escaped, canaries.long],
      (keys) => [['--skip', 'RATE'], inEnvironment(keys)],
    ],
    [
      'a file: one with special characters, and a long one',
      [canaries.special, canaries.long],
      (keys) => [[...inFile(keys, 'special.json'), '--skip', 'RATE'], {}],
    ],
  ])('server that repeats the keys in every form, keys in %s', async (_, keys, give) => {
    const [args, env] = give(keys);
    const ended = await run([...few, '--base-url', await serve(keys, true), ...args], env);
    expect(ended.code).toBe(1);
    expect(ended.report?.traffic.requests).toBeGreaterThan(200);
    expect(await leaksOf(ended, keys)).toEqual([]);
  });

  test('interrupted run', async () => {
    const keys: Pair = [canaries.base64, canaries.short];
    const { child, ended } = startRun([...few, ...['--base-url', await serve(keys, true), ...inFlags(keys)]]);
    const interrupt = (chunk: unknown) => {
      if (!String(chunk).includes('✕')) return;
      child.stdout?.off('data', interrupt);
      child.kill('SIGINT');
    };
    child.stdout?.on('data', interrupt);
    const interrupted = await ended;
    expect(interrupted.code).toBe(130);
    expect(interrupted.report?.ended).toMatch(/interrupted/);
    expect(await leaksOf(interrupted, keys)).toEqual([]);
  });
});

describe.concurrent('no key in the message of an error of the suite', () => {
  const keys: Pair = [canaries.special, canaries.short];
  const failing = "throw new Error('bad header: Bearer ' + process.env.ANIMAL_STORE_API_KEY + ' '"
    .concat(' + Buffer.from(process.env.ANIMAL_STORE_RATE_LIMIT_KEY).toString("base64"))')
    .replaceAll('"', "'");
  /** Makes the check of VER-1 throw at its start. */
  const inACheck = `import { registerHooks } from 'node:module';
    const broken = ${JSON.stringify(`run: async (_, context) => { ${failing}`)};
    registerHooks({ load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.endsWith('/suites/animal-store/version.ts')) return loaded;
      return { ...loaded, source: String(loaded.source).replace('run: async (_, context) => {', () => broken) };
    } });`;
  test.each([
    [
      'at any time',
      `const fail = () => { if (process.listenerCount('uncaughtException') > 0) { ${failing} } setTimeout(fail, 1) }; setTimeout(fail, 1)`,
      4,
    ],
    ['in a check', inACheck, 4],
    ['at the end', `Date.prototype.toISOString = () => { ${failing} }`, 4],
  ])('%s', async (_, code, exit) => {
    const ended = await run([...few, '--only', 'VER', '--base-url', await serve(keys, false)], {
      ...inEnvironment(keys),
      ANIMAL_STORE_DEBUG: '1',
      NODE_OPTIONS: `--import=data:text/javascript;base64,${base64(code)}`,
    });
    expect(ended.code).toBe(exit);
    expect(`${ended.err}${JSON.stringify(ended.report ?? '')}`).toContain('bad header: Bearer …');
    expect(await leaksOf(ended, keys)).toEqual([]);
  });
});

describe.concurrent('no key in the message of a usage error', () => {
  const key = canaries.long;
  const malformed = join(folder, 'malformed.yaml');
  writeFileSync(malformed, `apiKey: [${key}\nplan: ${key}\n`);
  const wrongPlace = join(folder, 'wrong-place.json');
  writeFileSync(wrongPlace, JSON.stringify({ apiKey: [key], plan: key }));
  test.each<[string, readonly string[]]>([
    ['a key with a space', ['--api-key', `${key} x`]],
    ['a key with the end of its line', ['--api-key', `${key}\r`]],
    ['a key given twice', ['--api-key', key, key]],
    ['a key with its scheme', ['--api-key', `Bearer ${key}`]],
    ['a key instead of an id', ['--api-key', key, '--only', key]],
    ['a key instead of a plan', ['--api-key', key, '--plan', key]],
    ['a key instead of a command', [key]],
    ['a key joined to its flag', [`--api-key${key}`]],
    ['a key joined to a short flag', [`-k${key}`]],
    ['a key after an unknown flag', [`--apikey=${key}`]],
    ['a key in the URL', ['--base-url', `http://user:${key}@127.0.0.1/v1`]],
    ['a key in the query of the URL', ['--base-url', `http://127.0.0.1/v1?api_key=${key}`]],
    ['a file that is not YAML', ['--config', malformed]],
    ['a file with the key in a list and as a plan', ['--config', wrongPlace]],
  ])('%s', async (_, args) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code: 2, out: '', report: undefined });
    expect(ended.err).toMatch(/^(error: [^\n]+\n)+$/);
    expect(await leaksOf(ended, [key])).toEqual([]);
  });
});
