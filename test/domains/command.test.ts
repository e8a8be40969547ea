import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, expect, test } from 'vitest';
import schema from '../../spec/domains-report.schema.json' with { type: 'json' };
import {
  adding,
  all,
  answering,
  certificate,
  domain,
  pageOf,
  replacing,
  settings,
  type WorldPatch,
  without,
} from '../../src/reference/domains/patches.ts';
import { projectPage, rcode, record, rightWorld, type World } from '../../src/reference/domains/world.ts';
import { temporaryFolder } from '../support/folder.ts';
import { command, type Environment, startCommand } from '../support/processes.ts';
import { writeDomains } from './domains-file.ts';
import { serveWorld } from './serve-world.ts';

const folder = temporaryFolder();
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const isReport = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);

const start = async (world: World) => {
  const served = await serveWorld(world);
  closing.push(served.close);
  return served.settings;
};

/** Runs the command on a world behind real sockets, as in README.md and docs/how-to.md. */
const runOn = (world: World, ...flags: readonly string[]) => runIn({}, world, ...flags);

const runIn = async (env: Environment, world: World, ...flags: readonly string[]) => {
  const own = mkdtempSync(join(folder, 'domains-'));
  const config = writeDomains(own, await start(world));
  const args = ['domains', '--config', config, '--report-dir', join(own, 'reports'), ...flags];
  const ended = await startCommand(args, env).ended;
  const read = (name: string) => readFileSync(join(own, 'reports', name), 'utf8');
  const report = JSON.parse(read('conformance.json'));
  expect(isReport(report) ? [] : isReport.errors).toEqual([]);
  return { ...ended, read, report };
};

const worldWith = (...patches: readonly WorldPatch[]): World => all(...patches)(rightWorld(Date.now()));

const verdictsIn = (
  report: { requirements: { id: string; verdict: string }[] },
  ...verdicts: readonly string[]
) => report.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);

test('domains: all right, over real sockets -> one line for each domain, exit 0', async () => {
  const { code, out, err, report } = await runOn(worldWith());
  expect(err).toBe('');
  expect(out).toMatch(/✓ www\.shop\.example \(subdomain\), CNAME apps\.host\.example, .*primary/);
  expect(out).toMatch(/✓ shop\.example \(apex\), 127\.0\.0\.20, .*301 to https:\/\/www\.shop\.example\//);
  expect(out).toMatch(/✓ old\.shop\.example \(removed\)/);
  expect(verdictsIn(report, 'passed')).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `DOMAIN-${number}`));
  expect(verdictsIn(report, 'observed')).toEqual(['DOMAIN-9']);
  expect(report.verdict).toBe('conformant');
  expect(report.domains[0]).toMatchObject({
    name: 'www.shop.example',
    kind: 'subdomain',
    chain: ['www.shop.example', 'apps.host.example'],
    addresses: ['127.0.0.20'],
    certificate: { subjectAltName: ['www.shop.example'], daysLeft: 59 },
    brokenAt: null,
  });
  expect(code).toBe(0);
});

test('domains: a wrong CNAME -> the failure with its DNS responses and its remedy, exit 1', async () => {
  const { code, out, report, read } = await runOn(
    worldWith(replacing(record('www.shop.example', 'CNAME', 'sites.other.example'))),
  );
  expect(code).toBe(1);
  expect(verdictsIn(report, 'failed')).toEqual(['DOMAIN-2']);
  expect(verdictsIn(report, 'inconclusive')).toEqual(['DOMAIN-6', 'DOMAIN-7']);
  const [failure] = report.requirements[1].failures;
  expect(failure).toMatchObject({
    rule: 'cname-value',
    domain: 'www.shop.example',
    message: 'www.shop.example is an alias of sites.other.example, expected apps.host.example',
    expected: 'CNAME apps.host.example',
    actual: 'CNAME sites.other.example',
    remedy: {
      records: [
        { action: 'change', name: 'www.shop.example', type: 'CNAME', value: 'apps.host.example', ttl: 3600 },
      ],
      steps: [],
      wait: null,
    },
  });
  expect(failure.evidence.dns).toHaveLength(2);
  expect(failure.evidence.dns[0]).toEqual({
    server: 'ns1.shop.example',
    address: '127.0.0.11',
    transport: 'udp',
    question: 'www.shop.example CNAME',
    rcode: 'NOERROR',
    authoritative: true,
    answers: [{ name: 'www.shop.example', ttl: 3600, type: 'CNAME', value: 'sites.other.example' }],
  });
  expect(report.requirements[5].reason).toBe('www.shop.example: blocked by DOMAIN-2');
  expect(out).toContain('change  www.shop.example 3600 IN CNAME apps.host.example');
  expect(read('junit.xml')).toContain('www.shop.example is an alias of sites.other.example');
  expect(read('summary.md')).toContain('www.shop.example 3600 IN CNAME apps.host.example');
  expect(read('index.html')).toContain('Breaks here');
});

test('domains: a failure on GitHub -> an annotation with its remedy', async () => {
  const { out } = await runIn(
    { GITHUB_ACTIONS: 'true' },
    worldWith(replacing(record('www.shop.example', 'CNAME', 'sites.other.example'))),
  );
  const annotations = out.split('\n').filter((line) => line.startsWith('::'));
  expect(annotations).toEqual([expect.stringMatching(/^::error title=DOMAIN-2 A subdomain has a CNAME/)]);
  expect(annotations[0]).toContain(
    '::www.shop.example is an alias of sites.other.example, expected apps.host.example%0A',
  );
  expect(annotations[0]).toContain('change  www.shop.example 3600 IN CNAME apps.host.example');
});

