import type { ApiRequest } from '../client/exchange.ts';
import { shareOf, type Way, wayOf } from './accept.ts';

/** What requests say of the media types they take, those that breach a requirement and those that meet it: it may be what makes the difference. */
export interface Ways {
  breached(requirement: string, rule: string, request: ApiRequest): void;
  passed(requirement: string, request: ApiRequest): void;
  /**
   * The way in which all were sent that breached the requirement as this one did, and none for its operation that met it; null: there is
   * none, or they are so few that it may be by chance.
   */
  only(requirement: string, rule: string, request: ApiRequest): Way | null;
}

/** The same request again says the same of what it takes: it is no further evidence. */
interface Sample {
  readonly ways: Set<Way | null>;
  readonly requests: Set<string>;
}

/** What comes about by chance less often is taken to have a reason. */
const rare = 0.001;

/** What requests are compared with: a request without a valid key is answered before anything else of it is looked at. */
export const placeOf = (requirement: string, { operation, credential }: ApiRequest): string =>
  `${requirement} | ${operation} | ${credential.charges === null ? 'no key' : 'a key'}`;

/** Of no requests at first. */
export const createWays = (): Ways => {
  const samples = new Map<string, Sample>();
  const sampleOf = (kind: string): Sample => {
    const known = samples.get(kind) ?? { ways: new Set(), requests: new Set() };
    samples.set(kind, known);
    return known;
  };
  const add = ({ ways, requests }: Sample, request: ApiRequest): void => {
    ways.add(wayOf(request));
    requests.add(`${request.path}?${request.query} ${request.body}`);
  };
  const breaching = (requirement: string, rule: string, request: ApiRequest): Sample =>
    sampleOf(`${placeOf(requirement, request)} | ${rule}`);
  const passing = (requirement: string, request: ApiRequest): Sample =>
    sampleOf(placeOf(requirement, request));
  return {
    breached: (requirement, rule, request) => add(breaching(requirement, rule, request), request),
    passed: (requirement, request) => add(passing(requirement, request), request),
    only: (requirement, rule, request) => {
      const met = breaching(requirement, rule, request);
      const passed = passing(requirement, request);
      const [way = null, ...others] = met.ways;
      if (way === null || others.length > 0 || passed.requests.size === 0 || passed.ways.has(way))
        return null;
      const share = shareOf(way);
      const chance = share ** (met.requests.size - 1) * (1 - share) ** passed.requests.size;
      return chance < rare ? way : null;
    },
  };
};
