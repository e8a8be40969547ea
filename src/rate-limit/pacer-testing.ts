import fc from 'fast-check';
import type { Header } from '../http/exchange.ts';
import type { KeyEnd, Pacing, RequestKind } from '../http/pacing.ts';
import type { Limiter, Said } from './limiters-testing.ts';
import { createPacer } from './pacer.ts';
import type { PacerOptions, SendTicket } from './pacer-state.ts';
import { createPacing, type PacingOptions } from './pacing.ts';

/** A request of which it does not matter what it is. */
export const anyKind: RequestKind = { name: 'listPets', safe: true };
export const MINUTE = 60_000;

export interface World {
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
  /** What the server sends in place of its usual headers, at this time of its clock. */
  readonly headers?: (said: Said, headers: readonly Header[], serverNow: number) => readonly Header[];
  readonly pace?: Partial<PacerOptions>;
}

export interface Seen {
  readonly unasked: number;
  /** Server's times of the requests served. */
  readonly servedAt: readonly number[];
  readonly endedBecause: KeyEnd | null;
  readonly tookMs: number;
}

/** Nothing is known of the key. */
export const pacerOptions: PacerOptions = {
  slot: 'main',
  plan: null,
  fallback: null,
  sharedKey: false,
  maxWaitMs: 130_000,
  random: () => 0.5,
  note: () => undefined,
};

/** The pacing of a client of which only these options matter. */
export const pacingOf = (options: Partial<PacingOptions>): Pacing =>
  createPacing({
    plans: { main: null, 'rate-limit': null },
    fallback: null,
    sharedKey: false,
    maxWaitMs: 130_000,
    random: () => 0.5,
    note: () => undefined,
    ...options,
  });

/** Runs a pacer against a simulated server: sendings, arrivals and answers in the order of their time. */
export const simulate = (world: World): Seen => {
  const start = 1_790_000_000_000;
  const pace = createPacer({
    ...pacerOptions,
    sharedKey: world.neighbourMs !== undefined,
    ...world.pace,
  });
  const events: { at: number; run: (now: number) => void }[] = [];
  const at = (time: number, run: (now: number) => void): void => {
    events.splice(events.findLastIndex((each) => each.at <= time) + 1, 0, { at: time, run });
  };
  const servedAt: number[] = [];
  let [unasked, sent, done, flying] = [0, 0, 0, 0];
  let endedBecause: KeyEnd | null = null;
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
    return world.headers?.(said, lines, serverNow) ?? lines;
  };
  const arrive =
    (ticket: SendTicket) =>
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
      if (permission.kind === 'response') return;
      if (permission.kind === 'ended') endedBecause = permission.end;
      if (permission.kind === 'wait') {
        if (wakeAt !== permission.untilMs) at(permission.untilMs, pump);
        wakeAt = permission.untilMs;
        return;
      }
      if (permission.kind !== 'go') return;
      sent += 1;
      flying += 1;
      at(now + world.latencyMs(), arrive(pace.sent(now, anyKind)));
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

export const conditions = fc.record({
  skewMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
  concurrency: fc.integer({ min: 1, max: 32 }),
  latencies: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 }),
  rounding: fc.constantFrom(Math.floor, Math.ceil, Math.round),
  dated: fc.constant<boolean>(true),
  phase: fc.integer({ min: 0, max: MINUTE }),
});
export type Conditions = typeof conditions extends fc.Arbitrary<infer Value> ? Value : never;

export const worldOf = (
  limiter: Limiter,
  { latencies, rounding, ...rest }: Conditions,
  requests: number,
): World => {
  let turn = 0;
  const latencyMs = (): number => latencies[turn++ % latencies.length] ?? 0;
  return { limiter, latencyMs, rounds: rounding, requests, ...rest };
};

export const steady: Conditions = {
  skewMs: 0,
  concurrency: 8,
  latencies: [20, 35],
  rounding: Math.ceil,
  dated: true,
  phase: 0,
};
