import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Header } from './exchange.ts';
import { createPace, type PaceOptions, type Ticket } from './pace.ts';

const MINUTE = 60_000;

/** What a limiter says of one request: served or not, and what the headers show. Times by the server's clock, in ms. */
interface Said {
  readonly served: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}
type Limiter = (now: number) => Said;

const fixed = (limit: number, windowMs: number, phase: number): Limiter => {
  let current = -1;
  let count = 0;
  return (now) => {
    const index = Math.floor((now + phase) / windowMs);
    if (index !== current) count = 0;
    current = index;
    const served = count < limit;
    if (served) count += 1;
    return { served, limit, remaining: limit - count, resetAt: (index + 1) * windowMs - phase };
  };
};

const sliding = (limit: number, windowMs: number, shows: 'next' | 'all'): Limiter => {
  let times: number[] = [];
  return (now) => {
    times = times.filter((time) => time > now - windowMs);
    const served = times.length < limit;
    if (served) times.push(now);
    const anchor = shows === 'next' ? (times[0] ?? now) : (times.at(-1) ?? now);
    return { served, limit, remaining: limit - times.length, resetAt: anchor + windowMs };
  };
};

const bucket = (limit: number, windowMs: number, shows: 'next' | 'all'): Limiter => {
  let tokens = limit;
  let last: number | null = null;
  return (now) => {
    tokens = Math.min(limit, tokens + ((now - (last ?? now)) * limit) / windowMs);
    last = now;
    const served = tokens >= 1;
    if (served) tokens -= 1;
    const wanted = shows === 'all' ? limit - tokens : 1 - (tokens % 1);
    return { served, limit, remaining: Math.floor(tokens), resetAt: now + (wanted * windowMs) / limit };
  };
};

/** Requests of the window before count for the part of it that a window reaches back to, as if they had been spread evenly. */
const weighted = (limit: number, windowMs: number, phase: number): Limiter => {
  let [current, before, count] = [-1, 0, 0];
  return (now) => {
    const place = (now + phase) / windowMs;
    const index = Math.floor(place);
    if (index !== current) [before, count] = [index === current + 1 ? count : 0, 0];
    current = index;
    const left = (): number => Math.max(0, Math.floor(limit - count - before * (index + 1 - place)));
    const served = left() > 0;
    if (served) count += 1;
    return { served, limit, remaining: left(), resetAt: (index + 1) * windowMs - phase };
  };
};

/** A fixed window in which some requests are charged as two, and refused where only one remains. */
const chargingTwo = (limit: number, windowMs: number, phase: number, isTwo: () => boolean): Limiter => {
  let [current, used] = [-1, 0];
  return (now) => {
    const index = Math.floor((now + phase) / windowMs);
    if (index !== current) [current, used] = [index, 0];
    const charge = isTwo() ? 2 : 1;
    const served = used + charge <= limit;
    if (served) used += charge;
    return { served, limit, remaining: limit - used, resetAt: (index + 1) * windowMs - phase };
  };
};

/** Both limits hold, the second one is shown. */
const showing =
  (hidden: Limiter, shown: Limiter): Limiter =>
  (now) => {
    const [inner, outer] = [hidden(now), shown(now)];
    return { ...outer, served: inner.served && outer.served };
  };

interface World {
  readonly limiter: Limiter;
  /** The server's clock less ours. */
  readonly skewMs: number;
  readonly latencyMs: () => number;
  readonly concurrency: number;
  readonly requests: number;
  readonly rounds: (seconds: number) => number;
  readonly dated: boolean;
  /** Milliseconds between two requests of another client with the same key. */
  readonly neighbourMs?: number;
  readonly headers?: (said: Said, headers: readonly Header[]) => readonly Header[];
  readonly pace?: Partial<PaceOptions>;
}

interface Seen {
  readonly unasked: number;
  /** Server's times of the requests served. */
  readonly servedAt: readonly number[];
  readonly endedBecause: string | null;
  readonly tookMs: number;
}

