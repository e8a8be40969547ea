import type { Header } from '../http/exchange.ts';
import { type BareItem, type FieldMember, parseMembers } from './structured-fields.ts';

/** A limit in the headers of the drafts of the IETF (draft-ietf-httpapi-ratelimit-headers), as written. Null: not given. */
export interface DraftLimit {
  readonly limit: number | null;
  readonly remaining: number;
  /** Seconds until the reset; drafts before the sixth were also implemented with a timestamp. */
  readonly reset: number | null;
}

const linesOf = (headers: readonly Header[], name: string): string =>
  headers
    .filter(([each]) => each.toLowerCase() === name)
    .map(([, value]) => value.trim())
    .join(', ');

const numberOf = (value: BareItem | undefined): number | null =>
  typeof value === 'number' && value >= 0 ? value : null;

/** Drafts 3 to 5: `RateLimit-Limit`, `RateLimit-Remaining`, and `RateLimit-Reset`, of which the first member counts. */
const inSeparateHeaders = (headers: readonly Header[]): DraftLimit | null => {
  const [limit = null, remaining = null, reset = null] = ['limit', 'remaining', 'reset'].map((name) =>
    numberOf(parseMembers(linesOf(headers, `ratelimit-${name}`))?.[0]?.value),
  );
  return remaining === null ? null : { limit, remaining, reset };
};

/** Drafts 6 and 7: `RateLimit: limit=100, remaining=50, reset=50`. */
const inDictionary = (members: readonly FieldMember[]): DraftLimit | null => {
  const [limit = null, remaining = null, reset = null] = ['limit', 'remaining', 'reset'].map((name) =>
    numberOf(members.find(({ key }) => key === name)?.value),
  );
  return remaining === null ? null : { limit, remaining, reset };
};

/** A quota may count other things than requests. */
const countsRequests = (policy: FieldMember | undefined): boolean =>
  ['requests', undefined].some((unit) => policy?.parameters.get('qu') === unit);

/** Drafts 8 to 10: `RateLimit: "default";r=50;t=30`, with quotas and windows in `RateLimit-Policy: "default";q=100;w=60`. */
const inList = (members: readonly FieldMember[], policies: readonly FieldMember[]): DraftLimit | null => {
  const limits = members.flatMap(({ key, value, parameters }): DraftLimit[] => {
    const policy = policies.find((each) => each.value === value);
    const remaining = numberOf(parameters.get('r'));
    if (key !== null || remaining === null || !countsRequests(policy)) return [];
    const reset = numberOf(parameters.get('t')) ?? numberOf(policy?.parameters.get('w'));
    return [{ limit: numberOf(policy?.parameters.get('q')), remaining, reset }];
  });
  // The quota that is used up first, and of several the one that stays so for longest.
  const [first = null] = limits.toSorted(
    (a, b) => a.remaining - b.remaining || (b.reset ?? 0) - (a.reset ?? 0),
  );
  return first;
};

/** Returns the limit in the headers of the drafts; null: there is none, or no number of requests that remain. */
export const readDraftLimit = (headers: readonly Header[]): DraftLimit | null => {
  const text = linesOf(headers, 'ratelimit');
  if (text === '') return inSeparateHeaders(headers);
  const members = parseMembers(text) ?? [];
  const policies = parseMembers(linesOf(headers, 'ratelimit-policy')) ?? [];
  return inDictionary(members) ?? inList(members, policies);
};
