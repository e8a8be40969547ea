import { expect, test } from 'vitest';
import { testDomains } from '../../domains/test-domains.ts';
import { loadCatalogue } from '../../openapi/catalogue.ts';
import { worldContext } from '../../reference/domains/network.ts';
import {
  all,
  certificate,
  pageOf,
  replacing,
  settings,
  type WorldPatch,
} from '../../reference/domains/patches.ts';
import { record, rightWorld } from '../../reference/domains/world.ts';
import { domainsJunit } from './junit.ts';
import { type DomainsOutcome, domainsOutcome } from './outcome.ts';
import { domainsPage } from './page.ts';
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
