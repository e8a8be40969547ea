import { describe, expect, test } from 'vitest';
import { alarms } from '../support/run-in-words.ts';
import { behind, judge, rateLimitKey } from './behind.ts';
import { gateways } from './gateways.ts';

const cases = gateways.flatMap((gateway) =>
  [
    { keys: 'one key', settings: { seed: 1 } },
    { keys: 'a rate limit key', settings: { seed: 2, rateLimitKey } },
  ].map((each) => ({ ...each, gateway, name: gateway.name })),
);

describe.concurrent('conforming server -> conformant', () => {
  test.each(cases)('behind $name with $keys', async ({ gateway, settings }) => {
    const outcome = await behind(gateway, [], (baseUrl) => judge(baseUrl, settings));
    expect(alarms(outcome)).toEqual([]);
    expect(outcome.verdict).toBe('conformant');
  });
});
