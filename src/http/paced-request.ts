import type { SendOptions } from './client-types.ts';
import type { ApiRequest } from './exchange.ts';
import type { PacedRequest, PaceSlot, RequestKind } from './pacing-types.ts';

/** Returns what pacing needs to know of a request. */
export const pacedRequest = (
  request: ApiRequest,
  slot: PaceSlot,
  key: string,
  { expects429 = false, duringBackoff = false, isDocumented = false }: SendOptions,
): PacedRequest => ({
  slot,
  operation: request.operation,
  kind: requestKindOf(request),
  keyPlace: keyPlaceOf(request, key),
  mayCountElsewhere: request.credential.mayCountElsewhere ?? false,
  expects429,
  duringBackoff,
  isDocumented,
});

/** The rate-limit cost of a request may depend on its operation, and on the page length of a list. */
const requestKindOf = ({ operation, method, query }: ApiRequest): RequestKind => ({
  name: `${operation} ${method} ${query}`,
  safe: method === 'GET' || method === 'HEAD',
});

/**
 * Describes where a request without a valid key has the key anyway, with the key replaced. Returns '' if the request does not have the
 * key, so that the server cannot know the caller.
 */
export const keyPlaceOf = ({ credential }: Pick<ApiRequest, 'credential'>, key: string): string => {
  if (credential.chargedTo !== null || key === '') return '';
  const { headers, query = '' } = credential.apply(key);
  const text = [query, ...headers.map(([name, value]) => `${name}: ${value}`)].join(' ');
  const place = text.replaceAll(key, '{key}').replaceAll(encodeURIComponent(key), '{key}');
  return place === text ? '' : place.trim();
};
