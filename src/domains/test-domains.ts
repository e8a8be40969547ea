import type { Certificate } from '../finding/domain-evidence.ts';
import { memoizedByValue } from '../util/memoize.ts';
import { checkApex, isShared } from './checks/apex.ts';
import { checkCaa } from './checks/caa.ts';
import { type CertificateView, checkCertificate, isValidFor, needsComparison } from './checks/certificate.ts';
import { observePropagation } from './checks/propagation.ts';
import { checkCname, checkConflicts, unlessPropagating } from './checks/records.ts';
import { checkRedirect, checkRemoved, checkServed, observePath } from './checks/serving.ts';
import { type DnsView, observeDns } from './dns/observe.ts';
import { addressesOf, createResolver, type Resolver } from './dns/resolver.ts';
import { breach, type DomainFinding, inconclusive, passed } from './finding.ts';
import type { Network } from './network/network.ts';
import { getFirst, getPage } from './pages.ts';
import type { AttachedDomain, DomainKind, DomainsSettings, Endpoint } from './settings.ts';

/** "Ask three times before it fails": addresses may vary. */
const ROUNDS = 3;

export interface DomainsContext {
  readonly network: Network;
  readonly resolvers: readonly [Endpoint, ...Endpoint[]];
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** A label of digits that nobody uses. */
  readonly unusedLabel: string;
}

/** What was found about one domain. */
export interface TestedDomain {
  readonly domain: AttachedDomain;
  readonly kind: DomainKind;
  readonly chain: readonly string[];
  readonly addresses: readonly string[];
  readonly certificate: Certificate | null;
  readonly findings: readonly DomainFinding[];
}

/** Requests for pages. */
export interface Traffic {
  readonly requests: number;
  readonly byStatus: Readonly<Record<string, number>>;
}

export interface TestedDomains {
  readonly domains: readonly TestedDomain[];
  /** About the project, and the removed domains. */
  readonly findings: readonly DomainFinding[];
  /** Not one name server sent a response. */
  readonly isSilent: boolean;
  readonly traffic: Traffic;
}

interface Test extends DomainsContext {
  readonly settings: DomainsSettings;
  readonly resolver: Resolver;
  /** A name that nobody uses, on the platform. */
  readonly unusedName: string;
}

/** Tests all domains side by side. */
export const testDomains = async (
  settings: DomainsSettings,
  context: DomainsContext,
): Promise<TestedDomains> => {
  const { network, dnsResponses, traffic } = remembering(context.network);
  const test: Test = {
    ...context,
    network,
    settings,
    resolver: createResolver(network, context.resolvers),
    unusedName: `${context.unusedLabel}.example`,
  };
  const [domains, removed] = await Promise.all([
    Promise.all(settings.domains.map((domain) => testDomain(domain, test))),
    testRemoved(test),
  ]);
  return {
    domains,
    findings: [...checkPlan(settings), ...removed],
    isSilent: dnsResponses() === 0,
    traffic: traffic(),
  };
};

/** A network that makes each handshake and gets each page once, and counts what is sent. */
const remembering = (network: Network) => {
  let responses = 0;
  let requests = 0;
  const byStatus: Record<string, number> = {};
  const handshakesAt = memoizedByValue((address: string) =>
    memoizedByValue((name: string) => network.handshake(address, name)),
  );
  const pagesAt = memoizedByValue((address: string) =>
    memoizedByValue(async (url: string) => {
      requests += 1;
      const exchange = await network.get({ address, url });
      const status = exchange.response?.status;
      if (status !== undefined) byStatus[status] = (byStatus[status] ?? 0) + 1;
      return exchange;
    }),
  );
  const remembered: Network = {
    ask: async (query) => {
      const exchange = await network.ask(query);
      if (exchange.response !== null) responses += 1;
      return exchange;
    },
    handshake: (address, name) => handshakesAt(address)(name),
    get: ({ address, url }) => pagesAt(address)(url),
  };
  const traffic = (): Traffic => ({ requests, byStatus });
  return { network: remembered, dnsResponses: () => responses, traffic };
};

const checkPlan = ({ plan }: DomainsSettings): readonly DomainFinding[] => {
  const of = { requirement: 'DOMAIN-1', domain: null };
  if (plan === null) return [];
  return [plan === 'free' ? breach(of, { rule: 'plan-too-low', plan }) : passed(of)];
};

