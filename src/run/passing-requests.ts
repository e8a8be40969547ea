import { type RequestVariant, shareOf, variantOf } from '../check/header-variants.ts';
import { type Finding, isBreach } from '../finding/finding.ts';
import type { About } from '../finding/probe.ts';
import type { ApiRequest } from '../http/exchange.ts';

/** A case of one request. If it passed a requirement, it shows beside a failure how far that goes. */
export interface PassedCase {
  readonly request: ApiRequest;
  /** The status of the response. */
  readonly status: number;
  readonly findings: readonly Finding[];
  about(): About;
}

/** The cases of one request, by check. They are searched only for failures, which are few. */
export interface PassLog {
  add(check: string, passed: PassedCase): void;
  /** Cases that passed a requirement with a request that can be compared with another one. */
  passing(requirement: string, like: ApiRequest): readonly PassedCase[];
}

/** The number of cases of a check that are kept. */
const maxOfCheck = 200;

/** Requests that can be compared. A request without a valid key is rejected before anything else of it is read. */
export const scopeOf = ({ operation, credential }: ApiRequest): string =>
  `${operation} | ${credential.chargedTo === null ? 'no key' : 'a key'}`;

const hasPassed = (requirement: string, { findings }: PassedCase): boolean => {
  const own = findings.filter((finding) => finding.requirement === requirement);
  return own.some(({ kind }) => kind === 'passed') && !own.some(isBreach);
};

/** Keeps nothing: for a run without reports. */
export const noPassLog: PassLog = { add: () => {}, passing: () => [] };

/** An empty log. */
export const createPassLog = (): PassLog => {
  const byCheck = new Map<string, PassedCase[]>();
  return {
    add: (check, passed) => {
      const known = byCheck.get(check);
      if (known === undefined) byCheck.set(check, [passed]);
      else if (known.length < maxOfCheck) known.push(passed);
    },
    passing: (requirement, like) => {
      const scope = scopeOf(like);
      return [...byCheck.values()]
        .flat()
        .filter((passed) => scopeOf(passed.request) === scope && hasPassed(requirement, passed));
    },
  };
};

/** A less likely coincidence is taken to have a reason. */
const maxChance = 0.001;

/** The same request again is no further evidence on its header variant. */
const countDifferent = (requests: readonly ApiRequest[]): number =>
  new Set(requests.map(({ path, query, body }) => `${path}?${query} ${body}`)).size;

/** The header variant that all failing requests have, and no passing one; null: none, or too few requests to exclude chance. */
export const commonVariant = (
  failing: readonly ApiRequest[],
  passing: readonly ApiRequest[],
): RequestVariant | null => {
  const [variant = null, ...others] = new Set(failing.map(variantOf));
  if (variant === null || others.length > 0 || passing.length === 0) return null;
  if (passing.some((request) => variantOf(request) === variant)) return null;
  const share = shareOf(variant);
  const chance = share ** (countDifferent(failing) - 1) * (1 - share) ** countDifferent(passing);
  return chance < maxChance ? variant : null;
};
