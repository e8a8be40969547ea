import type {
  Certificate,
  DnsExchange,
  Handshake,
  Network,
  PageExchange,
} from '../../domains/network/network.ts';
import type { DomainsContext } from '../../domains/test-domains.ts';
import { hosts, type World, type WorldCertificate, type WorldPage } from './world.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 60;

/** The network of a world, without sockets. */
const worldNetwork = (world: World): Network => ({
  ask: async (query): Promise<DnsExchange> => {
    const { server, name, type } = query;
    const answer = world.answer({ server: server.address, name, type });
    return typeof answer === 'string'
      ? { ...query, transport: 'udp', response: null, failure: answer }
      : { ...query, transport: 'udp', response: answer, failure: null };
  },
  handshake: async (address, serverName): Promise<Handshake> => {
    const shown = world.certificate(address, serverName);
    return typeof shown === 'string'
      ? { address, certificate: null, failure: { kind: shown, code: shown.toUpperCase() } }
      : { address, certificate: certificateOf(shown, world.now), failure: null };
  },
  get: async ({ address, url }): Promise<PageExchange> => {
    const page = world.page(address, new URL(url));
    const request = { method: 'GET', url, headers: [], body: null };
    if (typeof page !== 'string') return { address, request, response: responseOf(page), failure: null };
    const kind = page === 'closed' ? 'reset' : page;
    const detail =
      page === 'timeout'
        ? ({ code: 'no-response', withinMs: 1 } as const)
        : ({ code: 'closed', bodyBytes: null } as const);
    return { address, request, response: null, failure: { kind, detail, reused: false } };
  },
});

/** What a test of a world works with, without sockets. */
export const worldContext = (world: World, unusedLabel = '20261128'): DomainsContext => ({
  network: worldNetwork(world),
  resolvers: [{ address: hosts.resolver, port: world.settings.network.dnsPort }],
  now: () => world.now,
  unusedLabel,
});

const codes = {
  'self-signed': 'DEPTH_ZERO_SELF_SIGNED_CERT',
  'unknown-root': 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
} as const;

const certificateOf = (shown: WorldCertificate, now: number): Certificate => {
  const { names, commonName = names[0] ?? '', validFrom = -1, validTo = USUAL_DAYS, trust } = shown;
  const issuer = trust === 'self-signed' ? `CN=${commonName}` : `CN=${trust ?? 'Test Root'}`;
  return {
    subject: `CN=${commonName}`,
    issuer,
    subjectAltName: names,
    validFrom: now + validFrom * DAY_MS,
    validTo: now + validTo * DAY_MS,
    chain: [...new Set([`CN=${commonName}`, issuer])],
    fingerprint: JSON.stringify(shown),
    error: trust === undefined ? null : codes[trust],
  };
};

const responseOf = ({ status, location, body = '' }: WorldPage) => ({
  status,
  headers: location === undefined ? [] : [['Location', location] as const],
  body: Buffer.from(body),
});
