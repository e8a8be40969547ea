import { type Arrival, type Arrivals, isLimited, quietUntil, statusOf } from '../oracle/requests/arrival.ts';
import { decideBackoff } from '../oracle/requests/backoff.ts';
import { seriesIn, type WaitForm } from '../oracle/requests/waits.ts';
import type { Patch } from '../reference/patch.ts';
import { compose } from '../reference/patch-kit/core.ts';
import {
  countDown,
  dropFirst,
  limitScript,
  type Observer,
  refuseFrom,
  refuseInSeries,
  refuseMethods,
  refuseOneOfSeveral,
  slowFirst,
  unauthorizedFrom,
  waitForms,
} from './script.ts';

/** A dialect of the reference server with a script over time, in which a client is judged. */
export interface Scenario {
  /** Words with hyphens: `retry-after-date`. */
  readonly name: string;
  /** One sentence: what the server does. */
  readonly description: string;
  /** The requirements that a client can break only, or best, here. */
  readonly proves: readonly string[];
  /** The form of its `Retry-After`; absent: it has none. */
  readonly form?: WaitForm;
  /** Makes the patch of one server. */
  readonly patch: (observer: Observer) => Patch;
  /** The date of the server (RFC 3339); absent: today. */
  readonly now?: string;
  /** Played this many times at most, side by side; absent: once. The first one that shows enough ends the others. */
  readonly times?: number;
  /** Enough was seen, so that the client need not go on. Otherwise the scenario ends when the client does, or by time. */
  readonly isOver: (arrivals: Arrivals, now: number) => boolean;
}

/** Milliseconds after which a scenario ends, if the user says nothing else. */
export const scenarioMs = 30_000;

/** A client that does not end by itself is watched for so long after the event of a scenario, or for so many requests. */
const watched = { ms: 3_000, requests: 12 } as const;

/** Enough was seen after the last request of this kind, or its wait. */
const after =
  (isEvent: (arrival: Arrival) => boolean, requests: number = watched.requests) =>
  (arrivals: Arrivals, now: number): boolean => {
    const at = arrivals.findLastIndex(isEvent);
    const event = arrivals[at];
    if (event === undefined) return arrivals.length >= mostRequests;
    const since = arrivals.length - 1 - at;
    const until = Math.max(event.endedAt, quietUntil(event) ?? 0);
    return since >= requests || (since > 0 && now >= until + watched.ms) || arrivals.length >= mostRequests;
  };

/** No client shows more after so many requests. */
const mostRequests = 300;

const isAny = (arrivals: Arrivals, now: number): boolean =>
  arrivals.length >= watched.requests * 2 || now >= (arrivals[0]?.endedAt ?? now) + 2 * watched.ms;

const isBanned = (arrivals: Arrivals): boolean => arrivals.some((arrival) => arrival.isBanned);

const afterLimit = (arrivals: Arrivals, now: number): boolean =>
  isBanned(arrivals) || after(isLimited)(arrivals, now);

const seriesShown = (arrivals: Arrivals): boolean => {
  const series = seriesIn(arrivals, false);
  return series !== null && (series.end === 'served' || decideBackoff([series]).verdict === 'passed');
};

const waitMs = 2_000;

/** In the order in which they are played: the longest first. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'repeated-429',
    description: 'Six or more requests in a row get 429 with Retry-After: 1.',
    proves: ['CLIENT-3'],
    times: 3,
    patch: (observer) => compose(limitScript({ decide: refuseInSeries(), observer }), waitForms.seconds),
    isOver: seriesShown,
  },
  {
    name: 'remaining-runs-out',
    description: 'X-RateLimit-Remaining counts down to 0; further requests get 429 until X-RateLimit-Reset.',
    proves: ['CLIENT-7', 'CLIENT-2'],
    patch: (observer) => countDown(3, 4_000, observer),
    isOver: (arrivals, now) =>
      arrivals.length > 4 && after((each) => isLimited(each) || each === arrivals[2])(arrivals, now),
  },
  {
    name: 'ban',
    description:
      'The first request gets 429 with Retry-After: 3; three requests during that wait ban the key.',
    proves: ['CLIENT-4', 'CLIENT-2'],
    form: 'seconds',
    patch: (observer) =>
      compose(limitScript({ decide: refuseFrom(1, 3_000), banAfter: 3, observer }), waitForms.seconds),
    isOver: afterLimit,
  },
  {
    name: 'retry-after-seconds',
    description: 'The first request of each method gets 429 with Retry-After: 2.',
    proves: ['CLIENT-2'],
    form: 'seconds',
    patch: (observer) => compose(limitScript({ decide: refuseMethods(waitMs), observer }), waitForms.seconds),
    isOver: afterLimit,
  },
  {
    name: 'retry-after-date',
    description: 'The first request gets 429; Retry-After is an HTTP-date, 2 to 3 s ahead.',
    proves: ['CLIENT-2'],
    form: 'date',
    patch: (observer) => compose(limitScript({ decide: refuseFrom(1, waitMs), observer }), waitForms.date),
    isOver: afterLimit,
  },
  {
    name: 'no-retry-after',
    description: 'Requests get 429 without Retry-After for 1.5 s; fifteen tries in that time ban the key.',
    proves: ['CLIENT-4'],
    patch: (observer) =>
      compose(limitScript({ decide: refuseFrom(1, 1_500), banAfter: 15, observer }), waitForms.none),
    isOver: afterLimit,
  },
  {
    name: 'minute-limit',
    description:
      'Two requests succeed; then requests get 429 with Retry-After: 2, as if others used the key too.',
    proves: ['CLIENT-2'],
    form: 'seconds',
    patch: (observer) => compose(limitScript({ decide: refuseFrom(3, waitMs), observer }), waitForms.seconds),
    isOver: afterLimit,
  },
  {
    name: 'parallel-429',
    description: 'One of several parallel requests gets 429 with Retry-After: 2.',
    proves: ['CLIENT-2'],
    form: 'seconds',
    patch: (observer) => compose(refuseOneOfSeveral(waitMs, observer), waitForms.seconds),
    isOver: (arrivals, now) => (arrivals.some(isLimited) ? afterLimit : isAny)(arrivals, now),
  },
  {
    name: 'slow-response',
    description: 'The response to the first request takes 3 s.',
    proves: ['CLIENT-1', 'CLIENT-5'],
    patch: () => slowFirst(3_000),
    isOver: (arrivals, now) => after((each) => each === arrivals[0])(arrivals, now),
  },
  {
    name: 'calm',
    description: 'The server serves every request.',
    proves: ['CLIENT-1', 'CLIENT-5', 'CLIENT-6'],
    patch: () => compose(),
    isOver: isAny,
  },
  {
    name: 'removal-day',
    description: 'It is 5 December 2030: GET /pets/{petId} is removed.',
    proves: ['CLIENT-6'],
    now: '2030-12-05T13:00:00Z',
    patch: () => compose(),
    isOver: isAny,
  },
  {
    name: 'unauthorized',
    description: 'From the second request on, the key is no longer valid: 401.',
    proves: ['CLIENT-1'],
    patch: () => unauthorizedFrom(2),
    isOver: after((arrival) => statusOf(arrival) === 401, 2),
  },
  {
    name: 'dropped-connection',
    description: 'The connection of the first request is closed without a response.',
    proves: ['CLIENT-1', 'CLIENT-5'],
    patch: () => dropFirst,
    isOver: after((arrival) => statusOf(arrival) === null),
  },
];
