import { describe, expect, test } from 'vitest';
import { faultNamed } from '../support/faults.ts';
import { behind, judge, rateLimitKey } from './behind.ts';
import { gateways } from './gateways.ts';

const faults = [
  'limit-one-too-many',
  'category-through-a-double',
  'worded-id-crashes',
  'ids-that-are-words-refused-in-front',
  'no-retry-after',
].map(faultNamed);

const cases = gateways.flatMap((gateway) =>
  faults.map((fault) => ({ gateway, name: gateway.name, fault, faulty: fault.name })),
);

describe.concurrent('fault -> found', () => {
  test.each(cases)('behind $name: $faulty', async ({ gateway, fault }) => {
    const { requirement, needs, patch } = fault;
    const outcome = await behind(gateway, [patch], (baseUrl) =>
      judge(baseUrl, {
        seed: 1,
        only: [requirement],
        rateLimitKey: needs === undefined ? null : rateLimitKey,
      }),
    );
    const failed = outcome.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    expect(failed).toContain(requirement);
  });
});
