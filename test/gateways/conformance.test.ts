import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, run } from '../support/command.ts';
import { alarms } from '../support/run-in-words.ts';
import { apiKey, behind, judge, rateLimitKey } from './behind.ts';
import { type Gateway, gateways } from './gateways.ts';

afterAll(cleanUp);

const cases = gateways.flatMap((gateway) =>
  [
    { keys: 'one key', spare: null },
    { keys: 'a rate limit key', spare: rateLimitKey },
  ].map((each) => ({ ...each, gateway, name: gateway.name })),
);

const judgeByCommand = (gateway: Gateway, spare: string | null, seed: number) =>
  behind(gateway, [], (baseUrl) => {
    const spareKey = spare === null ? [] : ['--rate-limit-key', spare];
    const keys = ['--api-key', apiKey, ...spareKey];
    return run(['--base-url', baseUrl, ...keys, '--runs', '5', '--seed', String(seed)]);
  });

describe.concurrent('conforming server -> conformant', () => {
  describe.each([1, 2])('with seed %i', (seed) => {
    test.each(cases)('behind $name with $keys', async ({ gateway, spare }) => {
      const outcome = await behind(gateway, [], (baseUrl) => judge(baseUrl, { seed, rateLimitKey: spare }));
      expect(alarms(outcome)).toEqual([]);
      expect(outcome.verdict).toBe('conformant');
    });
  });

  test.each(cases)('tested by the command, behind $name with $keys', async ({ gateway, spare }) => {
    const { code, out, report } = await judgeByCommand(gateway, spare, 3);
    expect(report?.verdict, out).toBe('conformant');
    expect(code).toBe(0);
  });
});
