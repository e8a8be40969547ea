// The servers of examples/ in other languages. They need Debian's python3, golang-go, and default-jdk-headless.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { run } from '../support/command.ts';
import { firstLineOf, folder, start } from '../support/processes.ts';
import { alarms } from '../support/run-in-words.ts';

const example = (path: string): string => join(packageRoot(), 'examples', path);

const { PATH, HOME = folder } = process.env;

/** Compiled before, because `go run` leaves its child alone when it is ended. */
const goServer = join(folder, 'go-server');

const commands: Readonly<Record<string, readonly [file: string, ...words: readonly string[]]>> = {
  Python: ['python3', example('python/server.py'), '0'],
  Go: [goServer, '0'],
  Java: ['java', example('java/Server.java'), '0'],
};

beforeAll(async () => {
  const env = { PATH, HOME, GOCACHE: join(folder, 'go-cache') };
  const { code, err } = await start('go', ['build', '-o', goServer, example('go/server.go')], env).ended;
  expect(code, err).toBe(0);
});

describe.each(Object.entries(commands))('the animal store in %s', (_, [file, ...words]) => {
  test('with a rate limit key -> conformant', async () => {
    const { child } = start(file, words, { PATH, HOME });
    const baseUrl = await firstLineOf(child);
    const keys = ['--api-key', 'example-key', '--rate-limit-key', 'example-limit-key'];
    const plans = ['--plan', 'enterprise', '--rate-limit-plan', 'enterprise'];
    const { code, report } = await run(['--base-url', baseUrl.trim(), ...keys, ...plans, '--seed', '3']);
    expect({ code, verdict: report?.verdict, alarms: report && alarms(report) }).toEqual({
      code: 0,
      verdict: 'conformant',
      alarms: [],
    });
  });
});
