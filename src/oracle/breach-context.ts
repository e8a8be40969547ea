import type { Breach } from '../finding/finding.ts';
import type { About, Probe } from '../finding/probe.ts';
import type { Exchange } from '../http/exchange.ts';
import { idInPath } from './pet.ts';

/** A probe with its exchange. */
export interface Sent {
  readonly probe: Probe;
  readonly exchange: Exchange;
}

/** Finds the creations of the animals in a breach. */
export interface RequestSources {
  creationsOf(id: bigint): readonly Exchange[];
}

/** Reports need no more earlier exchanges. */
const maxEarlier = 3;

/** Adds to a breach its probe, its subject, and the exchanges that explain it. */
export const withContext = (
  breach: Breach,
  sent: readonly Sent[],
  origins: RequestSources,
  probe = sent.find(({ exchange }) => exchange === breach.exchange)?.probe,
): Breach => {
  const { exchange, origin = [] } = breach;
  const id = idInPath(exchange.request.path);
  const creations = origin.length > 0 || id === null ? origin : origins.creationsOf(id);
  const earlier = earlierExchanges(sent, exchange);
  const sameUrl = earlier
    .filter(({ wire }) => wire.url === exchange.wire.url && wire.body === null)
    .slice(-1);
  const before = creations.length > 0 ? [...creations, ...sameUrl] : earlier.slice(-maxEarlier);
  return {
    ...breach,
    ...(probe === undefined ? {} : { probe, about: breach.about ?? aboutRequest(probe, origins) }),
    before: [...new Set(before)].filter((each) => each !== exchange).sort((a, b) => a.id - b.id),
  };
};

/** Tells whether an earlier exchange had the same request and the same status. */
const isRepeated = (earlier: Exchange, { wire, response }: Exchange): boolean =>
  wire.body === null &&
  earlier.wire.url === wire.url &&
  earlier.wire.method === wire.method &&
  earlier.response?.status === response?.status;

/** Returns the earlier exchanges of the same case, without repetitions. */
const earlierExchanges = (sent: readonly Sent[], exchange: Exchange): readonly Exchange[] => {
  const place = sent.findIndex((each) => each.exchange === exchange);
  return sent
    .slice(0, place < 0 ? sent.length : place)
    .map((each) => each.exchange)
    .filter((earlier) => !isRepeated(earlier, exchange));
};

/** Returns the request of a breach or a pass, with the creation of the animal that it requests. */
export const aboutRequest = (probe: Probe, { creationsOf }: RequestSources): About => {
  const id = idInPath(probe.request.path);
  const [createdBy] = id === null ? [] : creationsOf(id);
  return { kind: 'request', probe, ...(createdBy === undefined ? {} : { createdBy }) };
};
