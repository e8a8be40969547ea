import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { WorldCertificate } from '../../src/reference/domains/world.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

interface Issued {
  readonly key: string;
  readonly cert: string;
}

interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

const validity = (from: number, to: number) => ({
  notBefore: new Date(Date.now() + from * DAY_MS),
  notAfter: new Date(Date.now() + to * DAY_MS),
});

const createRoot = async (name: string): Promise<Authority> => {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    ...validity(-365, 3_650),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  return { certificate, keys };
};

/** Issues the certificates of a world. `root` is the PEM of the root that settings trust. */
export const createAuthority = async () => {
  x509.cryptoProvider.set(crypto);
  const [trusted, unknown] = await Promise.all([createRoot('Test Root'), createRoot('Unknown Root')]);
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  let serial = 16;
  return {
    root: trusted.certificate.toString('pem'),
    issue: async (wanted: WorldCertificate): Promise<Issued> => {
      const { names, commonName = names[0] ?? '', validFrom = -1, validTo = 60, trust } = wanted;
      const issuer = trust === 'unknown-root' ? unknown : trusted;
      serial += 1;
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serial.toString(16),
        subject: `CN=${commonName}`,
        issuer: trust === 'self-signed' ? `CN=${commonName}` : issuer.certificate.subject,
        ...validity(validFrom, validTo),
        signingAlgorithm: algorithm,
        publicKey: keys.publicKey,
        signingKey: trust === 'self-signed' ? keys.privateKey : issuer.keys.privateKey,
        extensions: [
          ...(names.length === 0
            ? []
            : [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))]),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        ],
      });
      return { key, cert: certificate.toString('pem') };
    },
  };
};
