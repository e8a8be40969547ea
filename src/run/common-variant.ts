import { type RequestVariant, shareOf, variantOf } from '../check/header-variants.ts';
import type { ApiRequest } from '../http/exchange.ts';

/** What comes about by chance less often is taken to have a reason. */
const rare = 0.001;

/** The same request again says the same of the media types it takes: it is no further evidence. */
const different = (requests: readonly ApiRequest[]): number =>
  new Set(requests.map(({ path, query, body }) => `${path}?${query} ${body}`)).size;

/**
 * The way to say which media types are taken in which all of these requests were sent that breached a requirement, and none that met
 * it; null: there is none, or they are so few that it may be by chance.
 */
export const commonVariant = (
  breaching: readonly ApiRequest[],
  passing: readonly ApiRequest[],
): RequestVariant | null => {
  const [way = null, ...others] = new Set(breaching.map(variantOf));
  if (way === null || others.length > 0 || passing.length === 0) return null;
  if (passing.some((request) => variantOf(request) === way)) return null;
  const share = shareOf(way);
  const chance = share ** (different(breaching) - 1) * (1 - share) ** different(passing);
  return chance < rare ? way : null;
};
