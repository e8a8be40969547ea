import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../src/config/settings.ts';
import type { KeyGrant, Window } from '../src/reference/keys.ts';
import { replace } from '../src/reference/patch-kit/core.ts';
import { systemClock } from '../src/time/clock.ts';
import { type Count, countingSocket, type ServerSetup } from './support/counting-server.ts';
import { sendPaced } from './support/paced-client.ts';
import { judge } from './support/paced-run.ts';
import { alarms, verdictOf } from './support/run-in-words.ts';

/** On a machine that is busy with other tests answers may take long. */
const patienceMs = 180_000;
const main = 'main-key-of-these-tests';
const spare = 'spare-key-of-these-tests';
const windowMs = 4_000;
const seconds = windowMs / 1_000;
const window: Window = { limit: 20, seconds };
const short: KeyGrant = { key: main, plan: 'free', window };

interface Setting {
  readonly name: string;
  readonly concurrency: number;
  readonly setup: ServerSetup;
}

/** Each of these at each concurrency, all at the same time. */
const everywhere = <Seen>(
  recipes: Readonly<Record<string, Omit<ServerSetup, 'grants'>>>,
  grants: ServerSetup['grants'],
  look: (setting: Setting) => Promise<Seen>,
): Promise<readonly Seen[]> => {
  const settings = [1, 8, 32].flatMap((concurrency) =>
    Object.entries(recipes).map(([limiter, setup]) => ({
      name: `${limiter}, concurrency ${concurrency}`,
      concurrency,
      setup: { ...setup, grants },
    })),
  );
  return Promise.all(settings.map(look));
};

const named = (...dialects: readonly string[]): Readonly<Record<string, Omit<ServerSetup, 'grants'>>> =>
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

/** A short minute with the plan's figure, and the plan's day. */
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
  readonly neighbourEveryMs?: number;
}

const sentTo = async (
  { name, setup, concurrency }: Setting,
  { requests, minuteMs = windowMs, neighbourEveryMs }: Sending,
) => {
  const { target, count, visit } = await countingSocket(setup, systemClock, concurrency);
  const ended = new AbortController();
  const sharedKey = neighbourEveryMs !== undefined;
  const spending = sharedKey ? visit(main, neighbourEveryMs, ended.signal) : null;
  try {
    const paced = { concurrency, sharedKey, minuteMs, requests };
    return { name, count, ...(await sendPaced(target, systemClock, paced)) };
  } finally {
    ended.abort();
    await spending;
    await target.close();
  }
};

const isNearlyAll = (requests: number): boolean => requests >= 0.9 * window.limit;
/** Of a window, with the wait for its end: a reset and a Date have whole seconds. Of a minute it is a twentieth. */
const mostLostMs = 3_100;

/** What a key met that it must not meet. */
const met = (count: Count, key: string) => ({
  refused: count.refused(key),
  duringRetryAfter: count.duringRetryAfter(key),
  bans: count.bans(),
});
const nothing = { refused: 0, duringRetryAfter: 0, bans: 0 };

describe.concurrent('over sockets, in real time, at concurrency 1, 8 and 32, on windows of 4 seconds', () => {
  test('a run meets no 429', { timeout: patienceMs }, async () => {
    const settings = { only: ['AUTH-1', 'LIST-6'], runs: 6 };
    const all = await everywhere({ ...limiters, ...refusals }, { main: short }, (setting) =>
      judgedBy(setting, settings),
    );
    for (const { name, outcome, count } of all) {
      expect([name, alarms(outcome)]).toEqual([name, []]);
      expect([name, met(count, main), outcome.traffic.rateLimitedUnasked]).toEqual([name, nothing, 0]);
    }
  });

  test('every window that is needed is used, and few seconds are lost before the next', {
    timeout: patienceMs,
  }, async () => {
    const kinds = { 'fixed windows': {}, ...named('sliding-window', 'token-bucket') };
    const all = await everywhere(kinds, { main: short }, (setting) => sentTo(setting, { requests: 45 }));
    for (const { name, count, waits } of all) {
      const served = count.served(main);
      const used = waits.map(
        ({ at, untilMs }) =>
          served.filter((each) => each <= at && each > untilMs - windowMs - mostLostMs).length,
      );
      expect([name, waits.length]).not.toEqual([name, 0]);
      expect([name, Math.min(...used)]).toEqual([name, expect.toSatisfy(isNearlyAll)]);
    }
  });

  test('no 429 is met where one window is shown and another holds as well', {
    timeout: patienceMs,
  }, async () => {
    const grants = { main: { key: main, plan: 'free' } } as const;
    const all = await everywhere(twoWindows, grants, (setting) => sentTo(setting, { requests: 150 }));
    for (const { name, count, withKey, withoutKey, rateLimitedUnasked } of all) {
      expect([name, withKey, withoutKey]).toEqual([name, new Set([200]), new Set([401])]);
      expect([name, met(count, main), rateLimitedUnasked]).toEqual([name, nothing, 0]);
    }
  });

  test('the limit is judged without a request during a Retry-After', { timeout: patienceMs }, async () => {
    // So few that none is refilled while a response is on its way, even if answers take long.
    const narrow: KeyGrant = { key: spare, plan: 'free', window: { limit: 8, seconds } };
    const grants = { main: { key: main, plan: 'business' }, 'rate-limit': narrow } as const;
    const all = await everywhere(limiters, grants, (setting) =>
      judgedBy(setting, { only: ['RATE-5', 'RATE-8'] }),
    );
    for (const { name, outcome, count } of all) {
      expect([name, alarms(outcome)]).toEqual([name, []]);
      expect([name, count.duringRetryAfter(spare), count.bans()]).toEqual([name, 0, 0]);
      for (const id of ['RATE-5', 'RATE-8'])
        expect([name, verdictOf(outcome, id)?.verdict]).toEqual([name, 'passed']);
      expect(outcome.traffic.rateLimitedUnasked).toBe(0);
    }
  });
});

test('over sockets, in real time, no 429 is met beside a neighbour who spends half', {
  timeout: patienceMs,
}, async () => {
  // The tenth that is kept free is used up only where a response takes longer than a second and a half.
  const wide: Window = { limit: 40, seconds: 8 };
  const beside = { requests: 50, minuteMs: 8_000, neighbourEveryMs: 400 };
  const grants = { main: { ...short, window: wide } };
  const all = await everywhere(limiters, grants, (setting) => sentTo(setting, beside));
  for (const { name, count, withKey, withoutKey, rateLimitedUnasked } of all) {
    expect([name, withKey, withoutKey]).toEqual([name, new Set([200]), new Set([401])]);
    expect([name, rateLimitedUnasked, count.bans()]).toEqual([name, 0, 0]);
  }
});
