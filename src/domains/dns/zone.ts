import type { NameServer } from '../../finding/domain-evidence.ts';
import { isRegistrable, withParents } from '../names.ts';
import type { AttachedDomain, DomainKind } from '../settings.ts';
import { addressesOf, type Resolver } from './resolver.ts';
import { isAnswered, recordsAt, valuesAt } from './responses.ts';

/** The zone of a name, and the servers that are authoritative for it. */
export interface Zone {
  readonly kind: DomainKind;
  /** False: the resolver did not answer whether a zone begins at the name. */
  readonly isKindKnown: boolean;
  /** Null: no zone was found. */
  readonly name: string | null;
  /** Empty: none was found. */
  readonly servers: readonly NameServer[];
}

/** As many as fit in one packet, and as zones have at most. */
const MOST_SERVERS = 13;

/** Finds the zone of a domain through the resolver: the nearest name with an SOA record, and its NS records. */
export const findZone = async (
  { name, kind }: AttachedDomain,
  resolver: Resolver,
  dnsPort: number,
): Promise<Zone> => {
  const has = async (each: string, type: 'SOA' | 'NS'): Promise<boolean> => {
    const exchange = await resolver.ask(each, type);
    return recordsAt(exchange.response?.answers ?? [], each, type).length > 0;
  };
  const names = withParents(name);
  const isApex = (await has(name, 'SOA')) || isRegistrable(name);
  const soa = await resolver.ask(name, 'SOA');
  // If the resolver is silent, its timeouts overlap.
  if (soa.response === null) await Promise.all(names.flatMap((each) => [has(each, 'SOA'), has(each, 'NS')]));
  const decided = kind ?? (isApex ? 'apex' : 'subdomain');
  const facts = { kind: decided, isKindKnown: kind !== null || isApex || isAnswered(soa) };
  for (const zone of names) {
    // A CNAME at an apex may hide its SOA record. NS records alone, at a subdomain, are a conflict and no zone.
    const mayHideCut = zone !== name || decided === 'apex';
    if (!(await has(zone, 'SOA')) && !(mayHideCut && (await has(zone, 'NS')))) continue;
    const ns = await resolver.ask(zone, 'NS');
    const hosts = valuesAt(ns.response?.answers ?? [], zone, 'NS').slice(0, MOST_SERVERS);
    const found = await Promise.all(hosts.map((host) => serversAt(host, resolver, dnsPort)));
    const servers = new Map(found.flat().map((server) => [server.address, server]));
    return { ...facts, name: zone, servers: [...servers.values()] };
  }
  return { ...facts, name: null, servers: [] };
};

const serversAt = async (host: string, resolver: Resolver, port: number): Promise<readonly NameServer[]> => {
  const { addresses } = await addressesOf(resolver, host);
  return addresses.map((address) => ({ name: host, address, port, recursion: false }));
};
