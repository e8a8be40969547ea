import { expect, test } from 'vitest';
import { testDomains } from '../../domains/test-domains.ts';
import { loadCatalogue } from '../../openapi/catalogue.ts';
import { worldContext } from '../../reference/domains/network.ts';
import {
  adding,
  all,
  certificate,
  domain,
  onlyAt,
  page,
  pageOf,
  replacing,
  settings,
  type WorldPatch,
  without,
} from '../../reference/domains/patches.ts';
import { caa, hosts, record, rightWorld } from '../../reference/domains/world.ts';
import { domainsJunit } from './junit.ts';
import { type DomainsOutcome, domainsOutcome } from './outcome.ts';
import { domainsPage } from './page.ts';
import { remedyLines } from './remedy-lines.ts';
import { domainsSummary } from './summary.ts';
import { domainsText } from './terminal.ts';

const now = Date.parse('2026-11-28T12:00:00Z');

/** The outcome of a test of a world. */
const outcomeOf = async (patch: WorldPatch): Promise<DomainsOutcome> => {
  const world = patch(rightWorld(now));
  const tested = await testDomains(world.settings, worldContext(world));
  const { outcome } = domainsOutcome({
    ...{ settings: world.settings, tested, seed: 1, startedAt: now, endedAt: now },
    requirements: loadCatalogue().filter(({ subject }) => subject === 'domain'),
    ...{ interfaceVersion: '1.0.0', resolver: '127.0.0.10:53', interrupted: false, waited: new Map() },
  });
  return outcome;
};

const hostile = '\u001b[2J<script>alert(1)</script>\n::error::x';

/** DNS, a certificate, and a page that attack who reads the reports. */
const attacking: WorldPatch = all(
  replacing(record('www.shop.example', 'CNAME', `${hostile}.example`)),
  certificate('shop.example', { names: [hostile], commonName: hostile }),
  pageOf('old.shop.example', { status: 200, body: hostile }),
);

