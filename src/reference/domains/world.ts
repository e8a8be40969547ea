import type { DnsFailure, DnsRecord, DnsResponse, HandshakeFailure } from '../../domains/network/network.ts';
import {
  type AttachedDomain,
  attachedDomain,
  type DomainsSettings,
  defaultNetwork,
  defaultProject,
} from '../../domains/settings.ts';

/** Addresses of the machines of a world. All are on loopback, so that real sockets can have them. */
export const hosts = {
  resolver: '127.0.0.10',
  ns1: '127.0.0.11',
  ns2: '127.0.0.12',
  parent: '127.0.0.13',
  platform: '127.0.0.20',
  otherPlatform: '127.0.0.21',
  elsewhere: '127.0.0.30',
} as const;

export interface Question {
  /** The address of the server. */
  readonly server: string;
  readonly name: string;
  readonly type: string;
}

/** A certificate as a world describes it. */
export interface WorldCertificate {
  /** Names in subjectAltName. */
  readonly names: readonly string[];
  readonly commonName?: string;
  /** Days from now. */
  readonly validFrom?: number;
  readonly validTo?: number;
  /** Absent: it is issued by the root that the settings trust. */
  readonly trust?: 'self-signed' | 'unknown-root';
}

export interface WorldPage {
  readonly status: number;
  readonly location?: string;
  readonly body?: string;
}

export type PageFailure = 'closed' | 'refused' | 'timeout';

