import { minute, planWindows } from './keys.ts';
import { fixedWindow, type WindowState } from './limiter.ts';
import type { Account, Call, LimitDecision, Parts } from './parts.ts';

/** The limit of all requests without a valid key: high enough for mistakes, low enough to stop guessing. */
const anonymous = { limit: 10_000, seconds: minute };

const accountOf = (call: Call): Account => {
  const { parts, state } = call;
  const caller = parts.caller(call);
  const known = state.accounts.get(caller);
  if (known) return known;
  const limiters = parts.windows(call.grant).map(parts.limiter);
  const account: Account = { limiters, waitUntil: 0, ignoredWaits: 0, bannedUntil: 0 };
  state.accounts.set(caller, account);
  return account;
};

/** The window with the fewest remaining requests, so that the headers show how many can still be sent. */
const tightest = (windowStates: readonly WindowState[]): WindowState =>
  windowStates.reduce((a, b) => (b.remaining < a.remaining ? b : a));

function admit(call: Call): LimitDecision {
  const { parts, at } = call;
  const account = accountOf(call);
  const windowStates = account.limiters.map((limiter) => limiter.windowState(at));
  const exhausted = windowStates.filter((windowState) => windowState.remaining === 0);
  if (account.bannedUntil > at) return banned(account, windowStates);
  if (exhausted.length > 0) return refuse(call, account, exhausted);
  if (parts.counts(call)) for (const limiter of account.limiters) limiter.spend(at);
  const left = account.limiters.map((limiter) => limiter.windowState(at));
  return { verdict: 'admitted', windowState: parts.shown(left), retryAt: at };
}

function refuse(call: Call, account: Account, exhausted: readonly WindowState[]): LimitDecision {
  const { at, parts } = call;
  account.ignoredWaits = at < account.waitUntil ? account.ignoredWaits + 1 : 0;
  const retryAt = Math.max(...exhausted.map((windowState) => windowState.servedAt));
  account.waitUntil = retryAt;
  if (parts.ban !== null && account.ignoredWaits >= parts.ban.ignoredWaits) {
    account.bannedUntil = at + parts.ban.ms;
    account.waitUntil = 0;
    return banned(account, exhausted);
  }
  return { verdict: 'limited', windowState: lastToRecover(exhausted), retryAt };
}

/** The decision during a ban: Remaining is 0, and the wait lasts until the ban and the limits end. */
function banned(account: Account, windowStates: readonly WindowState[]): LimitDecision {
  const retryAt = Math.max(account.bannedUntil, ...windowStates.map((windowState) => windowState.servedAt));
  const slowest = lastToRecover(windowStates);
  const windowState = { ...slowest, remaining: 0, resetAt: Math.max(slowest.resetAt, account.bannedUntil) };
  return { verdict: 'banned', windowState, retryAt };
}

const lastToRecover = (windowStates: readonly WindowState[]): WindowState =>
  windowStates.reduce((a, b) => (b.servedAt > a.servedAt ? b : a));

/** The rate limits of section "Limits", with our choices for everything that the document does not specify. */
export const limitParts = {
  limiter: fixedWindow,
  windows: (grant) =>
    grant === null ? [anonymous] : grant.window ? [grant.window] : planWindows[grant.plan],
  caller: (call) => (call.grant === null ? 'anonymous' : `key ${call.grant.key}`),
  counts: () => true,
  shown: tightest,
  ban: { ignoredWaits: 40, ms: 60_000 },
  admit,
  rateLimitHeaders: ({ window, remaining, resetAt }) => ({
    'x-ratelimit-limit': String(window.limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  }),
  retryAfter: (retryAt, now) => String(Math.max(1, Math.ceil((retryAt - now) / 1000))),
  rateLimited: (decision, call) => {
    const reply = call.parts.fail(decision.verdict === 'banned' ? 'banned' : 'rate-limited', call);
    return {
      ...reply,
      headers: { ...reply.headers, 'retry-after': call.parts.retryAfter(decision.retryAt, call.at) },
    };
  },
} satisfies Partial<Parts>;
