import { onItsWayMs, toleranceMs } from '../oracle/requests/arrival.ts';
import { continuesSeries } from '../oracle/requests/backoff.ts';
import type { Call, LimitDecision } from '../reference/parts.ts';
import type { Patch } from '../reference/patch.ts';
import { compose, counter, replace, respondToKey, withState, wrap } from '../reference/patch-kit/core.ts';
import { changeDecision, refusal } from '../reference/patch-kit/rate-limits.ts';
import { setHeader } from '../reference/patch-kit/responses.ts';
import { ConnectionDropped, type Reply } from '../reference/reply.ts';
import { memoizedByValue } from '../util/memoize.ts';

/** 429s are held back for so long that parallel requests arrive before the client knows of the first one. */
const holdMs = 60;

/** What a script tells about the requests that it sees. */
export interface Observer {
  banned(call: Call): void;
}

/** What a script knows of the client so far. */
interface Progress {
  /** Requests with the key, this one included. */
  requests: number;
  open: number;
  /** The client had two requests open at the same time. */
  isConcurrent: boolean;
  /** When the wait after a 429 began, and when it ends; null: no request was refused. */
  refusedAt: number | null;
  until: number;
  /** The identity of the request: its method, target, and body. */
  readonly identityOf: (call: Call) => string;
  /** Requests that the client sent although it had to wait. */
  ignored: number;
  isBanned: boolean;
}

/** Decides about a request: until when the client must wait, or null to serve it. */
type Decide = (progress: Progress, call: Call) => number | null;

const startOf = (identityOf: Progress['identityOf']): Progress => ({
  identityOf,
  requests: 0,
  open: 0,
  isConcurrent: false,
  refusedAt: null,
  until: 0,
  ignored: 0,
  isBanned: false,
});

const banMs = 60_000;
/** The first request waits for others that are sent in parallel. */
const gatherMs = 150;

interface LimitScript {
  readonly decide: Decide;
  /** The key is banned after this many requests during a wait; absent: never. */
  readonly banAfter?: number;
  readonly observer: Observer;
}

/** Counts a request during a wait, unless it may have been on its way when the 429 was sent. */
const noteIgnored = (progress: Progress, at: number): void => {
  const { refusedAt, until, isConcurrent } = progress;
  if (refusedAt === null || at >= until - toleranceMs) return;
  const isInFlight = at < refusedAt + holdMs || (isConcurrent && at <= refusedAt + holdMs + onItsWayMs);
  if (!isInFlight) progress.ignored += 1;
};

const decision = (before: LimitDecision, progress: Progress, call: Call, until: number): LimitDecision => {
  if (progress.refusedAt === null || call.at >= progress.until) progress.refusedAt = call.at;
  progress.until = Math.max(progress.until, until);
  return refusal(before.windowState, until, { remaining: 0, resetAt: until });
};

/** Refuses requests with the key as a script decides, and bans the key of a client that does not wait. */
export const limitScript = ({ decide, banAfter, observer }: LimitScript): Patch =>
  withState(() => {
    const identities = new WeakMap<object, string>();
    const progress = startOf((call) => identities.get(call.request) ?? '');
    return compose(
      wrap(async (call, next) => {
        const body = await call.body();
        const text = body.ok ? Buffer.from(body.bytes).toString('latin1') : '';
        identities.set(call.request, `${call.request.method} ${call.request.url} ${text}`);
        progress.open += 1;
        progress.isConcurrent ||= progress.open > 1;
        try {
          const reply = await next();
          if (reply.status === 429) await call.state.clock.sleep(holdMs);
          return reply;
        } finally {
          progress.open -= 1;
        }
      }),
      changeDecision((before, call) => {
        progress.requests += 1;
        noteIgnored(progress, call.at);
        progress.isBanned ||= banAfter !== undefined && progress.ignored >= banAfter;
        if (progress.isBanned) {
          observer.banned(call);
          return { ...decision(before, progress, call, call.at + banMs), verdict: 'banned' };
        }
        const until = decide(progress, call);
        return until === null ? before : decision(before, progress, call, until);
      }),
    );
  });

/** Refuses the first request of each method, and every request during the waits. */
export const refuseMethods = (waitMs: number): Decide => {
  const refused = new Set<string>();
  return ({ until }, { at, request: { method } }) => {
    if (at < until - toleranceMs) return until;
    if (refused.has(method)) return null;
    refused.add(method);
    return at + holdMs + waitMs;
  };
};

