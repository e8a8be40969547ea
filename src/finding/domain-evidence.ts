import type { TransportFailure, WireRequest, WireResponse } from '../http/exchange.ts';
import type { DomainProblem } from './kinds/domains.ts';

/** The types of records that are asked for. */
export type QueryType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'MX' | 'NS' | 'SRV' | 'CAA' | 'SOA';

/** One record of a response. Names are canonical. */
export interface DnsRecord {
  readonly name: string;
  readonly ttl: number;
  readonly type: string;
  /** The value as zone files have it. Canonical if it is a name. */
  readonly value: string;
  /** Of a CAA record (RFC 8659 4.1); null: of another one. */
  readonly caa: { readonly isCritical: boolean; readonly tag: string; readonly value: string } | null;
}

export interface DnsResponse {
  readonly rcode: string;
  readonly authoritative: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
}

/** A name server: its name, or its address if it has none. */
export interface NameServer {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Ask it to resolve the name (RFC 1035 4.1.1, RD). */
  readonly recursion: boolean;
}

export interface DnsQuery {
  readonly server: NameServer;
  readonly name: string;
  readonly type: QueryType;
}

/** `refused`: no server listens there. `unreachable`: this machine has no route to it. */
export type DnsFailure = 'timeout' | 'refused' | 'unreachable' | 'malformed';

/** A query with its response, or with the reason there is none. */
export interface DnsExchange extends DnsQuery {
  readonly transport: 'udp' | 'tcp';
  readonly response: DnsResponse | null;
  readonly failure: DnsFailure | null;
}

/** The certificate that a server sends first, with what is wrong with its chain. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  /** The DNS names in subjectAltName, as they are. */
  readonly subjectAltName: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly validFrom: number;
  readonly validTo: number;
  /** The subjects from this certificate to the root. */
  readonly chain: readonly string[];
  readonly fingerprint: string;
  /** OpenSSL's code of what is wrong with the chain, for example `CERT_HAS_EXPIRED`; null: nothing. */
  readonly error: string | null;
}

/** A request with its response, or with the reason there is none. */
export interface PageExchange {
  readonly address: string;
  readonly request: WireRequest;
  readonly response: WireResponse | null;
  readonly failure: TransportFailure | null;
}

/** What shows that a domain is wrong. */
export interface DomainEvidence {
  readonly problem: DomainProblem;
  /** Null: the project. */
  readonly domain: string | null;
  readonly dns: readonly DnsExchange[];
  /** The name servers that have it, if others do not; otherwise empty. */
  readonly onlyAt: readonly string[];
  readonly certificate: Certificate | null;
  readonly exchange: PageExchange | null;
}
