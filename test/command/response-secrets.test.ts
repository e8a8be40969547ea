import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, key, run } from '../support/command.ts';
import { findKeys, findKeysIn } from '../support/find-keys.ts';
import { folder } from '../support/processes.ts';
import { serveOnSocket, testReference } from '../support/servers.ts';

const secrets = {
  cookie: 'c00kie-Qw7RtV2mXw9KpL4s',
  accessToken: 'at-9fQ2xYz7LmNp4RtVc0Kd',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiIsIm4iOiJhIn0.Zq7RtV2mXw9KpL4sJn8BdF6hGy3TcA1e',
  password: 'p4ssw0rd-of-somebody-else',
} as const;
const all = Object.values(secrets);

/** The secrets that a run shows in its reports or in the terminal. */
const shownBy = async ({ out, err, reportDir }: Ended): Promise<readonly string[]> => {
  const printed = findKeysIn(Buffer.from(`${out}\n${err}`), all);
  const written = await findKeys(reportDir, all);
  return [...new Set([...printed, ...written].map((found) => found.key))].sort();
};

const textSchema = { type: 'string' };
const jsonOf = (schema: object) => ({ content: { 'application/json': { schema } } });
const spec = join(folder, 'login.json');
writeFileSync(
  spec,
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Login', version: '1' },
    paths: {
      '/login': {
        post: {
          operationId: 'login',
          requestBody: {
            required: true,
            ...jsonOf({
              type: 'object',
              properties: { user: textSchema, password: textSchema },
              required: ['user', 'password'],
            }),
          },
          responses: {
            200: {
              description: 'in',
              ...jsonOf({ type: 'object', properties: { access_token: { type: 'integer' } } }),
            },
            400: { description: 'no' },
          },
        },
      },
      '/me': {
        get: {
          operationId: 'getMe',
          responses: {
            200: {
              description: 'user',
              ...jsonOf({ type: 'object', properties: { note: { type: 'integer' } } }),
            },
          },
        },
      },
    },
  }),
);

/** Its responses have secrets, and are wrong about the types of members. */
const loginServer = {
  fetch: async (request: Request): Promise<Response> => {
    const body = new URL(request.url).pathname.endsWith('/me')
      ? { note: `the old one was ${secrets.password}`, password: secrets.password }
      : { access_token: secrets.accessToken, id_token: secrets.jwt };
    return Response.json(body, { headers: { 'Set-Cookie': `sid=${secrets.cookie}; HttpOnly` } });
  },
};

const few = ['--runs', '1', '--seed', '5', '--verbose'];

describe.concurrent('secrets in the responses of a server', () => {
  test('another API, failing -> masked with their length in every report, and shown with --keep-secrets', async () => {
    const { baseUrl } = await serveOnSocket({ ...testReference({ keys: [] }), ...loginServer });
    const args = [...few, '--spec', spec, '--base-url', baseUrl];
    const masked = await run(args);
    expect(masked.code).toBe(1);
    expect(await shownBy(masked)).toEqual([]);
    expect(JSON.stringify(masked.report)).toContain(`at-9… (${secrets.accessToken.length} characters)`);
    expect(JSON.stringify(masked.report)).toContain(
      `sid=c00k… (${secrets.cookie.length} characters); HttpOnly`,
    );
    const kept = await run([...args, '--keep-secrets']);
    expect(await shownBy(kept)).toEqual([...all].sort());
    const verdicts = ({ report }: Ended) => report?.requirements.map(({ id, verdict }) => [id, verdict]);
    expect(verdicts(kept)).toEqual(verdicts(masked));
  });

  test('animal store with a cookie -> conformant, masked, with the names of animals', async () => {
    const reference = testReference({ keys: [{ key, plan: 'business' }] });
    const { baseUrl } = await serveOnSocket({
      ...reference,
      fetch: async (request) => {
        const response = await reference.fetch(request);
        response.headers.append('Set-Cookie', `sid=${secrets.cookie}`);
        return response;
      },
    });
    const ended = await run([...few, '--base-url', baseUrl, '--api-key', key]);
    expect(ended.report?.verdict).toBe('conformant');
    expect(await shownBy(ended)).toEqual([]);
    expect(JSON.stringify(ended.report?.created)).not.toContain('characters)');
  });

  test.each([
    ['http://192.0.2.1/v1', 'a server elsewhere'],
    ['https://localhost.example/v1', 'a name that looks like this machine'],
  ])('--keep-secrets with %s, %s -> refused', async (baseUrl) => {
    const ended = await run(['--keep-secrets', '--base-url', baseUrl, '--api-key', key]);
    expect(ended).toMatchObject({ code: 2, report: undefined });
    expect(ended.err).toMatch(/^error: --keep-secrets [^\n]+\n$/);
  });
});

describe.concurrent('no key in a refusal, wherever it was typed', () => {
  const config = (value: string): string => {
    const file = join(folder, `keys-${value.length}.yaml`);
    writeFileSync(file, `baseUrl: http://127.0.0.1:9/v1\napiKey: ${value}\n`);
    return file;
  };
  const long = 'sk-live-9fQ2xYz7LmNp4RtV';
  test.each([
    ['a short key', ['--only', 'k7Qx'], 'k7Qx'],
    ['an overridden key of a file', ['--api-key', 'another-key-1234', '--only', long], long],
    ['a key as a document', ['--spec', long], long],
    ['a key as a file of failures', ['--known-failures', long], long],
    ['a key as a module of checks', ['--checks', long], long],
  ])('%s', async (_, args, typed) => {
    const ended = await run(['--config', config(typed), ...args]);
    expect(ended).toMatchObject({ code: 2, out: '', report: undefined });
    expect(ended.err).not.toContain(typed);
  });
});
