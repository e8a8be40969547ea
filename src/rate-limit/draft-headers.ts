import { type Header, headerValues } from '../http/exchange.ts';
import { type BareItem, type FieldMember, parseMembers } from './structured-fields.ts';

/** A limit in the headers of the drafts of the IETF (draft-ietf-httpapi-ratelimit-headers), as written. Absent numbers are null. */
export interface DraftLimit {
  readonly limit: number | null;
  readonly remaining: number;
  /** Seconds until the reset; drafts before the sixth were also implemented with a timestamp. */
  readonly reset: number | null;
}

const textOf = (headers: readonly Header[], name: string): string => headerValues(headers, name).join(', ');

const numberOf = (value: BareItem | undefined): number | null =>
  typeof value === 'number' && value >= 0 ? value : null;

const limitOf = (itemNamed: (name: keyof DraftLimit) => BareItem | undefined): DraftLimit | null => {
  const remaining = numberOf(itemNamed('remaining'));
  if (remaining === null) return null;
  return { limit: numberOf(itemNamed('limit')), remaining, reset: numberOf(itemNamed('reset')) };
};

/** Drafts 3 to 5: the first members of `RateLimit-Limit`, `RateLimit-Remaining`, and `RateLimit-Reset`. */
const inSeparateHeaders = (headers: readonly Header[]): DraftLimit | null =>
  limitOf((name) => parseMembers(textOf(headers, `ratelimit-${name}`))?.[0]?.value);

/** Drafts 6 and 7: `RateLimit: limit=100, remaining=50, reset=50`. */
const inDictionary = (members: readonly FieldMember[]): DraftLimit | null =>
  limitOf((name) => members.find(({ key }) => key === name)?.value);

/** A quota may count other things than requests. */
const countsRequests = (policy: FieldMember | undefined): boolean =>
  (policy?.parameters.get('qu') ?? 'requests') === 'requests';

/** Drafts 8 to 10: `RateLimit: "default";r=50;t=30`, with quotas and windows in `RateLimit-Policy: "default";q=100;w=60`. */
const inList = (members: readonly FieldMember[], policies: readonly FieldMember[]): DraftLimit | null => {
  const limits = members.flatMap(({ key, value, parameters }): DraftLimit[] => {
    const policy = policies.find((each) => each.value === value);
    const remaining = numberOf(parameters.get('r'));
    if (key !== null || remaining === null || !countsRequests(policy)) return [];
    const reset = numberOf(parameters.get('t')) ?? numberOf(policy?.parameters.get('w'));
    return [{ limit: numberOf(policy?.parameters.get('q')), remaining, reset }];
  });
  // The quota with the fewest remaining requests. If several have as few, the last to reset.
  const [first = null] = limits.toSorted(
    (a, b) => a.remaining - b.remaining || (b.reset ?? 0) - (a.reset ?? 0),
  );
  return first;
};

/** Returns the limit in the headers of the drafts, or null if they do not give the number of remaining requests. */
export const readDraftLimit = (headers: readonly Header[]): DraftLimit | null => {
  const text = textOf(headers, 'ratelimit');
  if (text === '') return inSeparateHeaders(headers);
  const members = parseMembers(text) ?? [];
  const policies = parseMembers(textOf(headers, 'ratelimit-policy')) ?? [];
  return inDictionary(members) ?? inList(members, policies);
};
