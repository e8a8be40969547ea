import {
  adding,
  all,
  answering,
  attaching,
  type DomainFault,
  domain,
  faultsOf,
  onlyAt,
  replacing,
  varying,
  without,
} from './patches.ts';
import { caa, hosts, rcode, record, zone } from './world.ts';

const www = 'www.shop.example';
const apex = 'shop.example';
const cname = (value: string) => record(www, 'CNAME', value);
const twoDays = 48 * 3_600_000;

const cnameFaults = faultsOf('DOMAIN-2', {
  'cname-missing': ['The name does not exist.', without(www, 'CNAME')],
  'cname-no-data': [
    'The name exists only because a name below it does.',
    all(without(www, 'CNAME'), adding(record(`_acme-challenge.${www}`, 'TXT', '"token"'))),
  ],
  'cname-elsewhere': ['The CNAME is that of another host.', replacing(cname('sites.other.example'))],
  'cname-typo': ['The CNAME lacks a letter.', replacing(cname('app.host.example'))],
  'cname-zone-appended': [
    'The zone is appended to the value, as editors do without a trailing dot.',
    replacing(cname('apps.host.example.shop.example')),
  ],
  'cname-parent': ['The CNAME is the apex, which has the right addresses.', replacing(cname(apex))],
  'cname-chain': [
    'The CNAME leads to the platform through another name.',
    all(
      replacing(cname('alias.shop.example')),
      adding(record('alias.shop.example', 'CNAME', 'apps.host.example')),
    ),
  ],
  'cname-behind-target': [
    'The CNAME skips the platform host.',
    all(
      replacing(cname('edge.host.example'), record('apps.host.example', 'CNAME', 'edge.host.example')),
      without('apps.host.example', 'A'),
      adding(record('edge.host.example', 'A', hosts.platform)),
    ),
  ],
  'cname-loop': [
    'Two names are aliases of each other.',
    all(replacing(cname('alias.shop.example')), adding(record('alias.shop.example', 'CNAME', www))),
  ],
  'cname-itself': ['The name is an alias of itself.', replacing(cname(www))],
  'cname-address': ['The value of the CNAME is an address.', replacing(cname(hosts.platform))],
  'cname-several': ['There are two CNAME records, one of them right.', adding(cname('sites.other.example'))],
  'cname-missing-at-one-server': [
    'One server does not have the record.',
    onlyAt(hosts.ns2, without(www, 'CNAME')),
  ],
  'cname-elsewhere-at-one-server': [
    'One server has another value.',
    onlyAt(hosts.ns1, replacing(cname('sites.other.example'))),
  ],
  'cname-only-in-resolver': [
    'Only the resolver still has the record.',
    (world) => onlyAt(hosts.resolver, () => world)(without(www, 'CNAME')(world)),
  ],
  'cname-wildcard-elsewhere': [
    'A wildcard gives another value.',
    all(without(www, 'CNAME'), adding(record('*.shop.example', 'CNAME', 'sites.other.example'))),
  ],
  'cname-other-target': [
    'The dashboard shows another value for this domain.',
    domain(www, { target: 'tenant-7.host.example' }),
  ],
  'cname-elsewhere-after-two-days': [
    'The CNAME was changed more than 48 hours ago.',
    (world) =>
      all(
        replacing(cname('sites.other.example')),
        domain(www, { changed: world.now - twoDays - 60_000 }),
      )(world),
  ],
  'cname-wildcard-address': [
    'The name has only the address of a wildcard.',
    all(without(www, 'CNAME'), adding(record('*.shop.example', 'A', hosts.platform))),
  ],
  'address-for-cname': [
    'The name has the address of the platform, and no CNAME.',
    all(without(www, 'CNAME'), adding(record(www, 'A', hosts.platform))),
    'DOMAIN-4',
  ],
});

const apexFaults = faultsOf('DOMAIN-3', {
  'apex-elsewhere': [
    'The apex has the address of another host.',
    replacing(record(apex, 'A', hosts.elsewhere)),
  ],
  'apex-no-address': ['The apex has no address.', without(apex, 'A')],
  'apex-cname': [
    'The apex is an alias.',
    all(without(apex, 'A'), adding(record(apex, 'CNAME', 'apps.host.example'))),
  ],
  'apex-cname-and-address': [
    'The apex is an alias, and has an address.',
    adding(record(apex, 'CNAME', 'apps.host.example')),
  ],
  'apex-old-ipv6': [
    'The apex still has an IPv6 address of another host.',
    adding(record('apps.host.example', 'AAAA', '::1'), record(apex, 'AAAA', '2001:db8::7')),
  ],
  'apex-ipv6-alone': [
    'The apex has an IPv6 address, and the platform has none.',
    adding(record(apex, 'AAAA', '::1')),
  ],
  'apex-elsewhere-at-one-server': [
    'One server has the address of another host.',
    onlyAt(hosts.ns2, replacing(record(apex, 'A', hosts.elsewhere))),
  ],
  'apex-missing-at-one-server': ['One server has no address.', onlyAt(hosts.ns2, without(apex, 'A'))],
  'apex-varies-elsewhere': [
    'The addresses vary, and none is that of the platform.',
    varying((query, { name, server }) =>
      name === apex && server !== hosts.resolver ? 40 + (query % 50) : null,
    ),
  ],
  'apex-of-zone-below': [
    'A domain with a zone of its own has the address of another host.',
    all(
      attaching('app.shop.example'),
      adding(...zone('app.shop.example'), record('app.shop.example', 'A', hosts.elsewhere)),
    ),
  ],
});

