import type { KeySlot } from '../../http/exchange.ts';
import type { PaceSlot } from '../../http/pacing-types.ts';
import { keys, othersUse } from '../words/keys.ts';
import type { WithStatus } from './derive.ts';

export interface OfKey {
  readonly key: PaceSlot;
  /** The only operation that is affected. Absent if all are. */
  readonly operation?: string;
}

/** The limit of a key, and until when it is used up. */
export interface UsedUp extends OfKey {
  readonly until: string;
  /** The limit, if it is that of a day. */
  readonly perDay?: number;
}

export const usedUpText = ({ key, until, operation, perDay }: UsedUp): string =>
  `the limit of ${operation ?? keys[key]} is used up until ${until}${perDay === undefined ? '' : ` (${perDay} requests a day)`}`;

/** What the rate limit, or what is known of it, left unclear. */
export const rateLimits = {
  'unknown-plan plan': 'Unknown plan: set --plan',
  'unknown-plan daily-limit': 'Unknown daily limit: set --rate-limit-plan',
  'unknown-plan minute-limit': ({ shown }: { readonly shown: number }): string =>
    `The headers show a limit of ${shown} that resets in more than a minute, and the per-minute limit is unknown: set --rate-limit-plan`,
  'unknown-rate-limit headers': 'The rate-limit headers cannot be read',
  'unknown-rate-limit headers-and-plan': 'The rate-limit headers cannot be read: set --rate-limit-plan',
  'unknown-rate-limit date': 'Without a Date, the time until X-RateLimit-Reset is unknown',
  'shared-key others': ({ key }: { readonly key: KeySlot }): string => othersUse(key),
  'shared-key counted-together': 'Both keys are counted together: it is unknown whose limit applies',
  'rate-limit refused-repeatedly': 'Got 429 repeatedly',
  'rate-limit second-key': 'The other key gets no success, or has no requests left',
  'rate-limit perhaps-banned': 'the key may be banned',
  'rate-limit status': ({ status }: WithStatus): string => `The rate-limit key got ${status}`,
  'rate-limit used-up': usedUpText,
  'rate-limit banned': ({ key, waits, operation }: OfKey & { readonly waits: number | null }): string =>
    `${operation ?? keys[key]} cannot be used further: ${waits === null ? 'it is refused with 401 or 403 ever since a 429' : `it was refused with 429 again after each of ${waits} waits`}: it seems to be banned`,
  'rate-limit others': ({ key }: { readonly key: KeySlot }): string => othersUse(key),
  'rate-limit repeated': ({ times }: { readonly times: number }): string =>
    `the server returned 429 ${times} times in a row`,
  'limit-too-high': ({ most, limit }: { readonly most: number; readonly limit: number | null }): string =>
    limit === null
      ? `A limit above ${most} requests is not used up`
      : `A limit of ${limit} is not used up (over ${most} requests)`,
  'limit-not-reached no-429': 'Got no 429',
  'limit-not-reached new-day': 'A new day may have begun meanwhile',
  'limit-not-reached refills-faster': 'The limit refills faster than the server responds',
  'limit-not-reached early-429': 'A request got 429 while requests remained',
  'limit-not-reached early-429-of-key': 'The rate-limit key got 429 while requests remained',
  'limit-not-reached remaining-above-0':
    'Remaining does not reach 0: the limit refills as fast as requests are sent',
  'limit-not-reached status': ({ status }: WithStatus): string => `A request got ${status}`,
  'limit-not-reached status-of-day': ({
    status,
    served,
  }: {
    readonly status: number;
    readonly served: number;
  }): string => `Got ${status} after ${served} requests`,
  'counting-unclear no-request-counts':
    'No request without side effects lowers X-RateLimit-Remaining, so it is unknown which ones count',
  'counting-unclear which-count': 'X-RateLimit-Remaining does not show which requests count',
  'counting-unclear several-each': 'Each request counts more than once, so it is unknown how many remain',
  'counting-unclear headers': 'Not every response has readable rate-limit headers',
  'counting-unclear several-limits': 'The responses show more than one limit',
  'counting-unclear reset-changes': 'X-RateLimit-Reset changes with each response',
  'counting-unclear refills': 'The limit refills as fast as requests are sent',
  'counting-unclear status': ({
    request,
    status,
  }: {
    readonly request: string;
    readonly status: number;
  }): string => `${request} returned ${status}, which need not count towards the limit`,
  'other-limit plan': 'the other limit of the plan may explain the 429',
  'other-limit minute-first': 'The per-minute limit was hit repeatedly before the daily limit',
  'other-limit day-of-second-key': 'The other key hit its daily limit',
};