/** Runs a pace against a simulated server: sendings, arrivals and answers in the order of their time. */
const simulate = (world: World): Seen => {
  const start = 1_790_000_000_000;
  const pace = createPace({
    slot: 'main',
    plan: null,
    fallback: null,
    sharedKey: world.neighbourMs !== undefined,
    maxWaitMs: 130_000,
    random: () => 0.5,
    note: () => undefined,
    ...world.pace,
  });
  const events: { at: number; run: (now: number) => void }[] = [];
  const at = (time: number, run: (now: number) => void): void => {
    events.splice(events.findLastIndex((each) => each.at <= time) + 1, 0, { at: time, run });
  };
  const servedAt: number[] = [];
  let [unasked, sent, done, flying] = [0, 0, 0, 0];
  let endedBecause: string | null = null;
  let wakeAt = Number.POSITIVE_INFINITY;

  const headersOf = (said: Said, serverNow: number): readonly Header[] => {
    const lines: Header[] = [
      ['X-RateLimit-Limit', `${said.limit}`],
      ['X-RateLimit-Remaining', `${said.remaining}`],
      ['X-RateLimit-Reset', `${world.rounds(said.resetAt / 1000)}`],
    ];
    if (world.dated) lines.push(['Date', new Date(serverNow).toUTCString()]);
    if (!said.served)
      lines.push(['Retry-After', `${Math.max(0, Math.ceil((said.resetAt - serverNow) / 1000))}`]);
    return world.headers?.(said, lines) ?? lines;
  };
  const arrive =
    (ticket: Ticket) =>
    (now: number): void => {
      const serverNow = now + world.skewMs;
      const said = world.limiter(serverNow);
      if (said.served) servedAt.push(serverNow);
      else unasked += 1;
      const headers = headersOf(said, serverNow);
      at(now + world.latencyMs(), (later) => {
        pace.answered(ticket, said.served ? 200 : 429, headers, later);
        flying -= 1;
        done += 1;
        pump(later);
      });
    };
  const pump = (now: number): void => {
    while (sent < world.requests && flying < world.concurrency && endedBecause === null) {
      const permission = pace.ask(now);
      if (permission.kind === 'answer') return;
      if (permission.kind === 'ended') endedBecause = permission.reason;
      if (permission.kind === 'wait') {
        if (wakeAt !== permission.untilMs) at(permission.untilMs, pump);
        wakeAt = permission.untilMs;
        return;
      }
      if (permission.kind !== 'go') return;
      sent += 1;
      flying += 1;
      at(now + world.latencyMs(), arrive(pace.sent(now)));
    }
  };
  const visit = (now: number): void => {
    world.limiter(now + world.skewMs);
    if (world.neighbourMs !== undefined) at(now + world.neighbourMs, visit);
  };
  if (world.neighbourMs !== undefined) at(start, visit);
  at(start, pump);
  let now = start;
  for (
    let event = events.shift();
    event && done < world.requests && !(endedBecause && flying === 0);
    event = events.shift()
  ) {
    now = event.at;
    event.run(now);
  }
  return { unasked, servedAt, endedBecause, tookMs: now - start };
};

const circumstances = fc.record({
  skewMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
  concurrency: fc.integer({ min: 1, max: 32 }),
  latencies: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 }),
  rounding: fc.constantFrom(Math.floor, Math.ceil, Math.round),
  dated: fc.constant<boolean>(true),
  phase: fc.integer({ min: 0, max: MINUTE }),
});
type Circumstances = typeof circumstances extends fc.Arbitrary<infer Value> ? Value : never;

const worldOf = (
  limiter: Limiter,
  { latencies, rounding, ...rest }: Circumstances,
  requests: number,
): World => {
  let turn = 0;
  const latencyMs = (): number => latencies[turn++ % latencies.length] ?? 0;
  return { limiter, latencyMs, rounds: rounding, requests, ...rest };
};

