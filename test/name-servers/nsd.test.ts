import { expect, test } from 'vitest';
import { createSocketNetwork } from '../../src/domains/network/sockets.ts';
import { testDomains } from '../../src/domains/test-domains.ts';
import { findingsOf, ofKind } from '../../src/domains/verdict.ts';
import { adding, all, replacing, type WorldPatch, without } from '../../src/reference/domains/patches.ts';
import { caa, hosts, record, rightWorld } from '../../src/reference/domains/world.ts';
import { serveWorld } from '../domains/serve-world.ts';
import { startNsd } from './nsd.ts';

const www = 'www.shop.example';
const apex = 'shop.example';

/** What fails, and what is inconclusive, for domains whose zones NSD serves. */
const resultOn = async (patch: WorldPatch) => {
  const world = patch(rightWorld(Date.now()));
  const nsd = await startNsd(world.records);
  const served = await serveWorld(world, nsd.port);
  try {
    const { network } = served.settings;
    const [resolver] = network.resolvers;
    const tested = await testDomains(served.settings, {
      network: createSocketNetwork(network),
      resolvers: [resolver ?? { address: hosts.resolver, port: network.dnsPort }],
      now: Date.now,
      unusedLabel: '20261128',
    });
    const findings = findingsOf(tested);
    const idsOf = (kind: 'breach' | 'inconclusive') => [
      ...new Set(ofKind(findings, kind).map(({ requirement }) => requirement)),
    ];
    const exchanges = ofKind(findings, 'breach').flatMap(({ dns }) => dns);
    return {
      failed: idsOf('breach'),
      open: idsOf('inconclusive'),
      transports: exchanges.map(({ transport }) => transport),
    };
  } finally {
    await served.close();
    await nsd.close();
  }
};

const blocked = ['DOMAIN-6', 'DOMAIN-7'];
const withoutCname = without(www, 'CNAME');

test.each<[string, WorldPatch, readonly string[], readonly string[]]>([
  ['right domains', (world) => world, [], []],
  [
    'a wildcard CNAME',
    all(withoutCname, adding(record('*.shop.example', 'CNAME', 'apps.host.example'))),
    [],
    [],
  ],
  ['a name that does not exist', withoutCname, ['DOMAIN-2'], blocked],
  [
    'a name without data',
    all(withoutCname, adding(record(`_acme-challenge.${www}`, 'TXT', '"token"'))),
    ['DOMAIN-2'],
    blocked,
  ],
  ['another CNAME', replacing(record(www, 'CNAME', 'sites.other.example')), ['DOMAIN-2'], blocked],
  [
    'an address in place of the CNAME',
    all(withoutCname, adding(record(www, 'A', hosts.platform))),
    ['DOMAIN-2', 'DOMAIN-4'],
    blocked,
  ],
  [
    'the address of a wildcard in place of the CNAME',
    all(withoutCname, adding(record('*.shop.example', 'A', hosts.platform))),
    ['DOMAIN-2'],
    blocked,
  ],
  [
    'a name that is delegated',
    all(withoutCname, adding(record(www, 'NS', 'ns1.other.example'))),
    ['DOMAIN-4'],
    ['DOMAIN-2', ...blocked],
  ],
  ['an apex elsewhere', replacing(record(apex, 'A', hosts.elsewhere)), ['DOMAIN-3'], blocked],
  ['CAA of another authority', replacing(caa(apex, 'issue', 'other-ca.example')), ['DOMAIN-5'], []],
])('NSD with %s -> what fails', async (_, patch, failed, open) => {
  const result = await resultOn(patch);
  expect(result.failed).toEqual(failed);
  expect(result.open.toSorted()).toEqual([...open].toSorted());
});

test('NSD with 400 TXT records -> the truncated response is read over TCP', async () => {
  const many = Array.from({ length: 400 }, (_, index) => record(www, 'TXT', `"text ${index}"`));
  const { failed, transports } = await resultOn(all(withoutCname, adding(...many)));
  expect(failed).toEqual(['DOMAIN-2', 'DOMAIN-4']);
  expect(transports).toContain('tcp');
});
