import { getServers } from 'node:dns';
import type { DnsExchange, QueryType } from '../../finding/domain-evidence.ts';
import { memoizedByValue } from '../../util/memoize.ts';
import type { Network } from '../network/network.ts';
import { endpointOf } from '../read-values.ts';
import type { Endpoint, NetworkSettings } from '../settings.ts';
import { isAnswered, recordsAlong } from './responses.ts';

/** Asks the resolver. */
export interface Resolver {
  /** A response may be an earlier one. */
  ask(name: string, type: QueryType): Promise<DnsExchange>;
  /** Asks again, although it was asked before. */
  askAgain(name: string, type: QueryType): Promise<DnsExchange>;
}

/** Addresses that are used of one name and type: a server may send thousands. */
const MOST_ADDRESSES = 16;

/** Where the C library looks if nothing is configured. */
const localResolver: Endpoint = { address: '127.0.0.1', port: 53 };

/** The resolvers in the settings, or those of the system. */
export const resolversOf = ({ resolvers }: NetworkSettings): readonly [Endpoint, ...Endpoint[]] => {
  const known = resolvers.length > 0 ? resolvers : getServers().flatMap((server) => endpointOf(server) ?? []);
  const [first = localResolver, ...others] = known;
  return [first, ...others];
};

/** Creates a resolver that asks the next server if one gives no answer. */
export const createResolver = (
  network: Network,
  [first, ...others]: readonly [Endpoint, ...Endpoint[]],
): Resolver => {
  const askOne = (endpoint: Endpoint, name: string, type: QueryType): Promise<DnsExchange> =>
    network.ask({ server: { ...endpoint, name: 'resolver', recursion: true }, name, type });
  const askAgain = async (name: string, type: QueryType): Promise<DnsExchange> => {
    let exchange = await askOne(first, name, type);
    for (const endpoint of others) {
      if (isAnswered(exchange)) break;
      const next = await askOne(endpoint, name, type);
      if (exchange.response === null || isAnswered(next)) exchange = next;
    }
    return exchange;
  };
  const remembered = memoizedByValue((name: string) =>
    memoizedByValue((type: QueryType) => askAgain(name, type)),
  );
  return { askAgain, ask: (name, type) => remembered(name)(type) };
};

/** The addresses of a name, IPv4 first, with the exchanges that give them. */
export const addressesOf = async (
  resolver: Resolver,
  name: string,
): Promise<{ readonly exchanges: readonly DnsExchange[]; readonly addresses: readonly string[] }> => {
  const exchanges = await Promise.all([resolver.ask(name, 'A'), resolver.ask(name, 'AAAA')]);
  return { exchanges, addresses: addressesIn(exchanges, name) };
};

/** The addresses of a name in responses about it, a few of each family. */
export const addressesIn = (exchanges: readonly DnsExchange[], name: string): readonly string[] => {
  const found = exchanges.flatMap(({ type, response }) =>
    recordsAlong(response?.answers ?? [], name, type)
      .slice(0, MOST_ADDRESSES)
      .map(({ value }) => value),
  );
  return [...new Set(found)];
};