/** DNS, certificates, and pages around a project. Faults and dialects replace parts of it. */
export interface World {
  /** The time of the test, in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly settings: DomainsSettings;
  readonly records: readonly DnsRecord[];
  readonly answer: (question: Question) => DnsResponse | DnsFailure;
  readonly certificate: (address: string, serverName: string) => WorldCertificate | HandshakeFailure['kind'];
  readonly page: (address: string, url: URL) => WorldPage | PageFailure;
}

export const record = (name: string, type: string, value: string, ttl = 3_600): DnsRecord => ({
  name,
  type,
  value,
  ttl,
  caa: null,
});

/** A CAA record. `flags`: 128 is critical. */
export const caa = (name: string, tag: string, value: string, flags = 0): DnsRecord => ({
  ...record(name, 'CAA', `${flags} ${tag} ${JSON.stringify(value)}`),
  caa: { isCritical: flags >= 128, tag, value },
});

const soa = (zone: string): DnsRecord => record(zone, 'SOA', `ns1.${zone} hostmaster.${zone} 1`);

/** A zone with two servers. */
export const zone = (
  name: string,
  first: string = hosts.ns1,
  second: string = hosts.ns2,
): readonly DnsRecord[] => [
  soa(name),
  record(name, 'NS', `ns1.${name}`),
  record(name, 'NS', `ns2.${name}`),
  record(`ns1.${name}`, 'A', first),
  record(`ns2.${name}`, 'A', second),
];

const parentsOf = (name: string): readonly string[] => {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
};

/** The nearest zone of a name; null: there is none. */
const zoneOf = (records: readonly DnsRecord[], name: string): string | null =>
  parentsOf(name).find((each) => records.some((one) => one.name === each && one.type === 'SOA')) ?? null;

/** The records at a name, by itself or by a wildcard. */
const recordsOf = (records: readonly DnsRecord[], name: string): readonly DnsRecord[] => {
  const exact = records.filter((one) => one.name === name);
  const isKnown = (each: string) => records.some((one) => one.name === each || one.name.endsWith(`.${each}`));
  if (exact.length > 0 || isKnown(name)) return exact;
  const parent = parentsOf(name).slice(1).find(isKnown);
  return records.filter((one) => one.name === `*.${parent}`).map((one) => ({ ...one, name }));
};

const isKnownName = (records: readonly DnsRecord[], name: string): boolean =>
  recordsOf(records, name).length > 0 || records.some((one) => one.name.endsWith(`.${name}`));

const MOST_ALIASES = 8;

/** Answers from records as a server does that loads anything: also two CNAMEs, or records beside one. */
export const answerFrom = (
  records: readonly DnsRecord[],
  { name, type }: Pick<Question, 'name' | 'type'>,
  authoritative: boolean,
): DnsResponse => {
  const answers: DnsRecord[] = [];
  let last = name;
  for (let aliases = 0; aliases < MOST_ALIASES; aliases += 1) {
    const here = recordsOf(records, last);
    const found = here.filter((one) => one.type === type);
    const links = type === 'CNAME' ? [] : here.filter((one) => one.type === 'CNAME');
    answers.push(...(found.length > 0 ? found : links));
    const [link] = found.length > 0 ? [] : links;
    if (link === undefined) break;
    last = link.value;
    if (authoritative && zoneOf(records, last) !== zoneOf(records, name)) break;
  }
  const isKnown = isKnownName(records, last) || zoneOf(records, last) === null;
  const own = zoneOf(records, last);
  const isEmpty = answers.every((one) => one.type !== type);
  const authorities = isEmpty ? records.filter((one) => one.name === own && one.type === 'SOA') : [];
  return { rcode: isKnown ? 'NOERROR' : 'NXDOMAIN', authoritative, answers, authorities };
};

/** An empty response with a code. */
export const rcode = (code: string): DnsResponse => ({
  rcode: code,
  authoritative: false,
  answers: [],
  authorities: [],
});

/** Answers as the servers of the records do: each for its own zones, and the resolver for all. */
export const answerOf =
  (records: readonly DnsRecord[]): World['answer'] =>
  ({ server, name, type }) => {
    if (server === hosts.resolver) return answerFrom(records, { name, type }, false);
    const own = zoneOf(records, name);
    const names = records.filter((one) => one.name === own && one.type === 'NS').map(({ value }) => value);
    const isOwn = records.some((one) => names.includes(one.name) && one.value === server);
    return isOwn ? answerFrom(records, { name, type }, true) : rcode('REFUSED');
  };

/** A domain of the settings. */
export const attachedTo = (name: string): AttachedDomain => attachedDomain(name, 'apps.host.example');

/** The settings of a project whose domains are right. */
const settings: DomainsSettings = {
  plan: 'pro',
  platformHost: 'apps.host.example',
  authorities: ['ca.example'],
  domains: [attachedTo('www.shop.example'), attachedTo('shop.example')],
  primary: 'www.shop.example',
  redirects: [{ from: 'shop.example', path: null, to: 'https://www.shop.example/', status: 301 }],
  removed: ['old.shop.example'],
  project: { ...defaultProject, contains: 'Welcome' },
  network: { ...defaultNetwork, resolvers: [{ address: hosts.resolver, port: 53 }], timeoutMs: 1_000 },
};

/** The records of domains that are right. */
const records: readonly DnsRecord[] = [
  ...zone('shop.example'),
  record('shop.example', 'A', hosts.platform),
  record('www.shop.example', 'CNAME', 'apps.host.example'),
  caa('shop.example', 'issue', 'ca.example'),
  ...zone('host.example', hosts.parent, hosts.parent),
  record('apps.host.example', 'A', hosts.platform),
];

const attached = ['www.shop.example', 'shop.example'];

export const projectPage: WorldPage = { status: 200, body: 'Welcome to the shop' };
export const unknownPage: WorldPage = { status: 404, body: 'There is no project here' };

/** A world in which every domain is right. */
export const rightWorld = (now: number): World => ({
  now,
  settings,
  records,
  answer: answerOf(records),
  certificate: (address, name) => {
    if (address === hosts.elsewhere) return { names: ['elsewhere.example'] };
    return attached.includes(name) ? { names: [name] } : { names: ['*.host.example'] };
  },
  page: (_address, { hostname, pathname }) => {
    if (hostname === 'www.shop.example') return projectPage;
    if (hostname === 'shop.example') return { status: 301, location: `https://www.shop.example${pathname}` };
    return unknownPage;
  },
});
