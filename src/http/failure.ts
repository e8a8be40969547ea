import type { FailureDetail, TransportFailure } from './exchange.ts';

type Kind = TransportFailure['kind'];

/** The part of a response that arrived before the connection ended. */
export interface PartialResponse {
  readonly headers: boolean;
  readonly bodyBytes: number;
}

const kinds: Readonly<Record<string, Kind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  EPROTO: 'unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'malformed',
};

/** TLS codes of OpenSSL and Node. */
const isOfTls = (code: string): boolean =>
  /SELF_SIGNED|^(UNABLE_TO_|ERR_SSL_|ERR_TLS_|CERT_|HOSTNAME_MISMATCH)/.test(code);

/** Returns the facts of an error of undici or of the socket. */
export const failureFacts = (
  error: unknown,
  arrived: PartialResponse,
): Pick<TransportFailure, 'kind' | 'detail'> => {
  const {
    code = '',
    message = '',
    name = '',
  } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const malformed = (detail: FailureDetail) => ({ kind: 'malformed', detail }) as const;
  // undici's error for a length that is repeated or not a number.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && !arrived.headers)
    return malformed({ code: 'bad-length' });
  const kind = kinds[code] ?? (isOfTls(code) ? 'unreachable' : null);
  if (kind !== null) return { kind, detail: { code: 'error', error: code } };
  if (/^bad (response|upgrade)$|assert\(upgrade\)/.test(message))
    return malformed({ code: 'unexpected-101' });
  if (name === 'HTTPParserError' && !message.includes('EOF'))
    return malformed({ code: 'not-http', parser: /\((.*)\)/.exec(message)?.[1] ?? null });
  return { kind: 'reset', detail: { code: 'closed', bodyBytes: arrived.headers ? arrived.bodyBytes : null } };
};