test('domains: a certificate of another name, and a removed domain that is served -> certificate and exchange as evidence', async () => {
  const { report, read } = await runOn(
    worldWith(
      certificate('www.shop.example', { names: ['other.example'] }),
      pageOf('old.shop.example', projectPage),
    ),
  );
  expect(verdictsIn(report, 'failed')).toEqual(['DOMAIN-6', 'DOMAIN-8']);
  const [wrongName] = report.requirements[5].failures;
  expect(wrongName.evidence.certificate).toMatchObject({
    subject: 'CN=other.example',
    subjectAltName: ['other.example'],
    error: null,
  });
  expect(wrongName.remedy.steps).toHaveLength(3);
  const [served] = report.requirements[7].failures;
  expect(served.evidence.exchange).toMatchObject({
    address: '127.0.0.20',
    response: { status: 200, body: 'Welcome to the shop' },
  });
  expect(JSON.parse(read('traffic.har')).log.entries).toHaveLength(1);
});

test('domains: changed an hour ago -> inconclusive, with the time until which to wait, exit 0', async () => {
  const now = Date.now();
  const { code, report } = await runOn(
    worldWith(without('www.shop.example', 'CNAME'), domain('www.shop.example', { changed: now - 3_600_000 })),
  );
  expect(code).toBe(0);
  expect(verdictsIn(report, 'failed')).toEqual([]);
  const [open] = report.domains[0].open;
  expect(open).toMatchObject({ id: 'DOMAIN-2', reasonCode: 'propagating' });
  expect(Date.parse(open.remedy.wait)).toBeCloseTo(now + 47 * 3_600_000, -4);
});

test('domains --wait: a record that appears -> progress, then exit 0', async () => {
  let queries = 0;
  const right = rightWorld(Date.now());
  const wrong = without('www.shop.example', 'CNAME')(right);
  const appearing: World = {
    ...right,
    answer: (question) => {
      if (question.name === 'www.shop.example' && question.type === 'MX') queries += 1;
      return (queries > 2 ? right : wrong).answer(question);
    },
  };
  const { code, out, report } = await runOn(appearing, '--wait', '1m');
  expect(out).toMatch(/1 domain not right yet: next test in 1\.0 s/);
  expect(out).toMatch(/www\.shop\.example: DOMAIN-2, .*DNS may take up to 48 hours/);
  expect(code).toBe(0);
  expect(report.observations.map(({ value }: { value: string }) => value).join()).toContain('of waiting');
});

test('domains: a truncated response with 400 TXT records -> read over TCP', async () => {
  const many = Array.from({ length: 400 }, (_, index) =>
    record('www.shop.example', 'TXT', `"text ${index}"`),
  );
  const { report } = await runOn(worldWith(adding(...many)));
  expect(verdictsIn(report, 'failed')).toEqual(['DOMAIN-4']);
  const [failure] = report.requirements[3].failures;
  expect(failure.evidence.dns[0].transport).toBe('tcp');
  expect(failure.evidence.dns[0].answers).toHaveLength(50);
});

test.each(['pro', 'free'] as const)('domains: no DNS server, plan %s -> not judged, exit 3', async (plan) => {
  const world = worldWith(settings(() => ({ plan })));
  const { code, out, report } = await runOn({ ...world, answer: () => 'timeout' });
  expect(code).toBe(3);
  expect(out).toContain('no DNS server responded');
  expect(report.verdict).toBe('not-judged');
});

test('domains: every DNS server fails, so only the file decides -> not judged, exit 3', async () => {
  const { code, out, report } = await runOn(worldWith(answering(() => rcode('SERVFAIL'))));
  expect(verdictsIn(report, 'passed')).toEqual(['DOMAIN-1']);
  expect([code, report.verdict, report.endedCode]).toEqual([3, 'not-judged', 'run-ended']);
  expect(out).toContain('no response decided anything');
});

test.each([
  [[], 'domains needs --config FILE'],
  [['www.shop.example'], '--platform-host is missing'],
  [['www.shop.example', '--platform-host', 'https://apps.host.example'], 'is a URL'],
  [
    ['www.shop.example', '--platform-host', 'apps.host.example', '--plan', 'gold'],
    '--plan: "gold" is none of',
  ],
  [['a.example', 'b.example', '--platform-host', 'apps.host.example'], '--primary: is missing'],
  [['a.example', 'A.example.', '--platform-host', 'apps.host.example'], 'a.example is listed twice'],
  [['a.example', '--config', 'domains.yaml'], '--config has the domains'],
  [['--config', 'domains.yaml', '--wait', '30'], 'is not a number with s, m, or h'],
  [['--config', 'none.yaml'], 'there is no such file'],
])('domains %j -> exit 2', async (words, problem) => {
  const { code, err } = await command('domains', ...words);
  expect(err).toContain(problem);
  expect(code).toBe(2);
});

test('domains: a report folder that cannot be written to -> refused before anything is asked, exit 2', async () => {
  const file = join(folder, 'not-a-folder');
  writeFileSync(file, '');
  const { code, out, err } = await command(
    ...['domains', 'www.shop.example', '--platform-host', 'apps.host.example'],
    ...['--report-dir', join(file, 'reports')],
  );
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^error: --report-dir \S+: .*\. Name another folder\n$/);
});

test('domains: a file with mistakes -> all of them with line and field, exit 2', async () => {
  const path = join(folder, 'mistakes.yaml');
  writeFileSync(path, 'plan: gold\nplatformHost: apps.host.example\ndomains:\n  - name: http://a.example\n');
  const { code, err } = await command('domains', '--config', path);
  expect(code).toBe(2);
  expect(err.trim().split('\n')).toEqual([
    `error: ${path}:1: plan: "gold" is none of free, pro, business, enterprise`,
    `error: ${path}:4: domains[0].name: "http://a.example" is a URL: give the host name alone, such as www.shop.example`,
  ]);
});
