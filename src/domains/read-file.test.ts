import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import { loadDomains } from './read-file.ts';

const folder = temporaryFolder();

const load = async (text: string) => {
  const path = join(folder, 'domains.yaml');
  await writeFile(path, text);
  return loadDomains(path);
};

const settingsOf = async (text: string) => {
  const read = await load(text);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.settings;
};

const problemsOf = async (text: string) => {
  const read = await load(text);
  return read.ok ? [] : read.problems.map((problem) => problem.replace(/^.*domains\.yaml:/, ''));
};

test('domains file: every field -> read, with canonical names', async () => {
  const settings = await settingsOf(`
plan: Business
platformHost: Apps.Host.Example.
certificateAuthority: [CA.example, other-ca.example]
domains:
  - name: WWW.Bücher.Example
    kind: subdomain
    target: tenant.host.example
    changed: 2026-11-01T10:00:00Z
    verified: 2026-11-01t12:00:00.5+02:00
  - shop.example
primary: www.bücher.example
redirects:
  - { from: shop.example, to: www.bücher.example, status: 308 }
  - { from: WWW.bücher.example/old?a, to: "http://other.example/x", status: 302 }
removed: [old.shop.example]
project: { path: /start, status: 204, contains: Welcome }
network: { resolver: ["127.0.0.1:5353", "[::1]:54", "::1"], dnsPort: 5353, httpPort: 8080, httpsPort: 8443, timeout: 2000 }
`);
  expect(settings).toEqual({
    plan: 'business',
    platformHost: 'apps.host.example',
    authorities: ['ca.example', 'other-ca.example'],
    domains: [
      {
        name: 'www.xn--bcher-kva.example',
        kind: 'subdomain',
        target: 'tenant.host.example',
        changed: Date.parse('2026-11-01T10:00:00Z'),
        verified: Date.parse('2026-11-01T10:00:00.5Z') - 500,
      },
      { name: 'shop.example', kind: null, target: 'apps.host.example', changed: null, verified: null },
    ],
    primary: 'www.xn--bcher-kva.example',
    redirects: [
      { from: 'shop.example', path: null, to: 'https://www.xn--bcher-kva.example/', status: 308 },
      { from: 'www.xn--bcher-kva.example', path: '/old?a', to: 'http://other.example/x', status: 302 },
    ],
    removed: ['old.shop.example'],
    project: { path: '/start', status: 204, contains: 'Welcome' },
    network: {
      resolvers: [
        { address: '127.0.0.1', port: 5353 },
        { address: '::1', port: 54 },
        { address: '::1', port: 53 },
      ],
      ...{ dnsPort: 5353, httpPort: 8080, httpsPort: 8443, ca: [], timeoutMs: 2000 },
    },
  });
});

test('domains file: JSON, and only what is required -> the other values are the default ones', async () => {
  const settings = await settingsOf(
    '{"plan":"pro","platformHost":"apps.host.example","domains":["www.shop.example"]}',
  );
  expect(settings.primary).toBe('www.shop.example');
  expect(settings.network).toMatchObject({
    resolvers: [],
    dnsPort: 53,
    httpPort: 80,
    httpsPort: 443,
    timeoutMs: 5000,
  });
  expect(settings.project).toEqual({ path: '/', status: null, contains: null });
});

test('domains file: the only domain that does not redirect -> primary', async () => {
  const settings = await settingsOf(
    'plan: pro\nplatformHost: a.example\ndomains: [b.example, c.example]\nredirects: [{ from: b.example, to: c.example, status: 301 }]',
  );
  expect(settings.primary).toBe('c.example');
});