/** Refuses requests from the given one on (counted from 1), until a wait is over. Sending on does not make it longer. */
export const refuseFrom =
  (first: number, waitMs: number): Decide =>
  ({ requests, refusedAt, until }, { at }) => {
    if (refusedAt === null) return requests >= first ? at + holdMs + waitMs : null;
    return at < until - toleranceMs ? until : null;
  };

interface Chain {
  refused: number;
  readonly waits: number[];
  readyAt: number;
}

/** Refuses requests in a row, with `Retry-After: 1`. A client that sends several at a time gets a series for each different request. */
export const refuseInSeries = (): Decide => {
  const chains = memoizedByValue((_identity: string): Chain => ({ refused: 0, waits: [], readyAt: 0 }));
  return ({ isConcurrent, identityOf }, call) => {
    const chain = chains(isConcurrent ? identityOf(call) : '');
    if (chain.refused > 0) chain.waits.push(call.at - chain.readyAt);
    if (!continuesSeries(chain.waits, chain.refused)) return null;
    chain.refused += 1;
    chain.readyAt = call.at + holdMs + 1000;
    return chain.readyAt;
  };
};

/** Responds to requests with the key from the given one on as to a key that is not valid. */
export const unauthorizedFrom = (first: number): Patch =>
  withState(() => {
    const next = counter();
    return respondToKey((call) =>
      next() < first ? null : { ...call.parts.fail('unauthenticated', call), ...unauthorizedHeaders },
    );
  });

const unauthorizedHeaders = { headers: { 'www-authenticate': 'Bearer realm="animal-store"' } };

/** Changes what happens to the first request with the key. */
const firstRequest = (around: (call: Call, next: () => Promise<Reply>) => Promise<Reply>): Patch =>
  withState(() => {
    const next = counter();
    return wrap(async (call, proceed) =>
      call.grant !== null && next() === 1 ? around(call, proceed) : proceed(),
    );
  });

/** Responds to the first request after some time. */
export const slowFirst = (ms: number): Patch =>
  firstRequest(async (call, next) => {
    const reply = await next();
    await call.state.clock.sleep(ms);
    return reply;
  });

/** Drops the connection of the first request. */
export const dropFirst: Patch = firstRequest(async () => {
  throw new ConnectionDropped();
});

/** Refuses the first of several parallel requests, and every request during the wait after it. Serves a client that sends one at a time. */
export const refuseOneOfSeveral = (waitMs: number, observer: Observer): Patch =>
  withState(() => {
    let first: Call['request'] | null = null;
    const decide: Decide = ({ isConcurrent, refusedAt, until }, { request, at }) => {
      if (refusedAt !== null)
        return at >= refusedAt + gatherMs + holdMs && at < until - toleranceMs ? until : null;
      return request === first && isConcurrent ? at + holdMs + waitMs : null;
    };
    const gathered = Promise.withResolvers<void>();
    // The script is outside: it counts the requests that wait here.
    return compose(
      wrap(async (call, next) => {
        const { clock } = call.state;
        if (call.grant === null) return next();
        if (first !== null) {
          // The client has these responses when it knows of the 429.
          await gathered.promise;
          return next();
        }
        first = call.request;
        await clock.sleep(gatherMs);
        const reply = await next();
        void clock.sleep(holdMs + onItsWayMs).then(gathered.resolve);
        return reply;
      }),
      limitScript({ decide, observer }),
    );
  });

/** Shows Remaining 2, 1, and 0, and refuses further requests until Reset. */
export const countDown = (allowed: number, windowMs: number, observer: Observer): Patch =>
  withState(() => {
    let resetAt: number | null = null;
    const decide: Decide = ({ requests }, { at }) => {
      resetAt ??= Math.ceil((at + windowMs) / 1000) * 1000;
      return requests > allowed && at < resetAt ? resetAt : null;
    };
    let shown = allowed;
    return compose(
      limitScript({ decide, observer }),
      inSeconds,
      changeDecision((before, call) => {
        if (before.verdict !== 'admitted' || resetAt === null || call.at >= resetAt) return before;
        shown = Math.max(0, shown - 1);
        return { ...before, windowState: { ...before.windowState, remaining: shown, resetAt } };
      }),
    );
  });

const asDate: Patch = replace(
  'retryAfter',
  () => (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString(),
);

const without: Patch = setHeader('retry-after', () => undefined, { status: 429 });

/** Counted from the response, because 429s are held back. */
const inSeconds: Patch = replace(
  'retryAfter',
  () => (retryAt, now) => String(Math.max(1, Math.ceil((retryAt - now - holdMs) / 1000))),
);

/** How a 429 gives its wait. */
export const waitForms = {
  seconds: inSeconds,
  date: asDate,
  none: without,
} as const satisfies Record<string, Patch>;
