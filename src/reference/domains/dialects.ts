import {
  adding,
  all,
  answering,
  attaching,
  certificate,
  type DomainVariant,
  dialectsOf,
  domain,
  onlyAt,
  page,
  pageOf,
  replacing,
  settings,
  varying,
  without,
} from './patches.ts';
import { caa, hosts, projectPage, rcode, record, unknownPage, zone } from './world.ts';

const www = 'www.shop.example';
const apex = 'shop.example';
const old = 'old.shop.example';
const platform = 'apps.host.example';
const minute = 60_000;
const cname = (value: string, ttl?: number) => record(www, 'CNAME', value, ttl);

/** Another answer of the servers, except the resolver, about one name. */
const atServer = (server: string, answer: ReturnType<typeof rcode> | 'timeout' | 'refused' | 'malformed') =>
  answering((question) => (question.server === server ? answer : null));

/** Only the apex is attached, and serves the project. */
const onlyApex = all(
  settings(({ domains }) => ({
    domains: domains.filter(({ name }) => name === apex),
    redirects: [],
    primary: apex,
  })),
  pageOf(apex, projectPage),
);

const recordDialects = dialectsOf({
  'short-ttl': ['Records live for a minute.', replacing(cname('apps.host.example', 60))],
  'wildcard-cname': [
    'The CNAME is that of a wildcard.',
    all(without(www, 'CNAME'), adding(record('*.shop.example', 'CNAME', 'apps.host.example'))),
  ],
  'wildcard-address-beside': [
    'Other names have the address of a wildcard.',
    adding(record('*.shop.example', 'A', hosts.elsewhere)),
  ],
  'chain-behind-platform': [
    'The platform host is an alias itself.',
    all(
      without('apps.host.example', 'A'),
      adding(
        record('apps.host.example', 'CNAME', 'edge.host.example'),
        record('edge.host.example', 'A', hosts.platform),
      ),
    ),
  ],
  'silent-server': ['One server is silent.', atServer(hosts.ns2, 'timeout')],
  'closed-server': ['One server does not listen.', atServer(hosts.ns1, 'refused')],
  'refusing-server': ['One server refuses queries.', atServer(hosts.ns2, rcode('REFUSED'))],
  'failing-server': ['One server fails.', atServer(hosts.ns1, rcode('SERVFAIL'))],
  'lame-server': ['One server does not know the zone.', atServer(hosts.ns2, rcode('NOERROR'))],
  'garbled-server': ['One server sends what is not DNS.', atServer(hosts.ns2, 'malformed')],
  'stale-resolver': [
    'The resolver still has an old record.',
    onlyAt(hosts.resolver, all(without(www, 'CNAME'), adding(record(www, 'A', hosts.elsewhere)))),
  ],
  'stale-resolver-without-name': [
    'The resolver does not know the name yet.',
    onlyAt(hosts.resolver, without(www, 'CNAME')),
  ],
  'changed-today': [
    'The CNAME is wrong, and was changed an hour ago.',
    (world) =>
      all(replacing(cname('sites.other.example')), domain(www, { changed: world.now - 60 * minute }))(world),
  ],
  'signed-zone': [
    'The zone has records of DNSSEC.',
    adding(record(www, 'RRSIG', ''), record(www, 'NSEC', '')),
  ],
  'apex-two-addresses': ['The apex has a second address.', adding(record(apex, 'A', hosts.otherPlatform))],
  'apex-without-ipv6': ['Only the platform has IPv6.', adding(record('apps.host.example', 'AAAA', '::1'))],
  'apex-rotating': [
    'The addresses of apex and platform rotate.',
    varying((query, { name }) => {
      if (name === apex) return 20 + (query % 2);
      return name === platform ? 20 : null;
    }),
  ],
  'apex-and-platform-vary': [
    'The addresses of apex and platform vary without one in common.',
    all(
      onlyApex,
      varying((query, { name }) => {
        if (name === apex) return 40 + (query % 50);
        return name === platform ? 140 + (query % 50) : null;
      }),
    ),
  ],
  'zone-below': [
    'A domain has a zone of its own, and the address of the platform.',
    all(
      attaching('app.shop.example'),
      adding(...zone('app.shop.example'), record('app.shop.example', 'A', hosts.platform)),
    ),
  ],
  'other-target': [
    'The dashboard shows a value of its own for the domain.',
    all(
      domain(www, { target: 'tenant-7.host.example' }),
      replacing(cname('tenant-7.host.example')),
      adding(record('tenant-7.host.example', 'A', hosts.platform)),
    ),
  ],
});

