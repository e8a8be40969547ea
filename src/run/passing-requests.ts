import { type RequestVariant, shareOf, variantOf } from '../check/header-variants.ts';
import type { ApiRequest } from '../http/exchange.ts';
import { type About, type Finding, isBreach } from '../oracle/finding.ts';

/** A case of one request: where it met a requirement, it tells beside a failure how far that goes. */
export interface Pass {
  readonly request: ApiRequest;
  /** Of the answer. */
  readonly status: number;
  readonly findings: readonly Finding[];
  about(): About;
}

/** The cases of one request, by check. Failures are few: they alone ask who met what. */
export interface PassLog {
  add(check: string, pass: Pass): void;
  /** Those that met a requirement by a request that one can be compared with. */
  meeting(requirement: string, like: ApiRequest): readonly Pass[];
}

/** So many cases of a check are kept in mind. */
const mostOfCheck = 200;

/** What requests are compared with: a request without a valid key is answered before anything else of it is looked at. */
export const placeOf = ({ operation, credential }: ApiRequest): string =>
  `${operation} | ${credential.charges === null ? 'no key' : 'a key'}`;

const hasMet = (requirement: string, { findings }: Pass): boolean => {
  const said = findings.filter((finding) => finding.requirement === requirement);
  return said.some(({ kind }) => kind === 'passed') && !said.some(isBreach);
};

/** For those who ask nothing. */
export const noPassLog: PassLog = { add: () => {}, meeting: () => [] };

/** Of no cases at first. */
export const createPassLog = (): PassLog => {
  const byCheck = new Map<string, Pass[]>();
  return {
    add: (check, pass) => {
      const known = byCheck.get(check);
      if (known === undefined) byCheck.set(check, [pass]);
      else if (known.length < mostOfCheck) known.push(pass);
    },
    meeting: (requirement, like) => {
      const place = placeOf(like);
      return [...byCheck.values()]
        .flat()
        .filter((pass) => placeOf(pass.request) === place && hasMet(requirement, pass));
    },
  };
};

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