const beside: Readonly<Record<string, string>> = {
  A: hosts.platform,
  AAAA: '::1',
  TXT: '"v=spf1 -all"',
  MX: '10 mail.shop.example',
  NS: 'ns1.other.example',
  SRV: '0 0 443 apps.host.example',
};

const conflictFaults = faultsOf('DOMAIN-4', {
  ...Object.fromEntries(
    Object.entries(beside).map(([type, value]) => [
      `${type.toLowerCase()}-beside-cname`,
      [`There is a record of type ${type} beside the CNAME.`, adding(record(www, type, value))] as const,
    ]),
  ),
  'caa-beside-cname': ['There is a CAA record beside the CNAME.', adding(caa(www, 'issue', 'ca.example'))],
  'a-beside-cname-at-one-server': [
    'One server has an A record beside the CNAME.',
    onlyAt(hosts.ns2, adding(record(www, 'A', hosts.elsewhere))),
  ],
  'a-beside-wildcard': [
    'A wildcard has a CNAME and an A record.',
    all(
      without(www, 'CNAME'),
      adding(
        record('*.shop.example', 'CNAME', 'apps.host.example'),
        record('*.shop.example', 'A', hosts.elsewhere),
      ),
    ),
  ],
  'txt-without-cname': [
    'There is a TXT record in the place of the CNAME.',
    all(without(www, 'CNAME'), adding(record(www, 'TXT', '"verification"'))),
    'DOMAIN-2',
  ],
  delegated: [
    'The name is delegated to servers that do not know it.',
    answering(({ name, server }) => {
      if (!name.endsWith(www) || server === hosts.resolver || server === hosts.parent) return null;
      return { ...rcode('NOERROR'), authorities: [record(www, 'NS', 'ns1.other.example')] };
    }),
  ],
});

const caaFaults = faultsOf('DOMAIN-5', {
  'caa-other-authority': ['CAA allows another authority.', replacing(caa(apex, 'issue', 'other-ca.example'))],
  'caa-nobody': ['CAA allows nobody to issue.', replacing(caa(apex, 'issue', ';'))],
  'caa-empty': ['CAA has an empty issuer.', replacing(caa(apex, 'issue', ''))],
  'caa-malformed': ['CAA has a malformed issuer.', replacing(caa(apex, 'issue', '%%%%%'))],
  'caa-no-semicolon': [
    'Parameters follow the issuer without a semicolon.',
    replacing(caa(apex, 'issue', 'ca.example policy=ev')),
  ],
  'caa-below-authority': [
    'CAA allows a name below the authority.',
    replacing(caa(apex, 'issue', 'eu.ca.example')),
  ],
  'caa-wildcard-alone': [
    'Only wildcard certificates are allowed to the authority.',
    replacing(caa(apex, 'issuewild', 'ca.example'), caa(apex, 'issue', 'other-ca.example')),
  ],
  'caa-unknown-critical': ['A critical tag is unknown.', adding(caa(apex, 'tbs', 'Unknown', 128))],
  'caa-unknown-critical-and-other-authority': [
    'A critical tag is unknown, and CAA allows another authority.',
    replacing(caa(apex, 'issue', 'other-ca.example'), caa(apex, 'tbs', 'Unknown', 128)),
  ],
  'caa-of-platform': [
    'CAA of the platform host allows another authority.',
    adding(caa('apps.host.example', 'issue', 'other-ca.example')),
  ],
  'caa-of-top-level': [
    'CAA of the top-level domain allows another authority.',
    all(
      without(apex, 'CAA'),
      adding(...zone('example', hosts.parent, hosts.parent), caa('example', 'issue', 'other-ca.example')),
    ),
  ],
});

/** Mistakes in DNS. */
export const recordFaults: readonly DomainFault[] = [
  ...cnameFaults,
  ...apexFaults,
  ...conflictFaults,
  ...caaFaults,
];
