import type { PageExchange } from '../../finding/domain-evidence.ts';
import { createHttpTransport } from '../../http/transport.ts';
import { systemClock } from '../../time/clock.ts';
import { atMost } from '../../util/at-most.ts';
import type { NetworkSettings } from '../settings.ts';
import { askServer } from './dns-query.ts';
import { shakeHands, trustedRoots } from './handshake.ts';
import type { Network, PageRequest } from './network.ts';

/** Sockets that are open at the same time, of each kind. */
const MOST_QUERIES = 100;
const MOST_CONNECTIONS = 30;
/** The part of a body that is compared. */
const BODY_BYTES = 1_048_576;

/** The network of this machine. */
export const createSocketNetwork = (settings: NetworkSettings): Network => {
  const { timeoutMs, httpsPort: port } = settings;
  const queries = atMost(MOST_QUERIES);
  const connections = atMost(MOST_CONNECTIONS);
  const roots = trustedRoots(settings.ca);
  return {
    ask: (query) => queries(() => askServer(query, timeoutMs)),
    handshake: (address, serverName) =>
      connections(() => shakeHands(address, serverName, { port, roots, timeoutMs })),
    get: (request) => connections(() => getPage(request, settings)),
  };
};

const getPage = async ({ address, url }: PageRequest, settings: NetworkSettings): Promise<PageExchange> => {
  const { timeoutMs, httpPort, httpsPort } = settings;
  const port = url.startsWith('https:') ? httpsPort : httpPort;
  const transport = createHttpTransport({ concurrency: 1, clock: systemClock, connectTo: { address, port } });
  const headers = [
    ['User-Agent', 'animal-store-conformance'],
    ['Accept', '*/*'],
  ] as const;
  // A path of the settings may have any characters.
  const request = { method: 'GET', url: new URL(url).href, headers, body: null };
  try {
    const result = await transport.send(request, { timeoutMs, maxBodyBytes: BODY_BYTES });
    return result.ok
      ? { address, request, response: result.response, failure: null }
      : { address, request, response: null, failure: result.failure };
  } finally {
    await transport.close();
  }
};