const kinds: Readonly<Record<string, (limit: number, phase: number) => Limiter>> = {
  'a fixed window': (limit, phase) => fixed(limit, MINUTE, phase),
  'a sliding window that shows when the next request is freed': (limit) => sliding(limit, MINUTE, 'next'),
  'a sliding window that shows when all are freed': (limit) => sliding(limit, MINUTE, 'all'),
  'a token bucket that shows its next token': (limit) => bucket(limit, MINUTE, 'next'),
  'a token bucket that shows when it is full': (limit) => bucket(limit, MINUTE, 'all'),
};

/** A window that ends before its answers show a pattern, with seven requests under way. */
const secondsBeforeRenewal: [Circumstances, number][] = [16_016, 39_956, 59_996].map((phase) => [
  { skewMs: 0, concurrency: 1, latencies: [149, 73], rounding: Math.floor, dated: true, phase },
  7,
]);

test.each([1, 2, 3])('requests are charged as two, one in %i, and none meets a 429 for it', (every) => {
  fc.assert(
    fc.property(circumstances, fc.integer({ min: 1, max: 8 }), (circumstance, concurrency) => {
      let count = 0;
      const isTwo = (): boolean => {
        count += 1;
        return count % every === 0;
      };
      const limiter = chargingTwo(60, MINUTE, circumstance.phase, isTwo);
      const seen = simulate(worldOf(limiter, { ...circumstance, concurrency }, 150));
      expect(seen.unasked).toBe(0);
      expect(seen.servedAt).toHaveLength(150);
    }),
    { numRuns: 60, examples: secondsBeforeRenewal },
  );
});

describe.each(Object.entries(kinds))('%s', (_kind, make) => {
  test('is never overrun, and nearly all of it is used', () => {
    fc.assert(
      fc.property(circumstances, fc.constantFrom(10, 60, 300), (circumstance, limit) => {
        const seen = simulate(worldOf(make(limit, circumstance.phase), circumstance, 4 * limit));
        expect(seen.unasked).toBe(0);
        expect(seen.servedAt).toHaveLength(4 * limit);
        const perRound = limit / Math.min(circumstance.concurrency, limit);
        const slack = 4 * (perRound * 800 + 3_000);
        expect(seen.tookMs).toBeLessThan(4 * MINUTE * 1.1 + slack);
      }),
      { numRuns: 60 },
    );
  });

  test('is never overrun with a neighbour who spends half of it', () => {
    fc.assert(
      fc.property(circumstances, (circumstance) => {
        const world = worldOf(make(60, circumstance.phase), circumstance, 150);
        const seen = simulate({ ...world, neighbourMs: 2_000 });
        expect(seen.unasked).toBe(0);
        expect(seen.servedAt).toHaveLength(150);
      }),
      { numRuns: 60 },
    );
  });
});

test('at least 90 % of each fixed window is used', () => {
  fc.assert(
    fc.property(circumstances, (circumstance) => {
      const world = worldOf(fixed(60, MINUTE, circumstance.phase), circumstance, 300);
      const quick = { ...world, concurrency: Math.max(4, world.concurrency) };
      const windows = new Map<number, number>();
      for (const at of simulate(quick).servedAt) {
        const index = Math.floor((at + circumstance.phase) / MINUTE);
        windows.set(index, (windows.get(index) ?? 0) + 1);
      }
      const whole = [...windows.values()].slice(1, -1);
      expect(whole.length).toBeGreaterThan(1);
      for (const used of whole) expect(used).toBeGreaterThanOrEqual(54);
    }),
  );
});

const steady: Circumstances = {
  skewMs: 0,
  concurrency: 8,
  latencies: [20, 35],
  rounding: Math.ceil,
  dated: true,
  phase: 0,
};