const testDomain = async (domain: AttachedDomain, test: Test): Promise<TestedDomain> => {
  const { network, resolver, settings, unusedLabel, now } = test;
  const { dnsPort } = settings.network;
  const options = { network, resolver, dnsPort, unusedLabel, rounds: ROUNDS, isShared };
  const view = await observeDns(domain, options);
  const records = unlessPropagating(checkRecords(view), domain, now());
  const { authorities } = settings;
  const caa = authorities.length === 0 ? [] : checkCaa(view, authorities);
  const certificate = await testCertificate(view, firstOpen(records), test);
  const served = await testServing(domain, certificate, test);
  return {
    domain,
    kind: view.zone.kind,
    chain: view.chain,
    addresses: view.addresses,
    certificate: certificate.certificate,
    findings: [...records, ...caa, certificate.finding, ...served, ...observePropagation(view)],
  };
};

const checkRecords = (view: DnsView): readonly DomainFinding[] =>
  view.zone.kind === 'apex' ? checkApex(view) : [...checkCname(view), ...checkConflicts(view)];

/** The first requirement that did not pass; null: all passed. */
const firstOpen = (findings: readonly DomainFinding[]): string | null =>
  findings.find(({ kind }) => kind !== 'passed')?.requirement ?? null;

interface TestedCertificate {
  readonly finding: DomainFinding;
  readonly certificate: Certificate | null;
  /** Where pages can be asked for; null: nowhere. */
  readonly address: string | null;
}

const testCertificate = async (
  { domain, addresses }: DnsView,
  blockedBy: string | null,
  { network, now, unusedName }: Test,
): Promise<TestedCertificate> => {
  const { name } = domain;
  if (blockedBy !== null) {
    const reason = { code: 'blocked', detail: 'domain', requirement: blockedBy } as const;
    const finding = inconclusive({ requirement: 'DOMAIN-6', domain: name }, reason);
    return { finding, certificate: null, address: null };
  }
  const views = await Promise.all(
    addresses.map(async (address): Promise<CertificateView> => {
      const handshake = await network.handshake(address, name);
      const isCompared = needsComparison(handshake, name);
      return { handshake, unused: isCompared ? await network.handshake(address, unusedName) : null };
    }),
  );
  const finding = checkCertificate(domain, views, now());
  const valid = views.find((view) => isValidFor(view, name, now()));
  const shown = valid ?? views.find(({ handshake }) => handshake.certificate !== null);
  return {
    finding,
    certificate: shown?.handshake.certificate ?? null,
    address: finding.kind === 'passed' ? (valid?.handshake.address ?? null) : null,
  };
};

const testServing = async (
  { name }: AttachedDomain,
  { address, finding }: TestedCertificate,
  { settings, network, unusedName, unusedLabel }: Test,
): Promise<readonly DomainFinding[]> => {
  const of = { requirement: 'DOMAIN-7', domain: name };
  if (address === null) {
    const blocked =
      finding.kind === 'inconclusive' && finding.reason.code === 'blocked' ? finding.reason : null;
    return [inconclusive(of, blocked ?? { code: 'blocked', detail: 'domain', requirement: 'DOMAIN-6' })];
  }
  const redirects = settings.redirects.filter(({ from }) => from === name);
  const isPrimary = settings.primary === name;
  const get = (path: string) => network.get({ address, url: `https://${name}${path}` });
  const tested = Promise.all(
    redirects.map(async (redirect) => {
      const finding = checkRedirect(redirect, await get(redirect.path ?? '/'));
      const isWhole = redirect.path === null && finding.kind === 'passed';
      return isWhole ? [finding, ...observePath(redirect, await get(`/${unusedLabel}`))] : [finding];
    }),
  );
  if (!isPrimary && redirects.some(({ path }) => path === null)) return (await tested).flat();
  const { path, status } = settings.project;
  const [page, unused, findings] = await Promise.all([
    getPage(network, address, `https://${name}${path}`, status),
    getPage(network, address, `https://${unusedName}${path}`, status),
    tested,
  ]);
  return [...findings.flat(), checkServed({ name, isPrimary, page, unused }, settings.project)];
};

const testRemoved = async (test: Test): Promise<readonly DomainFinding[]> => {
  const { settings, network, resolver, unusedName } = test;
  if (settings.removed.length === 0) return [];
  const { addresses, exchanges } = await addressesOf(resolver, settings.platformHost);
  const places = addresses.flatMap((address) => ['https', 'http'].map((scheme) => ({ address, scheme })));
  return Promise.all(
    settings.removed.map(async (name) => {
      const views = places.map(async ({ address, scheme }) => {
        const page = await getFirst(network, address, `${scheme}://${name}/`);
        return { name, page, unused: await getFirst(network, address, `${scheme}://${unusedName}/`) };
      });
      return checkRemoved(name, await Promise.all(views), exchanges);
    }),
  );
};