test('reports: terminal escapes and HTML from DNS, a certificate, and a page -> shown as text', async () => {
  const outcome = await outcomeOf(attacking);
  expect(outcome.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([
    'DOMAIN-2',
    'DOMAIN-6',
    'DOMAIN-8',
  ]);
  const terminal = domainsText(outcome, { color: false, reports: [] });
  const reports = [terminal, domainsPage(outcome), domainsJunit(outcome), domainsSummary(outcome)];
  for (const text of reports) expect(text).not.toContain('\u001b');
  for (const text of reports.slice(1)) expect(text).not.toContain('<script>alert');
  for (const line of terminal.split('\n')) expect(line).not.toMatch(/^::/);
});

/** The lines of a remedy in the terminal, about a requirement. */
const remedyIn = async (id: string, patch: WorldPatch): Promise<string> => {
  const { requirements } = await outcomeOf(patch);
  const [failure] = requirements.find((each) => each.id === id)?.failures ?? [];
  return failure === undefined ? '' : [failure.message, ...remedyLines(failure.remedy)].join('\n');
};

test.each<[string, string, WorldPatch, RegExp]>([
  [
    'a redirect with another status',
    'DOMAIN-7',
    pageOf('shop.example', { status: 302, location: 'https://www.shop.example/' }),
    /from: shop\.example, to: https:\/\/www\.shop\.example\/, status: 301/,
  ],
  [
    'the zone appended to the CNAME',
    'DOMAIN-2',
    replacing(record('www.shop.example', 'CNAME', 'apps.host.example.shop.example')),
    /with a dot at the end, "apps\.host\.example\."/,
  ],
  [
    'a typo in the platform host of the file',
    'DOMAIN-2',
    domain('www.shop.example', { target: 'aps.host.example' }),
    /\nDNS has no address of aps\.host\.example: check first /,
  ],
  [
    'an old IPv6 address beside the right IPv4 address',
    'DOMAIN-3',
    adding(record('shop.example', 'AAAA', '2001:db8::7')),
    /remove +shop\.example 3600 IN AAAA 2001:db8::7$/,
  ],
  [
    'only the address of another host',
    'DOMAIN-3',
    replacing(record('shop.example', 'A', hosts.elsewhere)),
    /remove +shop\.example 3600 IN A 127\.0\.0\.30\n +create +shop\.example 3600 IN ALIAS apps\.host\.example$/,
  ],
  [
    'an old CNAME at one of two servers',
    'DOMAIN-2',
    onlyAt(hosts.ns2, replacing(record('www.shop.example', 'CNAME', 'sites.other.example'))),
    /\(only at ns2\.shop\.example\)\n.*correct ns2\.shop\.example\./,
  ],
  [
    'two wrong CNAMEs at two servers',
    'DOMAIN-2',
    all(
      onlyAt(hosts.ns1, replacing(record('www.shop.example', 'CNAME', 'sites.one.example'))),
      onlyAt(hosts.ns2, replacing(record('www.shop.example', 'CNAME', 'sites.other.example'))),
    ),
    /^www\.shop\.example is an alias of sites\.one\.example, expected apps\.host\.example\nChange/,
  ],
  [
    'CAA beside the CNAME',
    'DOMAIN-5',
    all(without('www.shop.example', 'CNAME'), adding(caa('www.shop.example', 'issue', ';'))),
    /\nRemove the CAA records of www\.shop\.example: [^\n]*$/,
  ],
  [
    'CAA of the platform',
    'DOMAIN-5',
    adding(caa('apps.host.example', 'issue', ';')),
    /\napps\.host\.example belongs to the platform: [^\n]*$/,
  ],
  [
    'CAA of another host that has the CNAME',
    'DOMAIN-5',
    all(
      replacing(record('www.shop.example', 'CNAME', 'sites.other.example')),
      adding(caa('sites.other.example', 'tbs', 'x', 128)),
    ),
    /\nwww\.shop\.example is an alias of sites\.other\.example, [^\n]* correct the CNAME [^\n]*$/,
  ],
  [
    'a page without the text of the project',
    'DOMAIN-7',
    pageOf('www.shop.example', { status: 200, body: 'Hello' }),
    /correct project\.contains/,
  ],
])('remedy: %s -> exactly what to change', async (_, id, patch, text) => {
  expect(await remedyIn(id, patch)).toMatch(text);
});

test.each<[string, WorldPatch, string]>([
  ['with the path', (world) => world, 'the redirect keeps the path'],
  [
    'without the path',
    pageOf('shop.example', { status: 301, location: 'https://www.shop.example/' }),
    'the redirect does not keep the path',
  ],
  [
    'only from /',
    page(({ hostname, pathname }) =>
      hostname === 'shop.example' && pathname !== '/' ? { status: 404 } : null,
    ),
    'no such redirect from other paths',
  ],
])('redirect of a whole domain %s -> passed, and an observation', async (_, patch, value) => {
  const { observations, requirements } = await outcomeOf(patch);
  const redirect = requirements.find(({ id }) => id === 'DOMAIN-7');
  expect(redirect).toMatchObject({ verdict: 'passed', checks: 2 });
  expect(observations).toContainEqual({
    id: 'DOMAIN-7',
    subject: 'paths of shop.example',
    value,
    values: [value],
  });
});

test('redirect that fails -> no observation about its paths', async () => {
  const { observations } = await outcomeOf(pageOf('shop.example', { status: 404 }));
  expect(observations.map(({ id }) => id)).not.toContain('DOMAIN-7');
});

/** The places in the picture of a domain, with the verdict of each; `!` where the way breaks. */
const pictureIn = (page: string, name: string): readonly string[] => {
  const picture = page.split(`Way from ${name} to the project`)[1]?.split('</ol>')[0] ?? '';
  return [...picture.matchAll(/<li class="(\w+)( broken)?">.*?<b>(.*?)<\/b>/g)].map(
    ([, verdict, broken, title]) => `${title} ${verdict}${broken === undefined ? '' : '!'}`,
  );
};

test('page: domains that are right -> the whole way, unbroken', async () => {
  const page = domainsPage(await outcomeOf((world) => world));
  expect(pictureIn(page, 'www.shop.example')).toEqual([
    'Name passed',
    'Platform host passed',
    'Certificate passed',
    'Primary domain passed',
  ]);
  expect(pictureIn(page, 'shop.example')).toEqual([
    'Name passed',
    'Platform host passed',
    'Certificate passed',
    'Redirect passed',
    'Primary domain passed',
  ]);
  expect(page).not.toMatch(/(src|href)="https?:/);
});

test.each<[string, WorldPatch, readonly string[]]>([
  [
    'CNAME',
    replacing(record('www.shop.example', 'CNAME', 'sites.other.example')),
    [
      'Name failed',
      'CNAME failed',
      'Platform host failed!',
      'Certificate inconclusive',
      'Primary domain inconclusive',
    ],
  ],
  [
    'certificate',
    certificate('www.shop.example', { names: ['other.example'] }),
    ['Name passed', 'Platform host passed', 'Certificate failed!', 'Primary domain inconclusive'],
  ],
  [
    'page',
    pageOf('www.shop.example', { status: 404 }),
    ['Name passed', 'Platform host passed', 'Certificate passed', 'Primary domain failed!'],
  ],
  [
    'redirect of a path',
    settings(({ redirects }) => ({
      redirects: [
        ...redirects,
        { from: 'www.shop.example', path: '/old', to: 'https://www.shop.example/new', status: 301 },
      ],
    })),
    ['Name passed', 'Platform host passed', 'Certificate passed', 'Primary domain failed!'],
  ],
])('page: a wrong %s -> the way breaks there', async (_, patch, places) => {
  expect(pictureIn(domainsPage(await outcomeOf(patch)), 'www.shop.example')).toEqual(places);
});

test('page: only the redirect of another domain is wrong -> the primary domain is right', async () => {
  const page = domainsPage(
    await outcomeOf(pageOf('shop.example', { status: 302, location: 'https://www.shop.example/' })),
  );
  expect(pictureIn(page, 'shop.example')).toEqual([
    'Name passed',
    'Platform host passed',
    'Certificate passed',
    'Redirect failed!',
    'Primary domain passed',
  ]);
});
