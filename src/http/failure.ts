import type { TransportFailure } from './exchange.ts';

type Kind = TransportFailure['kind'];

/** The part of a response that arrived before the connection ended. */
export interface PartialResponse {
  readonly headers: boolean;
  readonly bodyBytes: number;
}

const byCode: Readonly<Record<string, readonly [Kind, string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused'],
  ENOTFOUND: ['unreachable', 'the host name does not resolve'],
  EAI_AGAIN: ['unreachable', 'the host name could not be resolved'],
  EHOSTUNREACH: ['unreachable', 'there is no route to the host'],
  ENETUNREACH: ['unreachable', 'there is no route to the network'],
  EADDRNOTAVAIL: ['unreachable', 'no local address is left to connect from'],
  ETIMEDOUT: ['unreachable', 'the host did not respond to the connection attempt'],
  UND_ERR_CONNECT_TIMEOUT: ['unreachable', 'the host did not respond to the connection attempt'],
  EPROTO: ['unreachable', 'the TLS handshake failed'],
  UND_ERR_HEADERS_OVERFLOW: ['malformed', 'the response headers are larger than this client reads'],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['malformed', 'the response body is larger than this client reads'],
};

/** Messages for the TLS codes of OpenSSL and Node. The first match counts. */
const tlsFailures: readonly (readonly [codes: RegExp, message: string, advice: string])[] = [
  [/^ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/, 'this port does not speak TLS', ': use http:// in --base-url'],
  [/^ERR_SSL_/, 'the TLS handshake failed', ''],
  [
    /SELF_SIGNED|^UNABLE_TO_/,
    'the TLS certificate is not accepted',
    ': if you use your own certificate authority, set NODE_EXTRA_CA_CERTS to its file',
  ],
  [/^(ERR_TLS_|CERT_|HOSTNAME_MISMATCH)/, 'the TLS certificate is not accepted', ''],
];

const describeTls = (code: string): string | null => {
  const [, message, advice] = tlsFailures.find(([codes]) => codes.test(code)) ?? [];
  return message === undefined ? null : `${message} (${code})${advice}`;
};

const cutShort = (arrived: PartialResponse): string => {
  if (!arrived.headers) return 'the server closed the connection without a response';
  return `the server closed the connection in the middle of the body, after ${arrived.bodyBytes} bytes`;
};

/** Describes an error of undici or of the socket in the words of HTTP. */
export const describeFailure = (
  error: unknown,
  arrived: PartialResponse,
): { kind: Kind; message: string } => {
  const {
    code = '',
    message = '',
    name = '',
  } = error instanceof Error ? (error as Error & { code?: string }) : {};
  // undici's error for a length that is repeated or not a number.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !arrived.headers)
    return { kind: 'malformed', message: 'Content-Length is not exactly one number' };
  const known = byCode[code];
  if (known) return { kind: known[0], message: known[1] };
  const tls = describeTls(code);
  if (tls !== null) return { kind: 'unreachable', message: tls };
  if (/^bad (response|upgrade)$|assert\(upgrade\)/.test(message))
    return { kind: 'malformed', message: 'the server sent an unexpected 101' };
  if (name === 'HTTPParserError' && !message.includes('EOF'))
    return { kind: 'malformed', message: `the response is not HTTP/1.1: ${parserReason(message)}` };
  return { kind: 'reset', message: cutShort(arrived) };
};

const parserReason = (message: string): string => /\((.*)\)/.exec(message)?.[1] ?? 'it cannot be parsed';
