import { writeFileSync } from 'node:fs';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { key, startRun } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { openServer, serveOnSocket, testReference } from '../support/servers.ts';
import { type Identity, makeIdentity } from './certificates.ts';

/** Runs against the server; `trusted` is a certificate that the command trusts. */
const judge = async (server: Server, trusted: string | null, args: readonly string[] = []) => {
  const address = await openServer(server);
  const file = join(folder, `trusted-${address}.pem`);
  if (trusted !== null) writeFileSync(file, trusted);
  return startRun(
    ['--base-url', `https://${address}/v1`, '--api-key', key, '--timeout', '3000', ...args],
    trusted === null ? {} : { NODE_EXTRA_CA_CERTS: file },
  ).ended;
};

const root = await makeIdentity({ name: 'root', isAuthority: true });
const intermediate = await makeIdentity({ name: 'intermediate', isAuthority: true, issuer: root });
const trustedServer = await makeIdentity({ name: 'server', issuer: root });
const selfSigned = await makeIdentity({ name: 'self-signed' });
const lastYear = new Date(Date.now() - 365 * 24 * 60 * 60 * 1000);

const withTls = ({ privateKey, certificate }: Identity, options: ServerOptions = {}): Server =>
  createHttpsServer({ key: privateKey, cert: certificate, ...options }, (_, response) => {
    response.setHeader('Content-Type', 'application/json').end('[]');
  });

/** Accepts only clients with a certificate of the authority. */
const askingForCertificate = (version: SecureVersion): Server =>
  withTls(trustedServer, {
    ...{ requestCert: true, rejectUnauthorized: true, ca: root.certificate },
    ...{ minVersion: version, maxVersion: version },
  });

/** The record of a fatal alert, internal_error (RFC 8446 section 6). */
const alert = Buffer.from([21, 3, 3, 0, 2, 2, 80]);

/** Sends an alert within the body of every tenth response. */
const alerting = (): Server => {
  const beneath = new Map<number | undefined, Socket>();
  let count = 0;
  const https = createHttpsServer(
    { key: selfSigned.privateKey, cert: selfSigned.certificate },
    ({ socket }, response) => {
      count += 1;
      response.setHeader('Content-Type', 'application/json');
      if (count % 10 > 0) response.end('[]');
      else response.write('[{"id"', () => beneath.get(socket.remotePort)?.end(alert));
    },
  );
  return createTcpServer((socket) => {
    beneath.set(
      socket.remotePort,
      socket.on('error', () => undefined),
    );
    https.emit('connection', socket);
  });
};

describe.concurrent('a connection that is never made -> exit 3, and one line that says why', () => {
  const made = (identity: Parameters<typeof makeIdentity>[0]) => async () =>
    withTls(await makeIdentity(identity));
  test.each<[name: string, server: () => Server | Promise<Server>, trusted: string | null, line: RegExp]>([
    [
      'a certificate that it signed itself',
      () => withTls(selfSigned),
      null,
      /self-signed .*NODE_EXTRA_CA_CERTS/,
    ],
    [
      'an unknown authority',
      () =>
        withTls(trustedServer, {
          cert: [trustedServer, root].map(({ certificate }) => certificate).join('\n'),
        }),
      null,
      /authority that is not trusted .*NODE_EXTRA_CA_CERTS/,
    ],
    [
      'a missing intermediate certificate',
      made({ name: 'leaf', issuer: intermediate }),
      root.certificate,
      /intermediate certificate may be missing .*whole chain/,
    ],
    [
      'an expired certificate',
      made({ name: 'old', issuer: root, validUntil: lastYear }),
      root.certificate,
      /has expired \(CERT_HAS_EXPIRED\)/,
    ],
    [
      'a certificate of another host',
      made({ name: 'other', issuer: root, host: 'other.example' }),
      root.certificate,
      /another host name \(.*--base-url/,
    ],
    [
      'a required client certificate, TLS 1.2',
      () => askingForCertificate('TLSv1.2'),
      root.certificate,
      /--client-cert FILE and --client-key FILE/,
    ],
    [
      'a required client certificate, TLS 1.3',
      () => askingForCertificate('TLSv1.3'),
      root.certificate,
      /requires a client certificate .*--client-cert FILE/,
    ],
    ['a handshake that hangs', () => createTcpServer(), null, /no connection within 3000 ms/],
  ])('%s', async (_, server, trusted, line) => {
    const { code, out, err, report } = await judge(await server(), trusted);
    expect({ code, err }).toEqual({ code: 3, err: '' });
    expect(report?.ended).toMatch(line);
    expect(out).toMatch(line);
    expect(report?.verdict).toBe('not-judged');
  });
});

test('a TLS alert within a body -> GEN-4 fails', async () => {
  const { code, report } = await judge(alerting(), selfSigned.certificate, ['--runs', '1', '--budget', '40']);
  expect(code).toBe(1);
  expect(report?.requirements.find(({ id }) => id === 'GEN-4')?.verdict).toBe('failed');
  expect(report?.requirements.filter(({ verdict }) => verdict === 'error')).toEqual([]);
});

test('an IPv6 address as base URL -> conformant', async () => {
  const reference = testReference({ keys: [{ key, plan: 'business' }] });
  const { baseUrl } = await serveOnSocket(reference, { host: '::1' });
  expect(baseUrl).toContain('[::1]');
  const { ended } = startRun(['--base-url', baseUrl, '--api-key', key, '--budget', '100']);
  expect(await ended).toMatchObject({ code: 0, report: { verdict: 'conformant' } });
});

describe.concurrent('a client certificate', () => {
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const given = async (name: string) => {
    const client = await makeIdentity({ name, issuer: root });
    return [
      '--client-cert',
      write(`${name}.pem`, client.certificate),
      '--client-key',
      write(`${name}.key`, client.privateKey),
    ];
  };
  test.each<SecureVersion>(['TLSv1.2', 'TLSv1.3'])('given, %s -> the server is tested', async (version) => {
    const files = await given(version);
    const { code, report } = await judge(askingForCertificate(version), root.certificate, [
      ...files,
      '--budget',
      '20',
    ]);
    expect(code).toBe(1);
    expect(report?.traffic.byStatus).toEqual({ 200: 20 });
  });
  test('without its key, or with the key of another -> exit 2, nothing sent', async () => {
    const [flag = '', file = '', keyFlag = ''] = await given('one');
    const alone = await judge(withTls(selfSigned), null, [flag, file]);
    expect(alone).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: --client-cert also needs --client-key/),
    });
    const [, , , otherKey = ''] = await given('another');
    const mixed = await judge(withTls(selfSigned), null, [flag, file, keyFlag, otherKey]);
    expect(mixed).toMatchObject({
      code: 2,
      err: expect.stringContaining('not a PEM certificate and its unencrypted private key'),
    });
    const missing = await judge(withTls(selfSigned), null, [flag, 'none.pem', keyFlag, otherKey]);
    expect(missing).toMatchObject({
      code: 2,
      err: expect.stringContaining('--client-cert none.pem: there is no such file'),
    });
  });
});