const hidden: Readonly<Record<string, (phase: number) => Limiter>> = {
  'a fixed window': (phase) => fixed(60, MINUTE, phase),
  'a sliding window': () => sliding(60, MINUTE, 'next'),
  'a token bucket': () => bucket(60, MINUTE, 'all'),
  'windows of which the one before counts in part': (phase) => weighted(60, MINUTE, phase),
};

test.each(Object.entries(hidden))(
  'a minute of %s is kept as well where the headers show the day, with the plan known or not',
  (_kind, make) => {
    fc.assert(
      fc.property(circumstances, fc.constantFrom('free' as const, null), (circumstance, plan) => {
        const limiter = showing(make(circumstance.phase), fixed(1_000, 86_400_000, 0));
        const seen = simulate({ ...worldOf(limiter, circumstance, 240), pace: { plan } });
        expect(seen.unasked).toBe(0);
        const slack = (240 / circumstance.concurrency) * 800;
        if (seen.endedBecause === null) expect(seen.tookMs).toBeLessThan((4 * MINUTE) / 0.9 + slack);
      }),
    );
  },
);

/** Both limits hold; so many answers show the first, as many then the second. */
const inTurn = (a: Limiter, b: Limiter, answers: number): Limiter => {
  let made = 0;
  return (now) => {
    const [first, second] = [a(now), b(now)];
    made += 1;
    const said = Math.floor(made / answers) % 2 === 0 ? first : second;
    return { ...said, served: first.served && second.served };
  };
};

test('a minute is kept where the headers show it and the day by turns, with the plan known or not', () => {
  fc.assert(
    fc.property(
      circumstances,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('free' as const, null),
      (circumstance, answers, plan) => {
        const limiter = inTurn(fixed(60, MINUTE, circumstance.phase), fixed(1_000, 86_400_000, 0), answers);
        const seen = simulate({ ...worldOf(limiter, circumstance, 240), pace: { plan } });
        expect(seen.unasked).toBe(0);
      },
    ),
  );
});

test('a day that refills request by request is not taken for a minute', () => {
  const limiter = showing(fixed(60, MINUTE, 0), bucket(1_000, 86_400_000, 'next'));
  for (const plan of ['free' as const, null]) {
    const seen = simulate({ ...worldOf(limiter, steady, 240), pace: { plan } });
    expect(seen).toMatchObject({ unasked: 0, endedBecause: null });
  }
});

test('a business minute of 1,000 is not taken for a free day', () => {
  const seen = simulate(worldOf(fixed(1_000, MINUTE, 1_234), steady, 2_000));
  expect(seen).toMatchObject({ unasked: 0, endedBecause: null });
  expect(seen.tookMs).toBeLessThan(130_000);
});

test('a used-up day ends the use of the key and says until when', () => {
  const limiter = showing(fixed(60, MINUTE, 0), fixed(100, 86_400_000, 0));
  const seen = simulate({ ...worldOf(limiter, steady, 240), pace: { plan: 'free' } });
  expect(seen.unasked).toBe(0);
  expect(seen.servedAt).toHaveLength(100);
  expect(seen.endedBecause).toMatch(/^the limit of the API key is used up until 2026-/);
});

test('a free key’s day is counted where the headers show the minute', () => {
  const seen = simulate(worldOf(fixed(60, MINUTE, 0), steady, 1_100));
  expect(seen.servedAt).toHaveLength(1_000);
  expect(seen.endedBecause).toContain('used up until');
});

