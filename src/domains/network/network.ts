import type { Certificate, DnsExchange, DnsQuery, PageExchange } from '../../finding/domain-evidence.ts';

export type {
  Certificate,
  DnsExchange,
  DnsFailure,
  DnsRecord,
  DnsResponse,
  PageExchange,
} from '../../finding/domain-evidence.ts';

/** `closed`: a connection, but no handshake; `code` says how it ended. */
export type HandshakeFailure = {
  readonly kind: 'timeout' | 'refused' | 'unreachable' | 'closed';
  readonly code: string;
};

/** A TLS handshake with a server name (SNI). */
export type Handshake =
  | { readonly address: string; readonly certificate: Certificate; readonly failure: null }
  | { readonly address: string; readonly certificate: null; readonly failure: HandshakeFailure };

/** A request for a URL at an address that the caller chooses. The certificate does not matter. */
export interface PageRequest {
  readonly address: string;
  /** Absolute; its host is sent as SNI and `Host`. */
  readonly url: string;
}

/** What a test of domains needs from the network. Nothing rejects because of a server. */
export interface Network {
  ask(query: DnsQuery): Promise<DnsExchange>;
  handshake(address: string, serverName: string): Promise<Handshake>;
  get(request: PageRequest): Promise<PageExchange>;
}
