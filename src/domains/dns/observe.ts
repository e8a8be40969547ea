import type { DnsExchange, QueryType } from '../../finding/domain-evidence.ts';
import { withParents } from '../names.ts';
import type { Network } from '../network/network.ts';
import type { AttachedDomain, DomainKind } from '../settings.ts';
import { addressesIn, addressesOf, type Resolver } from './resolver.ts';
import { about, answersOf, chainIn, isAnswered, recordsAlong, recordsAt, valuesAt } from './responses.ts';
import { findZone, type Zone } from './zone.ts';

/** Types of records that must not be beside a CNAME, with the types that DNSSEC needs there left out. */
export const conflictingTypes = ['A', 'AAAA', 'TXT', 'MX', 'NS', 'SRV', 'CAA'] as const;

const typesOf: Readonly<Record<DomainKind, readonly QueryType[]>> = {
  subdomain: ['CNAME', ...conflictingTypes],
  apex: ['CNAME', 'A', 'AAAA'],
};

/** What DNS says about a domain, as exchanges. */
export interface DnsView {
  readonly domain: AttachedDomain;
  readonly zone: Zone;
  /** At each authoritative server. For an apex, addresses may be asked for several times. */
  readonly authoritative: readonly DnsExchange[];
  /** The types that were found, at a name beside the domain and at one below it. */
  readonly unused: readonly DnsExchange[];
  /** The domain at the resolver. */
  readonly resolved: readonly DnsExchange[];
  /** The addresses of the target at the resolver, perhaps asked for several times. */
  readonly target: readonly DnsExchange[];
  /** CAA at the domain, and at its parents until there is a set. */
  readonly caa: readonly DnsExchange[];
  /** The domain, and the names that it is an alias of. */
  readonly chain: readonly string[];
  /** Where visitors connect to. */
  readonly addresses: readonly string[];
}

export interface DnsOptions {
  readonly network: Network;
  readonly resolver: Resolver;
  readonly dnsPort: number;
  /** A label that nobody uses. */
  readonly unusedLabel: string;
  /** Ask again, at most so many times, for addresses that share none with those of the target. */
  readonly rounds: number;
  /** Whether the addresses of an apex are among those of its target, as far as they are known. */
  readonly isShared: (view: Pick<DnsView, 'domain' | 'authoritative' | 'target'>) => boolean;
}

/** Asks DNS everything about a domain. */
export const observeDns = async (domain: AttachedDomain, options: DnsOptions): Promise<DnsView> => {
  const { resolver, dnsPort } = options;
  const { name, target } = domain;
  const resolved = Promise.all((['CNAME', 'A', 'AAAA'] as const).map((type) => resolver.ask(name, type)));
  const caa = climb(name, resolver);
  const zone = await findZone(domain, resolver, dnsPort);
  const first = askAll(zone, name, typesOf[zone.kind], options);
  const targetFirst = addressesOf(resolver, target);
  const view = {
    domain,
    zone,
    authoritative: await first,
    target: (await targetFirst).exchanges,
    resolved: await resolved,
    caa: await caa,
  };
  const settled = zone.kind === 'apex' ? await askUntilShared(view, options) : view;
  const unused = zone.kind === 'subdomain' ? await askUnused(view, options) : [];
  return { ...settled, unused, ...(await routeOf(settled, resolver)) };
};

const askAll = (
  { servers }: Zone,
  name: string,
  types: readonly QueryType[],
  { network }: Pick<DnsOptions, 'network'>,
): Promise<readonly DnsExchange[]> =>
  Promise.all(servers.flatMap((server) => types.map((type) => network.ask({ server, name, type }))));

/** Asks for CAA at the name, then at each parent, until there is a set (RFC 8659 3). */
const climb = async (name: string, resolver: Resolver): Promise<readonly DnsExchange[]> => {
  const exchanges: DnsExchange[] = [];
  for (const each of withParents(name)) {
    const exchange = await resolver.ask(each, 'CAA');
    exchanges.push(exchange);
    const records = recordsAlong(exchange.response?.answers ?? [], each, 'CAA');
    if (!isAnswered(exchange) || records.length > 0) break;
  }
  return exchanges;
};

/** Addresses of an apex and of its target may vary from query to query. */
const askUntilShared = async <View extends Pick<DnsView, 'domain' | 'zone' | 'authoritative' | 'target'>>(
  view: View,
  options: DnsOptions,
): Promise<View> => {
  const { domain, zone } = view;
  let settled = view;
  for (let round = 1; round < options.rounds && !options.isShared(settled); round += 1) {
    const [own, target] = await Promise.all([
      askAll(zone, domain.name, ['A', 'AAAA'], options),
      Promise.all([
        options.resolver.askAgain(domain.target, 'A'),
        options.resolver.askAgain(domain.target, 'AAAA'),
      ]),
    ]);
    settled = {
      ...settled,
      authoritative: [...settled.authoritative, ...own],
      target: [...settled.target, ...target],
    };
  }
  return settled;
};

/**
 * Asks for what was found, at names that nobody uses. A wildcard of the parent gives the same beside the domain, and also below it unless
 * the domain itself exists (RFC 4592 3.3.1).
 */
const askUnused = async (
  { domain: { name }, authoritative }: Pick<DnsView, 'domain' | 'authoritative'>,
  { network, unusedLabel }: DnsOptions,
): Promise<readonly DnsExchange[]> => {
  const labels = name.split('.');
  const unused = [labels.slice(1), labels].map((above) => [unusedLabel, ...above].join('.'));
  const found = authoritative.filter(
    ({ type, response }) => type !== 'CNAME' && recordsAt(response?.answers ?? [], name, type).length > 0,
  );
  const queries = found.flatMap(({ server, type }) => unused.map((each) => ({ server, name: each, type })));
  return Promise.all(queries.map((query) => network.ask(query)));
};

/** Where a visitor gets to once the authoritative servers are known everywhere. */
const routeOf = async (
  { domain: { name }, authoritative, resolved }: Pick<DnsView, 'domain' | 'authoritative' | 'resolved'>,
  resolver: Resolver,
): Promise<Pick<DnsView, 'chain' | 'addresses'>> => {
  const answers = answersOf(authoritative);
  const [alias] = valuesAt(answers, name, 'CNAME');
  if (alias !== undefined && alias !== name) {
    const { exchanges, addresses } = await addressesOf(resolver, alias);
    return { chain: [...new Set([name, ...chainIn(answersOf(exchanges), alias)])], addresses };
  }
  const own = (['A', 'AAAA'] as const).flatMap((type) => addressesIn(about(authoritative, name, type), name));
  if (own.length > 0) return { chain: [name], addresses: [...new Set(own)] };
  return { chain: chainIn(answersOf(resolved), name), addresses: addressesIn(resolved, name) };
};