test('without headers it keeps to the plan, or to the fallback, or to nothing, and says so', () => {
  const run = (pace: Partial<PaceOptions>) => {
    const notes: string[] = [];
    const world = worldOf(sliding(60, MINUTE, 'next'), steady, 180);
    const seen = simulate({
      ...world,
      headers: () => [],
      pace: { ...pace, note: (text) => notes.push(text) },
    });
    return { ...seen, notes };
  };
  for (const pace of [{ plan: 'free' as const }, { fallback: { perMinute: 60, perDay: null } }]) {
    const seen = run(pace);
    expect(seen.unasked).toBe(0);
    expect(seen.notes).toEqual([expect.stringContaining('at most 60 requests a minute')]);
  }
  expect(run({}).notes).toEqual([expect.stringContaining('not paced')]);
  const free = simulate({ ...worldOf(fixed(1e6, MINUTE, 0), steady, 900), headers: () => [] });
  expect(free.tookMs).toBeLessThan(10_000);
});

test('reset in milliseconds, as seconds to go or as a date, is understood', () => {
  const forms: Readonly<Record<string, (said: Said) => string>> = {
    milliseconds: (said) => `${said.resetAt}`,
    'seconds to go': (said) => `${Math.ceil(said.resetAt / 1000 - 1_790_000_000 - 3)}`,
    date: (said) => new Date(said.resetAt + 1_000).toUTCString(),
  };
  for (const [form, write] of Object.entries(forms)) {
    if (form === 'seconds to go') continue;
    const headers = (said: Said, lines: readonly Header[]): readonly Header[] =>
      lines.map(([name, value]) => [name, name === 'X-RateLimit-Reset' ? write(said) : value]);
    const seen = simulate({ ...worldOf(fixed(60, MINUTE, 0), steady, 180), headers });
    expect(seen, form).toMatchObject({ unasked: 0, endedBecause: null });
    expect(seen.tookMs, form).toBeLessThan(3 * MINUTE);
  }
});

test('requests without a key are not held up by a Remaining of 0 that nobody enforces', () => {
  const unlimited: Limiter = (now) => ({ served: true, limit: 60, remaining: 0, resetAt: now + MINUTE });
  const seen = simulate({ ...worldOf(unlimited, steady, 200), pace: { slot: 'anonymous' } });
  expect(seen.servedAt).toHaveLength(200);
  expect(seen.tookMs).toBeLessThan(10_000);
});

test('a counter that stands at 0 is believed for two windows, then the figure of the plan is kept to', () => {
  const unlimited: Limiter = (now) => ({ served: true, limit: 60, remaining: 0, resetAt: now + MINUTE });
  const seen = simulate(worldOf(unlimited, steady, 200));
  expect(seen.servedAt).toHaveLength(200);
  expect(seen.tookMs).toBeLessThan(5.6 * MINUTE);
});

test('without Date headers a skewed clock costs waiting, not 429s', () => {
  for (const skewMs of [-600_000, 0, 600_000]) {
    const seen = simulate({ ...worldOf(fixed(60, MINUTE, 7_000), { ...steady, dated: false, skewMs }, 150) });
    expect(seen.servedAt.length, `${skewMs}`).toBe(150);
    expect(seen.unasked, `${skewMs}`).toBe(0);
  }
});

