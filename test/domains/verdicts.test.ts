import { expect, test } from 'vitest';
import { testDomains } from '../../src/domains/test-domains.ts';
import { findingsOf, ofKind, verdictOf } from '../../src/domains/verdict.ts';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { worldContext } from '../../src/reference/domains/network.ts';
import {
  adding,
  all,
  answering,
  certificate,
  domain,
  page,
  pageOf,
  replacing,
  settings,
  type WorldPatch,
  without,
} from '../../src/reference/domains/patches.ts';
import { caa, hosts, projectPage, rcode, record, rightWorld } from '../../src/reference/domains/world.ts';

const now = Date.parse('2026-11-28T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const www = 'www.shop.example';
const apex = 'shop.example';
const old = 'old.shop.example';

const testWorld = async (patch: WorldPatch) => {
  const world = patch(rightWorld(now));
  const tested = await testDomains(world.settings, worldContext(world));
  return findingsOf(tested);
};

/** The verdicts of DOMAIN-1 to DOMAIN-8 that are not passed. */
const verdictsOn = async (patch: WorldPatch): Promise<Readonly<Record<string, string>>> => {
  const findings = await testWorld(patch);
  const verdicts = loadCatalogue()
    .filter(({ subject, level }) => subject === 'domain' && level === 'MUST')
    .map((each) => [each.id.replace('DOMAIN-', ''), verdictOf(each, findings).verdict] as const);
  return Object.fromEntries(verdicts.filter(([, verdict]) => verdict !== 'passed'));
};

const failed = 'failed';
const inconclusive = 'inconclusive';
const blocked = { 6: inconclusive, 7: inconclusive };

const changed = (ago: number) => domain(www, { changed: now - ago });
const verified = (ago: number) => domain(www, { verified: now - ago });
const wrongAlias = replacing(record(www, 'CNAME', 'sites.other.example'));
const besideAlias = adding(record(www, 'MX', '10 mail.shop.example'));
const noAddress = all(without(apex, 'A'), domain(apex, { changed: now - 47 * hour }));
const isUnused = (name: string) => ![www, apex, old].includes(name);
const unusedSlow: WorldPatch = (world) => ({
  ...world,
  certificate: (address, name) => (isUnused(name) ? 'timeout' : world.certificate(address, name)),
});
const unusedPageSlow = page(({ hostname }) => (isUnused(hostname) ? 'timeout' : null));
const anyBody = settings(({ project }) => ({ project: { ...project, contains: null } }));
const twoAddresses = adding(
  record('apps.host.example', 'A', hosts.otherPlatform),
  record(apex, 'A', hosts.otherPlatform),
);
const silentFor = (name: string, type: string) =>
  answering((question) =>
    question.server !== hosts.resolver && question.name === name && question.type === type ? 'timeout' : null,
  );

test.each<readonly [string, WorldPatch, Readonly<Record<number, string>>]>([
  [
    'a wrong alias, changed 47 h 59 ago',
    all(wrongAlias, changed(48 * hour - minute)),
    { 2: inconclusive, ...blocked },
  ],
  ['a wrong alias, changed 48 h ago', all(wrongAlias, changed(48 * hour)), { 2: failed, ...blocked }],
  [
    'a conflict, changed 47 h 59 ago',
    all(besideAlias, changed(48 * hour - minute)),
    { 4: inconclusive, ...blocked },
  ],
  ['a conflict, changed 48 h ago', all(besideAlias, changed(48 * hour)), { 4: failed, ...blocked }],
  ['an apex without address, changed 47 h ago', noAddress, { 3: inconclusive, ...blocked }],
  [
    'no certificate, verified 29 min ago',
    all(certificate(www, 'closed'), verified(29 * minute)),
    { 6: inconclusive, 7: inconclusive },
  ],
  [
    'no certificate, verified 30 min ago',
    all(certificate(www, 'closed'), verified(30 * minute)),
    { 6: failed, 7: inconclusive },
  ],
  [
    'another name at once, and the certificate for unknown names is not known',
    all(certificate(www, { names: ['other.example'] }), unusedSlow, verified(minute)),
    { 6: inconclusive, 7: inconclusive },
  ],
  [
    'another name later, and the certificate for unknown names is not known',
    all(certificate(www, { names: ['other.example'] }), unusedSlow),
    { 6: failed, 7: inconclusive },
  ],
  [
    'one address is slow, and the other is right',
    all(twoAddresses, certificate(www, 'timeout', hosts.otherPlatform)),
    {},
  ],
  [
    'one address is slow, and the other has no certificate',
    all(
      twoAddresses,
      certificate(www, 'timeout', hosts.otherPlatform),
      certificate(www, 'closed', hosts.platform),
    ),
    { 6: inconclusive, 7: inconclusive },
  ],
  ['the page for unknown names is not known, and a text recognizes the project', unusedPageSlow, {}],
  [
    'the page for unknown names is not known, and nothing recognizes the project',
    all(unusedPageSlow, anyBody),
    { 7: inconclusive },
  ],
  ['a removed domain is slow', pageOf(old, 'timeout'), { 8: inconclusive }],
  [
    'a removed domain may be served as unknown names are',
    all(unusedPageSlow, pageOf(old, projectPage)),
    { 8: inconclusive },
  ],
  [
    'the resolver fails for IPv6 addresses of the platform host',
    answering(({ server, name, type }) =>
      server === hosts.resolver && name === 'apps.host.example' && type === 'AAAA' ? rcode('SERVFAIL') : null,
    ),
    { 8: inconclusive },
  ],
  [
    'the last of six addresses serves a removed domain',
    all(
      adding(...[41, 42, 43, 44, 45].map((last) => record('apps.host.example', 'A', `127.0.0.${last}`))),
      page(({ hostname }, address) => (hostname === old && address === '127.0.0.45' ? projectPage : null)),
    ),
    { 8: failed },
  ],
  [
    'a redirect whose target has a trailing dot and escapes in lower case',
    all(
      settings(({ redirects }) => ({
        redirects: redirects.map((each) => ({ ...each, to: 'https://www.shop.example./caf%c3%a9' })),
      })),
      pageOf(apex, { status: 301, location: 'https://www.shop.example/caf%C3%A9' }),
    ),
    {},
  ],
  [
    'a redirect to an internationalized name, sent as UTF-8',
    all(
      settings(({ redirects }) => ({
        redirects: redirects.map((each) => ({ ...each, to: 'https://www.b\u00fccher.example/caf\u00e9' })),
      })),
      pageOf(apex, {
        status: 301,
        // As the HTTP client reads it.
        location: Buffer.from('https://www.b\u00fccher.example/caf\u00e9').toString('latin1'),
      }),
    ),
    {},
  ],
  [
    'the project is expected to redirect on its own host',
    all(
      settings(({ project }) => ({ project: { ...project, status: 302, contains: null } })),
      page(({ hostname, pathname }) =>
        hostname === www && pathname === '/' ? { status: 302, location: '/en/' } : null,
      ),
    ),
    {},
  ],
  [
    'a zone may begin at the domain, whose servers fail',
    answering(({ server, name, type }) => {
      if (!name.endsWith(www) || server === hosts.parent) return null;
      if (server === hosts.resolver) return type === 'CAA' ? null : rcode('SERVFAIL');
      return { ...rcode('NOERROR'), authorities: [record(www, 'NS', 'ns1.other.example')] };
    }),
    { 2: inconclusive, 4: inconclusive, ...blocked },
  ],
  [
    'no alias, and the address of a wildcard, which is not at the name itself',
    all(without(www, 'CNAME'), adding(record('*.shop.example', 'A', hosts.elsewhere))),
    { 2: failed, ...blocked },
  ],
  [
    'no alias, and an address that a wildcard has too',
    all(
      without(www, 'CNAME'),
      adding(record('*.shop.example', 'A', hosts.elsewhere), record(www, 'A', hosts.elsewhere)),
    ),
    { 2: failed, 4: inconclusive, ...blocked },
  ],
  [
    'no alias, and another address than that of a wildcard',
    all(
      without(www, 'CNAME'),
      adding(record('*.shop.example', 'A', hosts.elsewhere), record(www, 'A', hosts.platform)),
    ),
    { 2: failed, 4: failed, ...blocked },
  ],
  ['servers are silent about one type', silentFor(www, 'SRV'), { 4: inconclusive, ...blocked }],
  ['servers are silent about the alias', silentFor(www, 'CNAME'), { 2: inconclusive, ...blocked }],
  [
    'the resolver fails for CAA at a parent',
    answering(({ server, name, type }) =>
      server === hosts.resolver && name === apex && type === 'CAA' ? rcode('SERVFAIL') : null,
    ),
    { 5: inconclusive },
  ],
  [
    'a wrong alias, and CAA, a removed domain, and the plan are wrong too',
    all(
      wrongAlias,
      replacing(caa(apex, 'issue', 'other-ca.example')),
      pageOf(old, projectPage),
      settings(() => ({ plan: 'free' })),
    ),
    { 1: failed, 2: failed, 5: failed, 8: failed, ...blocked },
  ],
])('domains: %s -> these verdicts', async (_, patch, verdicts) => {
  expect(await verdictsOn(patch)).toEqual(verdicts);
});

test('domains: the resolver has no data, and says nothing about its TTL -> none is left', async () => {
  const findings = await testWorld(
    answering(({ server, name, type }) =>
      server === hosts.resolver && name === www && type === 'CNAME'
        ? { rcode: 'NOERROR', authoritative: false, answers: [], authorities: [] }
        : null,
    ),
  );
  const [first] = ofKind(findings, 'observation').filter(({ domain: name }) => name === www);
  expect(first?.value).toBe('resolver differs, 0 s of its TTL left');
});

test.each<readonly [string, WorldPatch, readonly string[]]>([
  [
    'an apex with a CNAME',
    all(without(apex, 'A'), adding(record(apex, 'CNAME', 'apps.host.example'))),
    ['apex-cname'],
  ],
  [
    'CAA with two mistakes',
    replacing(caa(apex, 'issue', ';'), caa(apex, 'tbs', 'x', 128)),
    ['caa-critical', 'caa-issuer'],
  ],
])('domains: %s -> each mistake once', async (_, patch, rules) => {
  const breaches = ofKind(await testWorld(patch), 'breach').filter((found) => found.domain === apex);
  expect(breaches.map(({ problem }) => problem.rule)).toEqual(rules);
});
