import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/reference/parts.ts';
import { replace } from '../../src/reference/patch-kit/core.ts';
import { showCounts } from '../../src/reference/patch-kit/rate-limits.ts';
import type { Target } from '../../src/run/run-deps.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { countingServer, mainKey, type ServerSetup, spareKey } from '../support/counting-server.ts';
import { fillings, judge, judgeOn } from '../support/paced-run.ts';
import { alarms, resultOf } from '../support/run-in-words.ts';

describe('default run with a Free key, on a virtual clock', () => {
  const startsAt = Date.parse('2026-06-01T12:00:17.300Z');
  const free: ServerSetup = { keys: ['free'] };
  const limiters: readonly (readonly string[])[] = [
    [],
    ['sliding-window'],
    ['token-bucket'],
    ['token-by-token'],
    ['window-from-the-first-request'],
    ['weighted-windows'],
    ['days-of-another-zone'],
    ['days-sliding'],
    ['headers-of-the-minute'],
    ['headers-of-the-day'],
    ['headers-of-the-day', 'weighted-windows'],
    ['headers-of-the-day', 'token-by-token'],
    ['retry-after-as-a-date'],
    ['reset-rounded-down'],
    ['invalid-keys-apart'],
    ['anonymous-limited-early'],
  ];
  const setUp = (dialects: readonly string[], plansKnown = false) => {
    const clock = createVirtualClock(startsAt);
    return { clock, ...countingServer({ ...free, dialects, plansKnown }, clock, 20) };
  };

  test.each(limiters.map((dialects) => [dialects.join(' and ') || 'fixed windows', dialects] as const))(
    '%s: uses the limits, and stays within them',
    async (_name, dialects) => {
      for (const plansKnown of [false, true]) {
        const { clock, target, count } = setUp(dialects, plansKnown);
        const { outcome, exit, tookMs, events } = await judge(target, clock);
        expect(alarms(outcome)).toEqual([]);
        expect(exit).toBe(0);
        expect(outcome.traffic.rateLimitedUnasked).toBe(0);
        expect(count.refused(mainKey)).toBe(0);
        const served = count.served(mainKey);
        // A day has 1,000.
        expect(served.length).toBeLessThanOrEqual(800);
        expect(outcome.traffic.requests).toBeLessThanOrEqual(900);
        const used = fillings(served, 60_000, startsAt);
        for (const each of used) expect(each).toBeGreaterThanOrEqual(54);
        const planned = events.find(({ event }) => event.kind === 'planned')?.event;
        const estimated = planned?.kind === 'planned' ? planned.estimateMs : 0;
        expect(Math.abs(estimated - tookMs) / tookMs).toBeLessThan(0.1);
      }
    },
  );

  test.each<[string, (call: Call) => unknown]>([
    ['each method', ({ request }) => request.method],
    [
      'an address whose petId matches no route',
      ({ parts, route }) => route.operation === 'getPet' && parts.readPetId(route.petId) === null,
    ],
  ])('a counter for %s -> no 429', async (_, counter) => {
    const patch = replace('caller', (before) => (call) => `${before(call)} ${counter(call)}`);
    const { outcome, tookMs, count } = await judgeOn({ ...free, patch });
    expect(alarms(outcome)).toEqual([]);
    expect([outcome.traffic.rateLimitedUnasked, count.refused(mainKey)]).toEqual([0, 0]);
    // As long as with one counter for all.
    expect(tookMs).toBeLessThan(780_000);
  });

  test('Limit always equals Remaining, unknown plan -> noticed', async () => {
    const patch = showCounts(({ remaining }) => ({ limit: Math.max(1, remaining) }));
    const { outcome } = await judgeOn({ keys: ['business'], patch }, { only: ['RATE-4'] });
    expect(resultOf(outcome, 'RATE-4')?.failures[0]?.message).toContain(
      'always equals X-RateLimit-Remaining',
    );
  });

  test('second run on the same day -> ends when the daily limit is used up, and says until when', async () => {
    const { clock, target, count } = setUp([]);
    const keepOpen: Target = { ...target, close: async () => {} };
    const first = await judge(keepOpen, clock);
    const second = await judge(
      { ...keepOpen, transport: { ...target.transport, close: async () => {} } },
      clock,
      {
        seed: 6,
      },
    );
    expect(first.exit).toBe(0);
    expect(second.exit).toBe(0);
    expect(alarms(second.outcome)).toEqual([]);
    expect(second.outcome.traffic.rateLimitedUnasked).toBe(0);
    expect(count.refused(mainKey)).toBe(0);
    const reasons = second.outcome.requirements.map(({ reason }) => reason);
    expect(reasons).toContainEqual(
      expect.stringContaining('the limit of the API key is used up until 2026-06-02T00:00'),
    );
  });

  test.each(['', 'sliding-window', 'token-bucket', 'headers-of-the-day'])(
    '%s: another client uses half of the key -> no 429',
    async (dialect) => {
      const clock = createVirtualClock(startsAt);
      const dialects = dialect === '' ? [] : [dialect];
      const { target, visit } = countingServer({ ...free, dialects, plansKnown: true }, clock, 20);
      const ended = new AbortController();
      const otherClient = visit(mainKey, 2_000, ended.signal);
      const { outcome, exit } = await judge(target, clock, { only: ['LIST'], runs: 5, sharedKey: true });
      ended.abort();
      await otherClient;
      expect(alarms(outcome)).toEqual([]);
      expect([exit, outcome.traffic.rateLimitedUnasked]).toEqual([0, 0]);
    },
  );

  test('waits: reported with their reason and end', async () => {
    const { clock, target } = setUp([]);
    const { events } = await judge(target, clock, { only: ['LIST'] });
    const waits = events.flatMap(({ at, event }) => (event.kind === 'waiting' ? [{ at, ...event }] : []));
    expect(waits.length).toBeGreaterThan(0);
    for (const { at, reason, untilMs } of waits) {
      expect(reason).toEqual({ kind: 'limit', slot: 'main', limit: 60 });
      expect(untilMs).toBeGreaterThan(at);
      expect(untilMs - at).toBeLessThan(62_000);
    }
  });

  test('key used up at the start -> waits for it', async () => {
    const { clock, target, count } = setUp(['sliding-window']);
    for (let sent = 0; sent < 60; sent += 1) {
      const request = {
        method: 'GET',
        url: `${target.baseUrl}/pets`,
        headers: [['Authorization', `Bearer ${mainKey}`]],
        body: null,
      } as const;
      await target.transport.send(request, { timeoutMs: 1_000 });
    }
    const { outcome, exit } = await judge(target, clock, { only: ['LIST-1', 'LIST-3'] });
    expect(exit).toBe(0);
    expect(resultOf(outcome, 'LIST-1')?.verdict).toBe('passed');
    expect(count.refused(mainKey)).toBe(1);
    expect(count.duringRetryAfter(mainKey)).toBe(0);
  });
});