describe('after a 429', () => {
  const start = 1_790_000_000_000;
  const make = (options: Partial<PaceOptions> = {}) =>
    createPace({
      slot: 'main',
      plan: null,
      fallback: null,
      sharedKey: false,
      maxWaitMs: 600_000,
      random: () => 0.5,
      note: () => undefined,
      ...options,
    });
  const refuse = (pace: ReturnType<typeof make>, now: number, retryAfter: string | null): void => {
    const headers: Header[] = [['Date', new Date(now).toUTCString()]];
    if (retryAfter !== null) headers.push(['Retry-After', retryAfter]);
    pace.answered(pace.sent(now), 429, headers, now);
  };
  const waitOf = (pace: ReturnType<typeof make>, now: number): number => {
    const permission = pace.ask(now);
    return permission.kind === 'wait' ? permission.untilMs - now : 0;
  };

  test('nothing is sent until Retry-After has passed, in either form, by the server’s clock', () => {
    const inSeconds = make();
    refuse(inSeconds, start, '30');
    expect(waitOf(inSeconds, start)).toBeGreaterThanOrEqual(30_000);
    expect(waitOf(inSeconds, start)).toBeLessThan(32_000);
    expect(inSeconds.ask(start + 32_000).kind).toBe('go');
    const behind = make();
    const serverNow = start - 3_600_000;
    const date = new Date(serverNow).toUTCString();
    const until = new Date(serverNow + 30_000).toUTCString();
    behind.answered(
      behind.sent(start),
      429,
      [
        ['Date', date],
        ['Retry-After', until],
      ],
      start,
    );
    expect(waitOf(behind, start)).toBeGreaterThanOrEqual(30_000);
    expect(waitOf(behind, start)).toBeLessThan(33_000);
  });

  test('repeated 429s add waits that grow by half at least, and end the use of the key', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (jitter) => {
          let turn = 0;
          const pace = make({ random: () => jitter[turn++ % 4] ?? 0 });
          const waits: number[] = [];
          let now = start;
          for (let round = 0; round < 3; round += 1) {
            refuse(pace, now, '10');
            waits.push(waitOf(pace, now) - 11_050);
            now += waitOf(pace, now);
            expect(pace.ask(now).kind).toBe('go');
          }
          expect(waits[0]).toBe(0);
          expect(waits[2] ?? 0).toBeGreaterThanOrEqual(1.5 * (waits[1] ?? 0));
          refuse(pace, now, '10');
          expect(pace.ask(now)).toMatchObject({ kind: 'ended', reason: expect.stringContaining('banned') });
        },
      ),
    );
  });

  test('a key that is then refused with 401 or 403 is taken for banned; one that is served is not', () => {
    const pace = make();
    refuse(pace, start, '1');
    for (let round = 0; round < 3; round += 1)
      pace.answered(pace.sent(start + 5_000), 403, [], start + 5_000);
    expect(pace.ask(start + 6_000)).toMatchObject({
      kind: 'ended',
      reason: expect.stringContaining('banned'),
    });
    const served = make();
    refuse(served, start, '1');
    served.answered(served.sent(start + 5_000), 200, [], start + 5_000);
    for (let round = 0; round < 5; round += 1)
      served.answered(served.sent(start + 5_000), 401, [], start + 5_000);
    expect(served.ask(start + 6_000).kind).toBe('go');
  });

  test('several 429s of one burst count once', () => {
    const pace = make();
    const burst = Array.from({ length: 8 }, () => pace.sent(start));
    for (const ticket of burst) pace.answered(ticket, 429, [['Retry-After', '5']], start + 10);
    expect(waitOf(pace, start + 10)).toBe(6_050);
  });

  test('a Retry-After longer than the longest wait ends the use of the key', () => {
    const pace = make();
    refuse(pace, start, '99999999');
    expect(pace.ask(start)).toMatchObject({
      kind: 'ended',
      reason: expect.stringContaining('used up until 2029-'),
    });
  });
});

test('the estimate counts windows', () => {
  const pace = createPace({
    slot: 'main',
    plan: null,
    fallback: null,
    sharedKey: false,
    maxWaitMs: 130_000,
    random: () => 0,
    note: () => undefined,
  });
  const now = 1_790_000_000_000;
  expect(pace.estimate(900, now)).toEqual({ ms: 0, note: 'no limit is known' });
  const lines: Header[] = [
    ['X-RateLimit-Limit', '60'],
    ['X-RateLimit-Remaining', '59'],
    ['X-RateLimit-Reset', `${now / 1000 + 60}`],
    ['Date', new Date(now).toUTCString()],
  ];
  pace.answered(pace.sent(now), 200, lines, now);
  expect(pace.estimate(59, now).ms).toBe(0);
  expect(pace.estimate(179, now).ms).toBeGreaterThanOrEqual(120_000 - 1);
  expect(pace.estimate(179, now).note).toBe('60 requests a minute, 59 of them left in this one');
});
