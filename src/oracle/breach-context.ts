import type { Exchange } from '../http/exchange.ts';
import type { About, Breach } from './finding.ts';
import { idInPath } from './pet.ts';
import type { Probe } from './probe.ts';

/** A request as it was meant, and what came of it. */
export interface Sent {
  readonly probe: Probe;
  readonly exchange: Exchange;
}

/** What is known of the animals that a breach is of. */
export interface RequestSources {
  creationsOf(id: bigint): readonly Exchange[];
}

/** More than this tells a reader no more. */
const mostEarlier = 3;

/** A breach with what it follows from, and what it is about. */
export const placed = (
  breach: Breach,
  sent: readonly Sent[],
  origins: RequestSources,
  probe = sent.find(({ exchange }) => exchange === breach.exchange)?.probe,
): Breach => {
  const { exchange, origin = [] } = breach;
  const id = idInPath(exchange.request.path);
  const made = origin.length > 0 || id === null ? origin : origins.creationsOf(id);
  const earlier = answeredBefore(sent, exchange);
  const otherwise = earlier
    .filter(({ wire }) => wire.url === exchange.wire.url && wire.body === null)
    .slice(-1);
  const before = made.length > 0 ? [...made, ...otherwise] : earlier.slice(-mostEarlier);
  return {
    ...breach,
    ...(probe === undefined ? {} : { probe, about: breach.about ?? aboutRequest(probe, origins) }),
    before: [...new Set(before)].filter((each) => each !== exchange).sort((a, b) => a.id - b.id),
  };
};

/** The same question with the same response. */
const isRepeated = (earlier: Exchange, { wire, response }: Exchange): boolean =>
  wire.body === null &&
  earlier.wire.url === wire.url &&
  earlier.wire.method === wire.method &&
  earlier.response?.status === response?.status;

/** What was answered before this exchange, of what was sent for the same case; the same request again tells nothing. */
const answeredBefore = (sent: readonly Sent[], exchange: Exchange): readonly Exchange[] => {
  const place = sent.findIndex((each) => each.exchange === exchange);
  return sent
    .slice(0, place < 0 ? sent.length : place)
    .map((each) => each.exchange)
    .filter((earlier) => !isRepeated(earlier, exchange));
};

/** The request of a breach or a pass, with the creation of the animal that it asks for. */
export const aboutRequest = (probe: Probe, { creationsOf }: RequestSources): About => {
  const id = idInPath(probe.request.path);
  const [createdBy] = id === null ? [] : creationsOf(id);
  return { kind: 'request', probe, ...(createdBy === undefined ? {} : { createdBy }) };
};