test('domains file: many mistakes -> each with its line and field', async () => {
  const problems = await problemsOf(`# Mistakes
plan: gold
plan: pro
platformHost: https://apps.host.example
certificateAuthority: [ca.example, "a b"]
domains:
  - name: www.shop.example
    kind: apx
    changed: 2026-11-01
    foo: 1
  - WWW.shop.example.
  - kind: apex
  - 192.0.2.1
  - 7
primary: other.example
redirects:
  - from: nope.example
    to: https://www.shop.example
    status: 305
  - from: www.shop.example/old
  - { from: www.shop.example, to: "ftp://x", status: "301" }
removed: [www.shop.example, b.example, B.example]
project: { path: start, status: ok }
network:
  dnsPort: 0
  httpPort: 65536
  resolver: [foo, "[::1]:5353"]
  ca: none.pem
  timeout: -1
`);
  expect(problems.map((problem) => problem.split(': ').slice(0, 2).join(': '))).toEqual([
    ...['2: plan', '3: plan', '4: platformHost', '5: certificateAuthority[1]', '8: domains[0].kind'],
    ...[
      '9: domains[0].changed',
      '10: domains[0].foo',
      '11: domains[1]',
      '12: domains[2].name',
      '13: domains[3]',
    ],
    ...[
      '14: domains[4]',
      '15: primary',
      '17: redirects[0].from',
      '19: redirects[0].status',
      '20: redirects[1].to',
    ],
    ...[
      '20: redirects[1].status',
      '21: redirects[2].to',
      '21: redirects[2].status',
      '22: removed[0]',
      '22: removed[2]',
    ],
    ...['23: project.path', '23: project.status', '25: network.dnsPort', '26: network.httpPort'],
    ...['27: network.resolver[0]', '28: network.ca', '29: network.timeout'],
  ]);
  expect(problems).toContain('3: plan: is given twice');
  expect(problems).toContain(
    '4: platformHost: "https://apps.host.example" is a URL: give the host name alone, such as www.shop.example',
  );
});

test.each([
  ['', ['1: is not a list of "name: value" fields']],
  ['plan: pro', ['1: platformHost: is missing, and required', '1: domains: is missing, and required']],
  ['plan: pro\nplatformHost: a.example\ndomains: []', ['3: domains: is empty: at least one is needed']],
  ['plan: pro\nplatformHost: a.example\ndomains: b.example', ['3: domains: is not a list']],
  [
    'plan: pro\nplatformHost: a.example\ndomains: [b.example, c.example]',
    ['1: primary: is missing, and required, unless exactly one of domains does not redirect'],
  ],
  [
    'plan: pro\nplatformHost: a.example\ndomains: [b.example]\nnetwork: 1',
    ['4: network: is not a list of "name: value" fields'],
  ],
])('domains file: %j -> %j', async (text, problems) => {
  expect(await problemsOf(text)).toEqual(problems);
});

test('domains file: no YAML, or no file -> a problem with its place', async () => {
  expect(await problemsOf('plan: [pro\nb: }')).toEqual([expect.stringMatching(/^2: /)]);
  expect(await problemsOf('plan: pro\n---\nplan: pro\n')).toEqual([
    expect.stringMatching(/^\d: a second document begins/),
  ]);
  const missing = await loadDomains(join(folder, 'none.yaml'));
  expect(missing).toEqual({ ok: false, problems: [expect.stringContaining('there is no such file')] });
});

test.each(['2026-11-01T24:00:00Z', '2026-02-30T10:00:00Z', '2026-11-01T10:00:00', '20261101'])(
  'domains file: changed %s -> a problem',
  async (time) => {
    expect(
      await problemsOf(
        `plan: pro\nplatformHost: a.example\ndomains: [{ name: b.example, changed: ${time} }]`,
      ),
    ).toEqual([expect.stringMatching(/^3: domains\[0\]\.changed: .*is not an RFC 3339 time, such as/)]);
  },
);

test.each([
  'a b.example',
  'http://a.example',
  'a.example/x',
  '192.0.2.1',
  '::1',
  '[::1]',
  'a..example',
  '-a.example',
  '*.a.example',
  `${'a'.repeat(64)}.example`,
])('domains file: %j as a name -> a problem', async (name) => {
  const problems = await problemsOf(`plan: pro\nplatformHost: a.example\ndomains: [${JSON.stringify(name)}]`);
  expect(problems).toEqual([expect.stringMatching(/^3: domains\[0\]: /)]);
});