describe('checks that use up a limit, on a virtual clock', () => {
  const startsAt = Date.parse('2026-06-01T12:00:17.300Z');
  const active = [5, 6, 7, 8, 9, 10, 13, 14].map((number) => `RATE-${number}`);

  test.each([
    ['free', 8],
    ['pro', 32],
    ['business', 8],
    ['business', 1],
  ] as const)('%s key at concurrency %i: tested within three windows', async (plan, concurrency) => {
    for (const limiter of [[], ['sliding-window'], ['token-bucket'], ['weighted-windows']]) {
      const setup: ServerSetup = { keys: ['business', plan], dialects: limiter, plansKnown: true };
      const { outcome, count } = await judgeOn(setup, { only: ['RATE'], concurrency });
      for (const id of active) expect([id, resultOf(outcome, id)?.verdict]).toEqual([id, 'passed']);
      expect(count.duringRetryAfter(spareKey)).toBe(0);
      expect(count.bans()).toBe(0);
      const of = count.arrivals.filter(({ key }) => key === spareKey).map(({ at }) => at);
      // The first one is sent before the plan.
      const spanMs = (of.at(-1) ?? 0) - (of[1] ?? 0);
      expect(spanMs).toBeLessThan(180_000);
    }
  });

  test.each([0, 10, 20, 30, 40, 50])(
    'slow server without a Date, started %i s later -> no alarm at the start of a minute',
    async (seconds) => {
      const setup: ServerSetup = { keys: ['business', 'free'], dialects: ['no-date'], plansKnown: true };
      const { outcome } = await judgeOn(
        setup,
        { only: ['RATE-5', 'RATE-6'], runs: 1 },
        { startsAt: startsAt + seconds * 1000, latencyMs: 2_500 },
      );
      expect(alarms(outcome)).toEqual([]);
    },
  );

  test('keys of one plan: a shared limit is distinguished from separate ones', async () => {
    const keys = ['free', 'free'] as const;
    const patch = replace('caller', () => () => 'everybody');
    const { outcome } = await judgeOn({ keys, patch }, { only: ['RATE'], runs: 1 });
    expect(resultOf(outcome, 'RATE-9')?.verdict).toBe('failed');
    const other = await judgeOn({ keys }, { only: ['RATE'], runs: 1 });
    expect(resultOf(other.outcome, 'RATE-9')?.verdict).toBe('passed');
  });

  test.each([
    [['headers-of-the-day']],
    [['headers-of-the-day', 'no-date']],
    [['headers-of-the-day-but-for-the-first-of-a-minute']],
  ])('%j, unknown plan -> the reason says what to do', async (dialects) => {
    const { outcome, count } = await judgeOn(
      { keys: ['business', 'free'], dialects },
      { only: ['RATE'] },
      { latencyMs: 0 },
    );
    expect(alarms(outcome)).toEqual([]);
    expect(resultOf(outcome, 'RATE-5')).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('set --rate-limit-plan'),
    });
    expect(count.refused(spareKey)).toBe(0);
  });

  test('--allow-ban -> a ban is observed', async () => {
    const setup: ServerSetup = {
      keys: ['business', 'free'],
      dialects: ['ban-of-ten-minutes'],
      plansKnown: true,
    };
    const { outcome, count } = await judgeOn(setup, { only: ['RATE'], allowBan: true }, { latencyMs: 0 });
    expect(count.bans()).toBeGreaterThan(0);
    expect(outcome.observations.find(({ subject }) => subject === 'ban')?.value).toMatch(
      /^after 1\d requests during Retry-After: status 429, Retry-After 600 s$/,
    );
  });
});
