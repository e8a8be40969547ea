import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import type { Window } from '../../src/reference/keys.ts';
import { replace } from '../../src/reference/patch-kit/core.ts';
import { editReply } from '../../src/reference/patch-kit/responses.ts';
import { systemClock } from '../../src/time/clock.ts';
import {
  type Count,
  countingSocket,
  mainKey,
  type ServerSetup,
  spareKey,
} from '../support/counting-server.ts';
import { sendPaced } from '../support/paced-client.ts';
import { judge } from '../support/paced-run.ts';
import { alarms, resultOf } from '../support/run-in-words.ts';

/** Responses may take long while other tests run. */
const timeoutMs = 180_000;
const windowMs = 4_000;
const seconds = windowMs / 1_000;
const window: Window = { limit: 20, seconds };
const short = { plan: 'free', window } as const;

interface Setting {
  readonly name: string;
  readonly concurrency: number;
  readonly setup: ServerSetup;
}

/** Runs each setup at each concurrency, all at the same time. */
const atEachConcurrency = <Seen>(
  setups: Readonly<Record<string, Omit<ServerSetup, 'keys'>>>,
  keys: ServerSetup['keys'],
  use: (setting: Setting) => Promise<Seen>,
): Promise<readonly Seen[]> => {
  const settings = [1, 8, 32].flatMap((concurrency) =>
    Object.entries(setups).map(([limiter, setup]) => ({
      name: `${limiter}, concurrency ${concurrency}`,
      concurrency,
      setup: { ...setup, keys },
    })),
  );
  return Promise.all(settings.map(use));
};

const named = (...dialects: readonly string[]): Readonly<Record<string, Omit<ServerSetup, 'keys'>>> =>
  Object.fromEntries(dialects.map((dialect) => [dialect, { dialects: [dialect] }]));
const limiters = {
  'fixed windows': {},
  ...named(
    'retry-after-as-a-date',
    'sliding-window',
    'token-bucket',
    'token-by-token',
    'window-from-the-first-request',
    'weighted-windows',
    'reset-rounded-down',
  ),
};
const refusals = named('invalid-keys-apart', 'anonymous-not-counted', 'anonymous-limited-early');

/** The limit of the plan for a short minute, and its daily limit. */
const shortMinute = replace('windows', (before) => (grant) => {
  const [minute, ...longer] = before(grant);
  return minute === undefined || grant === null ? before(grant) : [{ ...minute, seconds }, ...longer];
});
const twoWindows = Object.fromEntries(
  ['headers-of-the-minute', 'headers-of-the-day'].map((dialect) => [
    dialect,
    { dialects: [dialect], patch: shortMinute, plansKnown: true },
  ]),
);

/** The limits in the headers of the drafts of the IETF, and not in the documented ones. */
const inDraftHeaders = (
  write: (limit: string, remaining: string, seconds: number) => Readonly<Record<string, string>>,
) => ({
  patch: editReply({}, (reply, { at }) => {
    const {
      'x-ratelimit-limit': limit,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': reset,
      ...others
    } = reply.headers;
    if (limit === undefined || remaining === undefined) return reply;
    const headers = write(limit, remaining, Math.max(0, Math.ceil(Number(reset) - at / 1000)));
    return { ...reply, headers: { ...others, ...headers } };
  }),
});
const drafts = {
  'drafts 3 to 5': inDraftHeaders((limit, remaining, reset) => ({
    'ratelimit-limit': `${limit}, ${limit};w=${seconds}`,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': `${reset}`,
  })),
  'drafts 6 and 7': inDraftHeaders((limit, remaining, reset) => ({
    ratelimit: `limit=${limit}, remaining=${remaining}, reset=${reset}`,
  })),
  'drafts 8 to 10': inDraftHeaders((limit, remaining, reset) => ({
    ratelimit: `"default";r=${remaining};t=${reset}`,
    'ratelimit-policy': `"default";q=${limit};w=${seconds}`,
  })),
};

const judgedBy = async ({ name, setup, concurrency }: Setting, settings: Partial<RunSettings>) => {
  const { target, count } = await countingSocket(setup, systemClock, concurrency);
  try {
    return { name, count, ...(await judge(target, systemClock, { ...settings, concurrency })) };
  } finally {
    await target.close();
  }
};

interface Sending {
  readonly requests: number;
  readonly minuteMs?: number;
  readonly otherClientEveryMs?: number;
}

const sentTo = async (
  { name, setup, concurrency }: Setting,
  { requests, minuteMs = windowMs, otherClientEveryMs }: Sending,
) => {
  const { target, count, visit } = await countingSocket(setup, systemClock, concurrency);
  const ended = new AbortController();
  const sharedKey = otherClientEveryMs !== undefined;
  const otherClient = sharedKey ? visit(mainKey, otherClientEveryMs, ended.signal) : null;
  try {
    const paced = { concurrency, sharedKey, minuteMs, requests };
    return { name, count, ...(await sendPaced(target, systemClock, paced)) };
  } finally {
    ended.abort();
    await otherClient;
    await target.close();
  }
};

