import { bearer } from '../../src/client/credentials.ts';
import type { KeySlot } from '../../src/client/exchange.ts';
import { type Reading, serverTime } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { listPets } from '../../src/run/probes.ts';

/** The rate limit headers of an answer, in whole numbers and seconds; null where one is absent or malformed. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since the Unix epoch, by the server. */
  readonly reset: number;
  /** Seconds from the server's own `Date` to the reset; null without a `Date`. */
  readonly untilReset: number | null;
}

const whole = (reading: Reading, name: string): number | null => {
  const text = reading.header(name).join(', ');
  return /^\d+$/.test(text) ? Number(text) : null;
};

export const limitState = (reading: Reading): LimitState | null => {
  const limit = whole(reading, 'x-ratelimit-limit');
  const remaining = whole(reading, 'x-ratelimit-remaining');
  const reset = whole(reading, 'x-ratelimit-reset');
  const now = serverTime(reading);
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, reset, untilReset: now === null ? null : reset - now / 1000 };
};

/** One cheap request with a key, sent at once: a 429 is as welcome as any answer. */
export const spend = (context: CaseContext, slot: KeySlot): Promise<Reading> =>
  context.send(listPets({ limit: 1, credential: bearer(slot) }), { asked429: true });

/** What each plan allows (section "Limits"). */
export const planFigures = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
} as const;

/** The limit of a minute, and the length of its window in seconds; null where the headers do not tell and no plan is known. */
export const minuteLimit = (
  state: LimitState | null,
  plan: keyof typeof planFigures | null,
): { readonly most: number; readonly window: number } | null => {
  if (plan !== null) {
    const { minute, day } = planFigures[plan];
    if (state === null || state.limit === day || state.limit === minute) return { most: minute, window: 60 };
  }
  if (state === null) return null;
  const isMinute = Object.values(planFigures).some(({ minute }) => minute === state.limit);
  const until = state.untilReset ?? 60;
  // A reset far ahead speaks of a longer window than a minute: how much of it a minute may take is not shown.
  if (until > 90) return null;
  return { most: state.limit, window: isMinute ? 60 : Math.max(1, Math.min(60, until)) };
};
