import { breachOf, type Finding } from '../../finding/finding.ts';
import type { KeyPlacement } from '../../finding/kinds/requests.ts';
import { type Header, headerValue } from '../../http/exchange.ts';
import { keyPlaces } from '../../http/key-locations.ts';
import { type Arrival, bearerToken } from './arrival.ts';

const placementOf = (arrival: Arrival): KeyPlacement => {
  const { headers, url } = arrival.exchange.wire;
  const authorization = headerValue(headers, 'authorization');
  if (authorization !== null) return misplacedIn(authorization.trim());
  return elsewhere(headers, url) ?? { place: 'none' };
};

/** An `Authorization` without a bearer token. A scheme is shown only if something follows it: otherwise it may be the key. */
const misplacedIn = (authorization: string): KeyPlacement => {
  const [, scheme] = /^([A-Za-z][\w-]*)\s+\S/.exec(authorization) ?? [];
  return scheme === undefined || scheme.toLowerCase() === 'bearer'
    ? { place: 'malformed' }
    : { place: 'scheme', name: scheme };
};

const elsewhere = (headers: readonly Header[], url: string): KeyPlacement | null => {
  const query = new URL(url).searchParams;
  for (const { kind: place, name } of keyPlaces) {
    if (place === 'header' && headerValue(headers, name.toLowerCase()) !== null) return { place, name };
    if (place === 'query' && query.has(name)) return { place, name };
  }
  return null;
};

/** Whether a request shows a key, in the right place or in another one. */
export const showsKey = (arrival: Arrival): boolean =>
  bearerToken(arrival) !== null || placementOf(arrival).place !== 'none';

/** CLIENT-1. `key`: the client's own; null: not known, so that any bearer token passes. */
export const bearerOnEveryRequest =
  (key: string | null) =>
  (arrival: Arrival): readonly Finding[] => {
    const token = bearerToken(arrival);
    if (token !== null && (key === null || token === key))
      return [{ kind: 'passed', requirement: 'CLIENT-1' }];
    const placement: KeyPlacement = token === null ? placementOf(arrival) : { place: 'other-key' };
    return [breachOf('CLIENT-1', { rule: 'key-not-bearer', placement }, arrival.exchange)];
  };
