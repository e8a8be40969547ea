import { createSocketNetwork } from '../src/domains/network/sockets.ts';
import { testDomains } from '../src/domains/test-domains.ts';
import { findingsOf, ofKind } from '../src/domains/verdict.ts';
import { adding, all, settings, type WorldPatch } from '../src/reference/domains/patches.ts';
import { attachedTo, hosts, projectPage, record, rightWorld } from '../src/reference/domains/world.ts';
import { serveWorld } from '../test/domains/serve-world.ts';

const goalMs = 3_000;
const names = Array.from({ length: 20 }, (_, index) => `shop-${index}.shop.example`);

/** A project with 20 domains that are right. */
const manyDomains: WorldPatch = all(
  adding(...names.map((name) => record(name, 'CNAME', 'apps.host.example'))),
  settings(() => ({
    domains: names.map(attachedTo),
    primary: names[0] ?? '',
    redirects: [],
  })),
  (world) => ({
    ...world,
    certificate: (address, name) =>
      names.includes(name) ? { names: [name] } : world.certificate(address, name),
    page: (address, url) => (names.includes(url.hostname) ? projectPage : world.page(address, url)),
  }),
);

const served = await serveWorld(manyDomains(rightWorld(Date.now())));
try {
  const { network } = served.settings;
  const context = {
    network: createSocketNetwork(network),
    resolvers: [{ address: hosts.resolver, port: network.dnsPort }] as const,
    now: Date.now,
    unusedLabel: '20261128',
  };
  // The first test makes the certificates.
  await testDomains(served.settings, context);
  const start = performance.now();
  const tested = await testDomains(served.settings, context);
  const ms = Math.round(performance.now() - start);
  const passed = ofKind(findingsOf(tested), 'passed').length;
  console.log(`${names.length} domains: ${passed} results passed in ${ms} ms (goal: less than ${goalMs} ms)`);
  const isRight = tested.domains.every(({ findings }) => ofKind(findings, 'passed').length === 5);
  if (ms >= goalMs || !isRight) process.exitCode = 1;
} finally {
  await served.close();
}
