import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ServerFailure } from '../../src/run/outcome.ts';
import { at, key, run, serve } from '../support/command.ts';

interface CurlResult {
  /** Null: no response. */
  readonly status: number | null;
  readonly body: string;
}

/** The response to a curl line, in a shell that only has the key. The line goes through stdin: it may be too long for an argument. */
const inShell = async (line: string): Promise<CurlResult> => {
  const shell = spawn('sh', { env: { PATH: process.env.PATH, ANIMAL_STORE_API_KEY: key } });
  shell.stdin.end(line);
  const [output, errors] = await Promise.all([
    buffer(shell.stdout),
    buffer(shell.stderr),
    shell.exitCode === null ? once(shell, 'close') : [],
  ]);
  const text = output.toString('utf8');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  if (status === undefined) {
    // 52 and 56: the server closed the connection without a response. Another code means that the line is wrong.
    expect(errors.toString(), line).toMatch(/^curl: \((?:52|56)\)/);
    return { status: null, body: '' };
  }
  return { status: Number(status), body: text.slice(text.indexOf('\r\n\r\n') + 4) };
};

/** A response without the parts that differ each time: the list grows, and a created animal gets its own id. */
const comparable = ({ operation }: ServerFailure, { status, body }: CurlResult): CurlResult => {
  if (operation === 'listPets' && status === 200) return { status, body: 'a list' };
  return operation === 'createPet' && status === 201
    ? { status, body: body.replace(/"id":"?\d+"?/, '"id":0') }
    : { status, body };
};

test.concurrent.each([
  [
    'unusual bodies and paths',
    [
      'unclosed-json-crashes',
      'invalid-utf-8-crashes',
      'deep-json-crashes',
      'empty-body-crashes',
      'other-media-type-crashes',
      'repeated-member-crashes',
      'object-as-name-crashes',
      'names-encoded-twice',
      'names-percent-decoded',
      'malformed-percent-crashes',
      'quote-in-id-crashes',
      'nul-in-id-drops-the-connection',
      'unknown-id-answered-with-204',
      'only-the-first-piece-of-a-body-read',
      'only-the-last-piece-of-a-body-read',
    ],
  ],
  [
    'unusual queries, names, and numbers',
    [
      'repeated-limit-crashes',
      'empty-limit-crashes',
      'quote-in-status-fails',
      'names-cut-at-fifty',
      'category-through-a-double',
      'scalar-body-passes',
      'malformed-json-is-422',
      'get-escapes-html',
      'errors-labelled-as-plain-text',
      'no-rate-headers-on-400',
    ],
  ],
  [
    'missing and misplaced keys',
    [
      'key-in-x-api-key',
      'key-as-user-of-basic',
      'key-as-password-of-basic',
      'key-in-query-as-access-token',
      'key-under-apikey',
      'key-compared-without-case',
      'last-character-of-the-key-ignored',
      'middle-of-the-key-ignored',
      'longer-keys-accepted',
      'orders-need-no-key',
      'creation-needs-no-key',
      'empty-token-accepted',
    ],
  ],
])('%s -> each curl line gets the response that the report shows', async (_, names) => {
  const server = await serve(...names.flatMap((name) => ['--fault', name]));
  const ended = await run([...at(server), '--runs', '3', '--seed', '9']);
  expect(ended.code).toBe(1);
  const failures = ended.report?.requirements.flatMap((requirement) => requirement.failures) ?? [];
  expect(failures.length).toBeGreaterThanOrEqual(8);
  for (const failure of failures) {
    const { response, curl } = failure;
    expect(curl).not.toContain(key);
    const shown = { status: response?.status ?? null, body: response?.body ?? '' };
    expect(comparable(failure, await inShell(curl)), curl).toEqual(comparable(failure, shown));
  }
});
