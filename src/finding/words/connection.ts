import type { FailureDetail, TransportFailure } from '../../http/exchange.ts';

/** Sentences for the codes of the system and of undici. */
const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  EADDRNOTAVAIL: 'no local address is left to connect from',
  ETIMEDOUT: 'the host did not respond to the connection attempt',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not respond to the connection attempt',
  EPROTO: 'the TLS handshake failed',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are larger than this client reads',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the response body is larger than this client reads',
};

const trust = (what: string): string => `set NODE_EXTRA_CA_CERTS to the PEM file of ${what}`;
const giveCertificate = 'set --client-cert FILE and --client-key FILE';

/** Sentences for the TLS codes of OpenSSL and Node, each with advice. The first match counts. */
const ofTls: readonly (readonly [codes: RegExp, sentence: string, advice: string])[] = [
  [/^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/, 'this port does not speak TLS', 'use http:// in --base-url'],
  [/ALERT_CERTIFICATE_REQUIRED$/, 'the server requires a client certificate', giveCertificate],
  [
    /_ALERT_(\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/,
    'the server does not accept the client certificate',
    giveCertificate,
  ],
  [
    /_ALERT_HANDSHAKE_FAILURE$/,
    'the server refused the TLS handshake',
    `if it requires a client certificate, ${giveCertificate}`,
  ],
  [/^ERR_SSL_/, 'the TLS handshake failed', 'compare the TLS versions of the server and of Node.js'],
  [
    /^CERT_HAS_EXPIRED$/,
    'the TLS certificate of the server has expired',
    'renew it, and compare the clocks of both machines',
  ],
  [/^CERT_NOT_YET_VALID$/, 'the TLS certificate of the server is not valid yet', 'compare the clocks'],
  [
    /ALTNAME_INVALID|HOSTNAME_MISMATCH/,
    'the TLS certificate of the server is for another host name',
    'use a name of the certificate in --base-url',
  ],
  [/^DEPTH_ZERO_SELF_SIGNED/, 'the TLS certificate of the server is self-signed', trust('that certificate')],
  [
    /^SELF_SIGNED_CERT_IN_CHAIN/,
    'the TLS certificate of the server is from an authority that is not trusted',
    trust('that authority'),
  ],
  [
    /^UNABLE_TO_/,
    'the TLS certificate of the server has no known issuer: its intermediate certificate may be missing',
    `configure the server to send the whole chain, or ${trust('the issuer')}`,
  ],
  [/./, 'the TLS certificate of the server is not accepted', trust('its authority')],
];

const errorText = (code: string): string => {
  const [, sentence, advice] = ofTls.find(([codes]) => codes.test(code)) ?? [];
  return byCode[code] ?? `${sentence} (${code}): ${advice}`;
};

const closedText = (bodyBytes: number | null): string =>
  bodyBytes === null
    ? 'the server closed the connection without a response'
    : `the server closed the connection in the middle of the body, after ${bodyBytes} bytes`;

const silences: Readonly<Record<Exclude<TransportFailure['kind'], 'malformed'>, string>> = {
  refused: 'the connection was refused',
  reset: 'the server closed the connection before a response',
  timeout: 'no response in time',
  unreachable: 'the server could not be reached',
  aborted: 'the run was interrupted',
};

/** Why there is no response, without the figures that differ between requests. */
export const silenceText = ({ kind, detail }: Pick<TransportFailure, 'kind' | 'detail'>): string => {
  if (kind === 'malformed') return connectionText(detail);
  if (detail.code === 'closed' && detail.bodyBytes !== null)
    return 'the server closed the connection in the middle of the body';
  return detail.code === 'incomplete-response' ? 'no complete response in time' : silences[kind];
};

/** Why a request got no response: one clause in the words of HTTP. */
export const connectionText = (detail: FailureDetail): string => {
  switch (detail.code) {
    case 'error':
      return errorText(detail.error);
    case 'no-connection':
      return `no connection within ${detail.withinMs} ms`;
    case 'no-response':
      return `no response within ${detail.withinMs} ms`;
    case 'incomplete-response':
      return `no complete response within ${detail.withinMs} ms`;
    case 'closed':
      return closedText(detail.bodyBytes);
    case 'bad-length':
      return 'Content-Length is not exactly one number';
    case 'unexpected-101':
      return 'the server sent an unexpected 101';
    case 'not-http':
      return `the response is not HTTP/1.1: ${detail.parser ?? 'it cannot be parsed'}`;
    case 'not-decoded':
      return `the body is not valid ${detail.coding}, its Content-Encoding`;
    case 'run-ended':
      return 'the run ended before the response came';
  }
};
