import { afterAll, describe, expect, test } from 'vitest';
import { cleanUp, run } from '../support/command.ts';
import { alarms } from '../support/paced-run.ts';
import { apiKey, behind, judge, rateLimitKey } from './behind.ts';
import { type Gateway, gateways } from './gateways.ts';

afterAll(cleanUp);

const settings = gateways.flatMap((gateway) =>
  [
    { keys: 'one key', spare: null },
    { keys: 'a rate limit key', spare: rateLimitKey },
  ].map((each) => ({ ...each, gateway, name: gateway.name })),
);

const byCommand = (gateway: Gateway, spare: string | null, seed: number) =>
  behind(gateway, [], (baseUrl) => {
    const spareKey = spare === null ? [] : ['--rate-limit-key', spare];
    const keys = ['--api-key', apiKey, ...spareKey];
    return run(['--base-url', baseUrl, ...keys, '--runs', '5', '--seed', String(seed)]);
  });

describe.concurrent('a conforming server is conformant', () => {
  test.each(settings)('behind $name with $keys', async ({ gateway, spare }) => {
    for (const seed of [1, 2]) {
      const outcome = await behind(gateway, [], (baseUrl) => judge(baseUrl, { seed, rateLimitKey: spare }));
      expect(alarms(outcome)).toEqual([]);
      expect(outcome.verdict).toBe('conformant');
    }
    const { code, out, report } = await byCommand(gateway, spare, 3);
    expect(report?.verdict, out).toBe('conformant');
    expect(code).toBe(0);
  });
});