const caaDialects = dialectsOf({
  'caa-none': ['There are no CAA records.', without(apex, 'CAA')],
  'caa-allowed-by-top-level': [
    'Only the top-level domain has CAA records.',
    all(
      without(apex, 'CAA'),
      adding(...zone('example', hosts.parent, hosts.parent), caa('example', 'issue', 'ca.example')),
    ),
  ],
  'caa-parameters': [
    'Case, spaces, and parameters differ.',
    replacing(caa(apex, 'ISSUE', ' CA.Example ; accounturi=https://ca.example/1; policy=ev')),
  ],
  'caa-several': [
    'CAA allows several authorities.',
    adding(caa(apex, 'issue', 'other-ca.example'), caa(apex, 'issue', ';')),
  ],
  'caa-wildcards-elsewhere': [
    'CAA gives wildcards to another authority.',
    adding(caa(apex, 'issuewild', 'other-ca.example')),
  ],
  'caa-iodef': ['CAA names only a contact.', replacing(caa(apex, 'iodef', 'mailto:security@shop.example'))],
  'caa-critical': ['A known tag is critical.', replacing(caa(apex, 'issue', 'ca.example', 128))],
  'caa-unknown-tag': ['An unknown tag is not critical.', adding(caa(apex, 'tbs', 'Unknown'))],
  'caa-allowed-by-platform': [
    'The platform host allows the authority, and the parent does not.',
    all(
      settings(({ domains, redirects, removed }) => ({
        domains: domains.filter(({ name }) => name === www),
        redirects: redirects.slice(1),
        removed,
      })),
      replacing(caa(apex, 'issue', 'other-ca.example')),
      adding(caa('apps.host.example', 'issue', 'ca.example')),
    ),
  ],
  'caa-two-authorities': [
    'The platform uses two authorities.',
    settings(() => ({ authorities: ['other-ca.example', 'ca.example'] })),
  ],
  'no-authority': ['The authority is not known.', settings(() => ({ authorities: [] }))],
});

