import fc from 'fast-check';
import type { Header } from '../http/exchange.ts';
import type { KeyEnd, Pacing, RequestKind } from '../http/pacing-types.ts';
import { readRateLimit } from './headers.ts';
import type { Limiter, LimiterResult } from './limiters-testing.ts';
import { createPacer } from './pacer.ts';
import type { PacerOptions, SendTicket } from './pacer-state.ts';
import { createPacing, type PacingOptions } from './pacing.ts';

/** The kind of a request, if it does not matter. */
export const anyKind: RequestKind = { name: 'listPets', safe: true };
export const MINUTE = 60_000;

export interface World {
  readonly limiter: Limiter;
  /** The server's clock minus the local clock. */
  readonly skewMs: number;
  readonly latencyMs: () => number;
  readonly concurrency: number;
  readonly requests: number;
  readonly roundReset: (seconds: number) => number;
  readonly hasDate: boolean;
  /** Milliseconds between two requests of another client with the same key. */
  readonly otherClientMs?: number;
  /** Replaces the usual headers. `serverNow`: time by the server's clock. */
  readonly headers?: (
    decision: LimiterResult,
    headers: readonly Header[],
    serverNow: number,
  ) => readonly Header[];
  readonly pacerOptions?: Partial<PacerOptions>;
}

export interface SimulationResult {
  readonly unexpected429s: number;
  /** Times of served requests by the server's clock. */
  readonly servedAt: readonly number[];
  readonly endReason: KeyEnd | null;
  readonly tookMs: number;
}

/** Options for an unknown key. */
export const pacerOptions: PacerOptions = {
  slot: 'main',
  plan: null,
  fallback: null,
  sharedKey: false,
  maxWaitMs: 130_000,
  random: () => 0.5,
  note: () => undefined,
};

/** Pacing with defaults for the other options. */
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

/** Runs a pacer against a simulated server. Events run in the order of their time. */
export const simulate = (world: World): SimulationResult => {
  const start = 1_790_000_000_000;
  const pacer = createPacer({
    ...pacerOptions,
    sharedKey: world.otherClientMs !== undefined,
    ...world.pacerOptions,
  });
  const events: { at: number; run: (now: number) => void }[] = [];
  const at = (time: number, run: (now: number) => void): void => {
    events.splice(events.findLastIndex((each) => each.at <= time) + 1, 0, { at: time, run });
  };
  const servedAt: number[] = [];
  let [unexpected429s, sent, done, inFlight] = [0, 0, 0, 0];
  let endReason: KeyEnd | null = null;
  let wakeAt = Number.POSITIVE_INFINITY;

  const headersOf = (decision: LimiterResult, serverNow: number): readonly Header[] => {
    const lines: Header[] = [
      ['X-RateLimit-Limit', `${decision.limit}`],
      ['X-RateLimit-Remaining', `${decision.remaining}`],
      ['X-RateLimit-Reset', `${world.roundReset(decision.resetAt / 1000)}`],
    ];
    if (world.hasDate) lines.push(['Date', new Date(serverNow).toUTCString()]);
    if (!decision.served)
      lines.push(['Retry-After', `${Math.max(0, Math.ceil((decision.resetAt - serverNow) / 1000))}`]);
    return world.headers?.(decision, lines, serverNow) ?? lines;
  };
  const arrive =
    (ticket: SendTicket) =>
    (now: number): void => {
      const serverNow = now + world.skewMs;
      const decision = world.limiter(serverNow);
      if (decision.served) servedAt.push(serverNow);
      else unexpected429s += 1;
      const headers = headersOf(decision, serverNow);
      at(now + world.latencyMs(), (later) => {
        pacer.responded(ticket, decision.served ? 200 : 429, readRateLimit(headers, later), later);
        inFlight -= 1;
        done += 1;
        pump(later);
      });
    };
  const pump = (now: number): void => {
    while (sent < world.requests && inFlight < world.concurrency && endReason === null) {
      const permission = pacer.ask(now);
      if (permission.kind === 'response') return;
      if (permission.kind === 'ended') endReason = permission.end;
      if (permission.kind === 'wait') {
        if (wakeAt !== permission.untilMs) at(permission.untilMs, pump);
        wakeAt = permission.untilMs;
        return;
      }
      if (permission.kind !== 'go') return;
      sent += 1;
      inFlight += 1;
      at(now + world.latencyMs(), arrive(pacer.sent(now, anyKind)));
    }
  };
  const sendByOther = (now: number): void => {
    world.limiter(now + world.skewMs);
    if (world.otherClientMs !== undefined) at(now + world.otherClientMs, sendByOther);
  };
  if (world.otherClientMs !== undefined) at(start, sendByOther);
  at(start, pump);
  let now = start;
  for (
    let event = events.shift();
    event && done < world.requests && !(endReason && inFlight === 0);
    event = events.shift()
  ) {
    now = event.at;
    event.run(now);
  }
  return { unexpected429s, servedAt, endReason, tookMs: now - start };
};

export const conditions = fc.record({
  skewMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
  concurrency: fc.integer({ min: 1, max: 32 }),
  latencies: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 20 }),
  rounding: fc.constantFrom(Math.floor, Math.ceil, Math.round),
  hasDate: fc.constant<boolean>(true),
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
  return { limiter, latencyMs, roundReset: rounding, requests, ...rest };
};

export const steady: Conditions = {
  skewMs: 0,
  concurrency: 8,
  latencies: [20, 35],
  rounding: Math.ceil,
  hasDate: true,
  phase: 0,
};
