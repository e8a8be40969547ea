import type {
  Certificate,
  DnsExchange,
  DnsRecord,
  DomainEvidence,
  PageExchange,
} from '../../finding/domain-evidence.ts';
import { chainErrorText, timeText } from '../../finding/kinds/domains.ts';
import { dnsSilence } from '../../finding/words/dns.ts';
import { type RequestView, type ResponseView, showRequest, showResponse } from '../../http/request-view.ts';
import { maskPlaces } from '../../http/secret-places.ts';

/** Records shown of one response, and responses shown of one failure: a server may send thousands. */
const MOST_RECORDS = 50;
const MOST_EXCHANGES = 20;

/** A DNS response in a report. */
export interface DnsView {
  readonly server: string;
  readonly address: string;
  readonly transport: 'udp' | 'tcp';
  readonly question: string;
  /** Null: no response came; `error` says why. */
  readonly rcode: string | null;
  readonly authoritative: boolean;
  readonly answers: readonly Omit<DnsRecord, 'caa'>[];
  readonly error?: string;
}

export interface CertificateView {
  readonly subject: string;
  readonly issuer: string;
  readonly subjectAltName: readonly string[];
  readonly validFrom: string;
  readonly validTo: string;
  readonly chain: readonly string[];
  /** What is wrong with the chain; null: nothing. */
  readonly error: string | null;
}

/** What shows a failure. */
export interface EvidenceView {
  readonly dns: readonly DnsView[];
  readonly certificate: CertificateView | null;
  readonly exchange: {
    readonly address: string;
    readonly request: RequestView;
    readonly response: ResponseView | null;
  } | null;
}

const plain = ({ name, ttl, type, value }: DnsRecord) => ({ name, ttl, type, value });

const dnsView = ({ server, name, type, transport, response, failure }: DnsExchange): DnsView => ({
  server: server.name,
  address: server.address,
  transport,
  question: `${name} ${type}`,
  rcode: response?.rcode ?? null,
  authoritative: response?.authoritative ?? false,
  answers: (response?.answers ?? []).slice(0, MOST_RECORDS).map(plain),
  ...(failure === null ? {} : { error: dnsSilence[failure] ?? failure }),
});

const certificateView = (certificate: Certificate): CertificateView => ({
  subject: certificate.subject,
  issuer: certificate.issuer,
  subjectAltName: certificate.subjectAltName.slice(0, MOST_RECORDS),
  validFrom: timeText(certificate.validFrom),
  validTo: timeText(certificate.validTo),
  chain: certificate.chain,
  error: certificate.error === null ? null : chainErrorText(certificate.error),
});

/** There are no keys in requests for pages. */
const shown = (text: string): string => text;

export const pageView = ({
  address,
  request,
  response,
}: PageExchange): NonNullable<EvidenceView['exchange']> => ({
  address,
  request: showRequest(request, shown),
  response: response === null ? null : showResponse(response, maskPlaces),
});

export const evidenceView = ({ dns, certificate, exchange }: DomainEvidence): EvidenceView => ({
  dns: dns.slice(0, MOST_EXCHANGES).map(dnsView),
  certificate: certificate === null ? null : certificateView(certificate),
  exchange: exchange === null ? null : pageView(exchange),
});
