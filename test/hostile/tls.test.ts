import { writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { key, startRun } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { openServer, serveOnSocket, testReference } from '../support/servers.ts';
import { certificate, expired, ofAnotherHost, privateKey } from './certificates.ts';

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

const withTls = (cert: string): Server =>
  createHttpsServer({ key: privateKey, cert }, (_, response) => {
    response.setHeader('Content-Type', 'application/json').end('[]');
  });

/** The record of a fatal alert, internal_error (RFC 8446 section 6). */
const alert = Buffer.from([21, 3, 3, 0, 2, 2, 80]);

/** Sends an alert within the body of every tenth response. */
const alerting = (): Server => {
  const beneath = new Map<number | undefined, Socket>();
  let count = 0;
  const https = createHttpsServer({ key: privateKey, cert: certificate }, ({ socket }, response) => {
    count += 1;
    response.setHeader('Content-Type', 'application/json');
    if (count % 10 > 0) response.end('[]');
    else response.write('[{"id"', () => beneath.get(socket.remotePort)?.end(alert));
  });
  return createTcpServer((socket) => {
    beneath.set(
      socket.remotePort,
      socket.on('error', () => undefined),
    );
    https.emit('connection', socket);
  });
};

describe.concurrent('a connection that is never made -> exit 3, and one line that says why', () => {
  test.each<[name: string, server: () => Server, trusted: string | null, line: RegExp]>([
    ['a certificate that it signed itself', () => withTls(certificate), null, /set NODE_EXTRA_CA_CERTS/],
    ['an expired certificate', () => withTls(expired), expired, /CERT_HAS_EXPIRED/],
    ['a certificate of another host', () => withTls(ofAnotherHost), ofAnotherHost, /ALTNAME_INVALID/],
    ['a handshake that hangs', () => createTcpServer(), null, /no connection within 3000 ms/],
  ])('%s', async (_, server, trusted, line) => {
    const { code, out, err, report } = await judge(server(), trusted);
    expect({ code, err }).toEqual({ code: 3, err: '' });
    expect(report?.ended).toMatch(line);
    expect(out).toMatch(line);
    expect(report?.verdict).toBe('not-judged');
  });
});

test('a TLS alert within a body -> GEN-4 fails', async () => {
  const { code, report } = await judge(alerting(), certificate, ['--runs', '1', '--budget', '40']);
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