const isNearlyAll = (requests: number): boolean => requests >= 0.9 * window.limit;
/** The part of a window that may be lost, with the wait for its end: a reset and a Date have whole seconds. */
const mostLostMs = 3_100;

/** The refused requests of a key. */
const refusedOf = (count: Count, key: string) => ({
  refused: count.refused(key),
  duringRetryAfter: count.duringRetryAfter(key),
  bans: count.bans(),
});
const none = { refused: 0, duringRetryAfter: 0, bans: 0 };

describe.concurrent('over sockets, in real time, at concurrency 1, 8, and 32, on windows of 4 seconds', () => {
  test('a run gets no 429', { timeout: timeoutMs }, async () => {
    const settings = { only: ['AUTH-1', 'LIST-6'], budget: 120 };
    const all = await atEachConcurrency({ ...limiters, ...refusals }, [short], (setting) =>
      judgedBy(setting, settings),
    );
    for (const { name, outcome, count } of all) {
      expect([name, alarms(outcome)]).toEqual([name, []]);
      expect([name, refusedOf(count, mainKey), outcome.traffic.rateLimitedUnasked]).toEqual([name, none, 0]);
    }
  });

  test('limits in headers of the drafts of the IETF -> no 429 that they announce', {
    timeout: timeoutMs,
  }, async () => {
    const all = await atEachConcurrency(drafts, [short], (setting) => sentTo(setting, { requests: 70 }));
    for (const { name, count, withKey } of all) {
      expect([name, withKey]).toEqual([name, new Set([200])]);
      expect([name, refusedOf(count, mainKey)]).toEqual([name, none]);
    }
  });

  test('uses nearly all of each window, and waits only a few seconds too long', {
    timeout: timeoutMs,
  }, async () => {
    const kinds = { 'fixed windows': {}, ...named('sliding-window', 'token-bucket') };
    const all = await atEachConcurrency(kinds, [short], (setting) => sentTo(setting, { requests: 45 }));
    for (const { name, count, waits } of all) {
      const served = count.served(mainKey);
      const used = waits.map(
        ({ at, untilMs }) =>
          served.filter((each) => each <= at && each > untilMs - windowMs - mostLostMs).length,
      );
      expect([name, waits.length]).not.toEqual([name, 0]);
      expect([name, Math.min(...used)]).toEqual([name, expect.toSatisfy(isNearlyAll)]);
    }
  });

  test('one window shown, another one enforced too -> no 429', {
    timeout: timeoutMs,
  }, async () => {
    const all = await atEachConcurrency(twoWindows, ['free'], (setting) =>
      sentTo(setting, { requests: 150 }),
    );
    for (const { name, count, withKey, withoutKey, rateLimitedUnasked } of all) {
      expect([name, withKey, withoutKey]).toEqual([name, new Set([200]), new Set([401])]);
      expect([name, refusedOf(count, mainKey), rateLimitedUnasked]).toEqual([name, none, 0]);
    }
  });

  test('tests the limit without a request during a Retry-After', { timeout: timeoutMs }, async () => {
    // So few that no request is refilled while a response is in flight, even if it takes long.
    const narrow = { plan: 'free', window: { limit: 8, seconds } } as const;
    const all = await atEachConcurrency(limiters, ['business', narrow], (setting) =>
      judgedBy(setting, { only: ['RATE-5', 'RATE-8'] }),
    );
    for (const { name, outcome, count } of all) {
      expect([name, alarms(outcome)]).toEqual([name, []]);
      expect([name, count.duringRetryAfter(spareKey), count.bans()]).toEqual([name, 0, 0]);
      for (const id of ['RATE-5', 'RATE-8'])
        expect([name, resultOf(outcome, id)?.verdict]).toEqual([name, 'passed']);
      expect(outcome.traffic.rateLimitedUnasked).toBe(0);
    }
  });
});

test('over sockets, in real time: another client uses half of the limit -> no 429', {
  timeout: timeoutMs,
}, async () => {
  // The reserve of a tenth is only used up if a response takes longer than 1.5 s.
  const wide: Window = { limit: 40, seconds: 8 };
  const beside = { requests: 50, minuteMs: 8_000, otherClientEveryMs: 400 };
  const all = await atEachConcurrency(limiters, [{ ...short, window: wide }], (setting) =>
    sentTo(setting, beside),
  );
  for (const { name, count, withKey, withoutKey, rateLimitedUnasked } of all) {
    expect([name, withKey, withoutKey]).toEqual([name, new Set([200]), new Set([401])]);
    expect([name, rateLimitedUnasked, count.bans()]).toEqual([name, 0, 0]);
  }
});
