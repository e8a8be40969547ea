import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { DecodedPacket } from 'dns-packet';
import type { DomainsSettings } from '../../src/domains/settings.ts';
import { hosts, type World } from '../../src/reference/domains/world.ts';
import { createAuthority } from './certificates.ts';
import { type Respond, responseBytes, startDns } from './dns-server.ts';

/** Larger responses go over TCP. */
const UDP_BYTES = 512;

const respondAs =
  (server: string, world: World): Respond =>
  (query: DecodedPacket, transport) => {
    const [question] = query.questions ?? [];
    if (question === undefined) return [];
    const answer = world.answer({ server, name: question.name.toLowerCase(), type: question.type });
    if (answer === 'malformed')
      return [Buffer.from([query.id ?? 0, query.id ?? 0].flatMap((id) => [id >> 8, id & 255]))];
    if (typeof answer === 'string') return [];
    const bytes = responseBytes(query, answer);
    return [transport === 'udp' && bytes.length > UDP_BYTES ? responseBytes(query, answer, true) : bytes];
  };

const handle =
  (address: string, world: World, scheme: string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const page = world.page(address, new URL(request.url ?? '/', `${scheme}://${request.headers.host}`));
    if (page === 'timeout') return;
    if (typeof page === 'string') return void request.socket.destroy();
    const location = page.location === undefined ? {} : { Location: page.location };
    response.writeHead(page.status, { 'Content-Type': 'text/html', ...location }).end(page.body ?? '');
  };

type Listener = {
  listen(port: number, host: string, done: () => void): unknown;
  once(event: 'error', done: (error: Error) => void): unknown;
  address(): unknown;
  close(): unknown;
  closeAllConnections(): void;
};

const listen = async (server: Listener, port: number, address: string) => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

interface Started {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts one server at each address, all on the same port. */
const startAll = async (
  addresses: readonly string[],
  start: (address: string, port: number) => Promise<Started>,
): Promise<Started> => {
  for (let attempt = 0; ; attempt += 1) {
    const started: Started[] = [];
    const close = async () => void (await Promise.all(started.map((each) => each.close())));
    try {
      for (const address of addresses) started.push(await start(address, started[0]?.port ?? 0));
      return { port: started[0]?.port ?? 0, close };
    } catch (error) {
      await close();
      if (attempt === 20) throw error;
    }
  }
};

const startHttps = async (
  address: string,
  port: number,
  world: World,
  authority: Awaited<ReturnType<typeof createAuthority>>,
) => {
  const contexts = new Map<string, ReturnType<typeof createSecureContext>>();
  const contextOf = async (name: string) => {
    const wanted = world.certificate(address, name);
    if (typeof wanted === 'string') return wanted;
    const key = JSON.stringify(wanted);
    const context = contexts.get(key) ?? createSecureContext(await authority.issue(wanted));
    contexts.set(key, context);
    return context;
  };
  const server = createHttps(
    {
      SNICallback: (name, done) => {
        void contextOf(name).then((context) => {
          if (context === 'timeout') return;
          if (typeof context === 'string') done(new Error(context));
          else done(null, context);
        });
      },
    },
    handle(address, world, 'https'),
  );
  server.on('tlsClientError', () => undefined);
  return listen(server, port, address);
};

const nameServers = [hosts.ns1, hosts.ns2, hosts.parent];

/** Starts real servers for a world on loopback. The settings say how to reach them. `dnsPort`: other name servers listen there. */
export const serveWorld = async (world: World, dnsPort: number | null = null) => {
  const authority = await createAuthority();
  const names = [hosts.resolver, ...(dnsPort === null ? nameServers : [])];
  const dns = await startAll(names, (address, port) => startDns(address, port, respondAs(address, world)));
  const sites = [hosts.platform, hosts.otherPlatform, hosts.elsewhere];
  const http = await startAll(sites, (address, port) =>
    listen(createHttp(handle(address, world, 'http')), port, address),
  );
  const https = await startAll(sites, (address, port) => startHttps(address, port, world, authority));
  const settings: DomainsSettings = {
    ...world.settings,
    network: {
      resolvers: [{ address: hosts.resolver, port: dns.port }],
      ...{ dnsPort: dnsPort ?? dns.port, httpPort: http.port, httpsPort: https.port },
      ca: [authority.root],
      timeoutMs: 1_000,
    },
  };
  return {
    settings,
    close: async () => void (await Promise.all([dns, http, https].map((each) => each.close()))),
  };
};