const servingDialects = dialectsOf({
  'business-plan': ['The plan is Business.', settings(() => ({ plan: 'business' }))],
  'certificate-wildcard': ['The certificate is a wildcard.', certificate(www, { names: ['*.shop.example'] })],
  'certificate-shared': [
    'One certificate has both names.',
    all(
      certificate(www, { names: ['shop.example', 'WWW.Shop.Example'] }),
      certificate(apex, { names: ['shop.example', 'WWW.Shop.Example'] }),
    ),
  ],
  'certificate-of-default': [
    'The default certificate of the platform has the name.',
    (world) => ({ ...world, certificate: () => ({ names: ['*.host.example', www, apex] }) }),
  ],
  'certificate-last-day': [
    'The certificate expires today.',
    certificate(www, { names: [www], validTo: 0.1 }),
  ],
  'certificate-issuing': [
    'There is no certificate ten minutes after the verification.',
    (world) => all(certificate(www, 'closed'), domain(www, { verified: world.now - 10 * minute }))(world),
  ],
  'certificate-default-issuing': [
    'The default certificate is shown ten minutes after the verification.',
    (world) =>
      all(
        certificate(www, { names: ['*.host.example'] }),
        domain(www, { verified: world.now - 10 * minute }),
      )(world),
  ],
  'certificate-default-issuing-unknown-names-slow': [
    'The default certificate is shown ten minutes after the verification, and unknown names get no handshake in time.',
    (world) =>
      all(
        (before) => ({
          ...before,
          certificate: (address, name) =>
            name.endsWith(apex) ? before.certificate(address, name) : 'timeout',
        }),
        certificate(www, { names: ['*.host.example'] }),
        domain(www, { verified: world.now - 10 * minute }),
      )(world),
  ],
  'certificate-one-address': [
    'One of two addresses does not listen.',
    all(
      adding(record('apps.host.example', 'A', hosts.otherPlatform)),
      certificate(www, 'refused', hosts.otherPlatform),
    ),
  ],
  'unknown-names-closed': [
    'The platform ends connections for unknown names.',
    (world) => ({
      ...world,
      certificate: (address, name) =>
        name.endsWith(apex) && name !== old ? world.certificate(address, name) : 'closed',
      page: (address, url) =>
        url.hostname.endsWith(apex) && url.hostname !== old ? world.page(address, url) : 'closed',
    }),
  ],
  'unknown-names-parked': [
    'The platform has a page for unknown names, which names them.',
    page(({ hostname }) =>
      hostname.endsWith(apex) && hostname !== old
        ? null
        : { status: 200, body: `${hostname} is not connected yet (request ${hostname.length})` },
    ),
  ],
  'unknown-names-redirect': [
    'The platform redirects unknown names to its own site.',
    page(({ hostname }) =>
      hostname.endsWith(apex) && hostname !== old
        ? null
        : { status: 302, location: `https://host.example/?unknown=${hostname}` },
    ),
  ],
  'removed-upgrade': [
    'A removed domain is redirected from HTTP to HTTPS, where it is unknown.',
    page(({ hostname, protocol }) =>
      hostname === old && protocol === 'http:' ? { status: 308, location: `https://${old}/` } : null,
    ),
  ],
  'removed-error': [
    'A removed domain is an error of the platform.',
    pageOf(old, { status: 530, body: 'error 1016' }),
  ],
  'removed-gone': ['A removed domain gets no connection.', pageOf(old, 'closed')],
  'redirect-without-path': [
    'The redirect has no path.',
    pageOf(apex, { status: 301, location: 'https://www.shop.example' }),
  ],
  'redirect-with-query': [
    'The redirect adds a query.',
    pageOf(apex, { status: 301, location: 'https://www.shop.example/?from=apex' }),
  ],
  'redirect-308': [
    'The redirect is permanent, and keeps the method.',
    all(
      settings(({ redirects }) => ({ redirects: redirects.map((each) => ({ ...each, status: 308 })) })),
      pageOf(apex, { status: 308, location: 'https://www.shop.example/' }),
    ),
  ],
  'redirect-of-path': [
    'A path redirects.',
    all(
      settings(({ redirects }) => ({
        redirects: [
          ...redirects,
          { from: www, path: '/old', to: 'https://www.shop.example/new', status: 302 },
        ],
      })),
      page(({ hostname, pathname }) =>
        hostname === www && pathname === '/old' ? { status: 302, location: '/new?from=old' } : null,
      ),
    ),
  ],
  'project-in-language': [
    'The project redirects to a language.',
    page(({ hostname, pathname }) =>
      hostname === www && pathname === '/' ? { status: 307, location: '/en/' } : null,
    ),
  ],
  'project-protected': ['The project needs a password.', pageOf(www, { status: 401 })],
  'project-down': ['The project is down.', pageOf(www, { status: 503 })],
  'project-slow': ['The project does not respond in time.', pageOf(www, 'timeout')],
  'all-served': [
    'No domain redirects.',
    all(
      settings(() => ({ redirects: [] })),
      pageOf(apex, projectPage),
    ),
  ],
  'nothing-removed': [
    'No domain was removed.',
    all(
      settings(() => ({ removed: [] })),
      pageOf(old, unknownPage),
    ),
  ],
});

/** Choices that the document leaves open, and what gives no clear result. */
export const domainDialects: readonly DomainVariant[] = [
  ...recordDialects,
  ...caaDialects,
  ...servingDialects,
];
