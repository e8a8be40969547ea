import { expect, test } from 'vitest';
import { createSocketNetwork } from '../../src/domains/network/sockets.ts';
import { testDomains } from '../../src/domains/test-domains.ts';
import { findingsOf, ofKind } from '../../src/domains/verdict.ts';
import { domainDialects } from '../../src/reference/domains/dialects.ts';
import { domainFaults } from '../../src/reference/domains/faults.ts';
import type { WorldPatch } from '../../src/reference/domains/patches.ts';
import { hosts, rightWorld } from '../../src/reference/domains/world.ts';
import { serveWorld } from './serve-world.ts';

/** The requirements that fail for the domains of a world behind real sockets. */
const failedOn = async (patch: WorldPatch): Promise<readonly string[]> => {
  const { settings, close } = await serveWorld(patch(rightWorld(Date.now())));
  try {
    const tested = await testDomains(settings, {
      network: createSocketNetwork(settings.network),
      resolvers: [{ address: hosts.resolver, port: settings.network.dnsPort }],
      now: Date.now,
      unusedLabel: '20261128',
    });
    return [...new Set(ofKind(findingsOf(tested), 'breach').map(({ requirement }) => requirement))];
  } finally {
    await close();
  }
};

/** One in three: what is decided is the same without sockets. */
const sample = <Item>(items: readonly Item[]): readonly Item[] => items.filter((_, index) => index % 3 === 0);

test.each(sample(domainFaults))(
  'real sockets: $name -> only $requirement fails',
  async ({ patch, requirement, companions }) => {
    const failed = await failedOn(patch);
    expect(failed).toContain(requirement);
    expect(failed.filter((id) => id !== requirement && !companions.includes(id))).toEqual([]);
  },
);

test.each(sample(domainDialects))('real sockets: $name -> nothing fails', async ({ patch }) => {
  expect(await failedOn(patch)).toEqual([]);
});
