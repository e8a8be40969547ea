import { isRegistrable, withParents } from '../names.ts';
import type { DnsExchange, NameServer } from '../network/network.ts';
import type { AttachedDomain, DomainKind } from '../settings.ts';
import { addressesOf, type Resolver } from './resolver.ts';
import { recordsAt, valuesAt } from './responses.ts';

/** The zone of a name, and the servers that are authoritative for it. */
export interface Zone {
  readonly kind: DomainKind;
  /** Null: no zone was found. */
  readonly name: string | null;
  /** Empty: none was found. */
  readonly servers: readonly NameServer[];
  /** How the servers were found. */
  readonly lookups: readonly DnsExchange[];
}

/** As many as fit in one packet, and as zones have at most. */
const MOST_SERVERS = 13;

/** Finds the zone of a domain through the resolver: the nearest name with an SOA record, and its NS records. */
export const findZone = async (
  { name, kind }: AttachedDomain,
  resolver: Resolver,
  dnsPort: number,
): Promise<Zone> => {
  const names = withParents(name);
  const soas = await Promise.all(names.map((each) => resolver.ask(each, 'SOA')));
  const cuts = soas.filter((soa) => recordsAt(soa.response?.answers ?? [], soa.name, 'SOA').length > 0);
  const isApex = cuts[0]?.name === name || isRegistrable(name);
  const decided = kind ?? (isApex ? 'apex' : 'subdomain');
  // Without an SOA record, the nearest parent with servers is the zone.
  const candidates = cuts.length > 0 ? cuts.slice(0, 1) : soas.slice(decided === 'apex' ? 0 : 1);
  for (const { name: zone } of candidates) {
    const ns = await resolver.ask(zone, 'NS');
    const hosts = valuesAt(ns.response?.answers ?? [], zone, 'NS').slice(0, MOST_SERVERS);
    if (hosts.length === 0 && cuts.length === 0) continue;
    const found = await Promise.all(hosts.map((host) => serversAt(host, resolver, dnsPort)));
    const servers = new Map(found.flatMap((each) => each.servers).map((server) => [server.address, server]));
    const lookups = [...soas, ns, ...found.flatMap(({ exchanges }) => exchanges)];
    return { kind: decided, name: zone, servers: [...servers.values()], lookups };
  }
  return { kind: decided, name: null, servers: [], lookups: soas };
};

const serversAt = async (host: string, resolver: Resolver, port: number) => {
  const { exchanges, addresses } = await addressesOf(resolver, host);
  const servers = addresses.map((address): NameServer => ({ name: host, address, port, recursion: false }));
  return { exchanges, servers };
};
