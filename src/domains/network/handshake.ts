import type { X509Certificate } from 'node:crypto';
import {
  connect,
  createSecureContext,
  getCACertificates,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { Certificate } from '../../finding/domain-evidence.ts';
import type { Handshake, HandshakeFailure } from './network.ts';

/** Characters kept of a subject or an issuer. OpenSSL reads no chain above 100 KiB. */
const MOST_CHARACTERS = 300;
const LONGEST_CHAIN = 10;

/** The roots that Node trusts, and others (PEM). Making it takes long, so that handshakes share one. */
export const trustedRoots = (others: readonly string[]): SecureContext =>
  createSecureContext({ ca: [...getCACertificates('default'), ...others] });

/** What a connection says of this machine: it has no route to the address, for example because it has no IPv6. */
const withoutRoute: readonly string[] = [
  ...['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN'],
  ...['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EACCES', 'EPERM'],
];

/** What the code of an error of the system says about a server. */
export const connectionFailure = (code: string): HandshakeFailure['kind'] => {
  if (code === 'ECONNREFUSED') return 'refused';
  if (withoutRoute.includes(code)) return 'unreachable';
  return code === 'ETIMEDOUT' ? 'timeout' : 'closed';
};

interface HandshakeOptions {
  readonly port: number;
  readonly roots: SecureContext;
  readonly timeoutMs: number;
}

/** Makes a TLS handshake, and returns the certificate, whether it is valid or not. */
export const shakeHands = (
  address: string,
  serverName: string,
  { port, roots, timeoutMs }: HandshakeOptions,
): Promise<Handshake> =>
  new Promise((resolve) => {
    const socket = connect({
      host: address,
      port,
      servername: serverName,
      secureContext: roots,
      ALPNProtocols: ['http/1.1'],
      // What is wrong is reported, and names are compared elsewhere: Node accepts a name in CN alone.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    // Sockets need real time, so there is no clock parameter.
    const end = setTimeout(() => fail({ kind: 'timeout', code: 'ETIMEDOUT' }), timeoutMs);
    const settle = (handshake: Handshake): void => {
      clearTimeout(end);
      socket.destroy();
      resolve(handshake);
    };
    const fail = (failure: HandshakeFailure): void => settle({ address, certificate: null, failure });
    socket.on('error', ({ code = 'ECONNRESET' }: NodeJS.ErrnoException) =>
      fail({ kind: connectionFailure(code), code }),
    );
    socket.on('close', () => fail({ kind: 'closed', code: 'ECONNRESET' }));
    socket.on('secureConnect', () => {
      const certificate = certificateOf(socket);
      if (certificate === null) fail({ kind: 'closed', code: 'NO_CERTIFICATE' });
      else settle({ address, certificate, failure: null });
    });
  });

const certificateOf = (socket: TLSSocket): Certificate | null => {
  const peer = socket.getPeerX509Certificate();
  if (peer === undefined) return null;
  const { authorized, authorizationError } = socket;
  return {
    subject: shortName(peer.subject),
    issuer: shortName(peer.issuer),
    subjectAltName: dnsNamesIn(peer.subjectAltName ?? ''),
    validFrom: Date.parse(peer.validFrom),
    validTo: Date.parse(peer.validTo),
    chain: chainOf(peer),
    fingerprint: peer.fingerprint256,
    error: authorized ? null : codeOf(authorizationError),
  };
};

/** Node's types say Error, but it is the code. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** A distinguished name on one line. It is absent if it is empty. */
const shortName = (name: string | undefined): string =>
  (name ?? '').split('\n').join(', ').slice(0, MOST_CHARACTERS);

/** Node quotes values with special characters as JSON, so that none can pretend to be several. */
const dnsNamesIn = (subjectAltName: string): readonly string[] =>
  [...subjectAltName.matchAll(/(?:^|, )([^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)/g)].flatMap(
    ([, kind, value = '']) => (kind === 'DNS' ? [value.startsWith('"') ? unquoted(value) : value] : []),
  );

const unquoted = (json: string): string => {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
};

const chainOf = (leaf: X509Certificate): readonly string[] => {
  const subjects = [shortName(leaf.subject)];
  let last = leaf;
  while (subjects.length < LONGEST_CHAIN && last.issuerCertificate !== undefined) {
    last = last.issuerCertificate;
    subjects.push(shortName(last.subject));
    if (last.issuerCertificate?.fingerprint256 === last.fingerprint256) break;
  }
  return subjects;
};
