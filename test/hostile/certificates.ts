import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
cryptoProvider.set(webcrypto);

/** A certificate with its private key, both as PEM. */
export interface Identity {
  readonly name: string;
  readonly certificate: string;
  readonly privateKey: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

interface Wanted {
  readonly name: string;
  /** Absent: it signs itself. */
  readonly issuer?: Identity;
  readonly isAuthority?: boolean;
  /** Absent: 127.0.0.1. */
  readonly host?: string;
  readonly validUntil?: Date;
}

const day = 24 * 60 * 60 * 1000;

/** Makes a certificate of a server and client, or of an authority. */
export const makeIdentity = async (wanted: Wanted): Promise<Identity> => {
  const { issuer, isAuthority = false, host = '127.0.0.1', validUntil = new Date(Date.now() + day) } = wanted;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const name = `CN=${wanted.name}`;
  const certificate = await X509CertificateGenerator.create({
    subject: name,
    issuer: issuer?.name ?? name,
    notBefore: new Date(validUntil.getTime() - 30 * day),
    notAfter: validUntil,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    extensions: [
      new BasicConstraintsExtension(isAuthority, undefined, true),
      ...(isAuthority
        ? []
        : [
            new SubjectAlternativeNameExtension([{ type: isIP(host) > 0 ? 'ip' : 'dns', value: host }]),
            new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
          ]),
    ],
  });
  const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    name,
    certificate: certificate.toString('pem'),
    privateKey: PemConverter.encode(exported, 'PRIVATE KEY'),
    keys,
  };
};
