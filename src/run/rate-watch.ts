import type { KeySlot } from '../client/exchange.ts';
import { type Reading, serverTime } from '../oracle/reading.ts';
import { readRetryAfter } from '../oracle/rules/rate-limit-headers.ts';
import type { Finding, Probe } from './check.ts';

/** What an answer said of the limit, and when it was complete. */
interface Said {
  readonly remaining: number;
  readonly reset: number;
  readonly completedAt: number;
  readonly exchange: number;
}

/** A wait this long speaks of the day's limit, which the headers need not show (the document does not say which they show). */
const longWait = 120;

const whole = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : null;

/** RATE-6, on every answer that comes to a key that is ours alone: no 429 while requests remain. */
export const createRateWatch = (isOursAlone: (slot: KeySlot) => boolean, concurrency: number) => {
  const said = new Map<KeySlot, Said[]>();
  const started = new Map<KeySlot, number[]>();

  const learn = (slot: KeySlot, reading: Reading) => {
    const remaining = whole(reading.header('x-ratelimit-remaining')[0]);
    const reset = whole(reading.header('x-ratelimit-reset')[0]);
    const { id, startedAt, durationMs } = reading.exchange;
    const starts = started.get(slot) ?? [];
    started.set(slot, [...starts.slice(-2000), startedAt]);
    if (remaining === null || reset === null) return;
    const history = said.get(slot) ?? [];
    said.set(slot, [
      ...history.slice(-200),
      { remaining, reset, completedAt: startedAt + durationMs, exchange: id },
    ]);
  };

  const judge = (slot: KeySlot, reading: Reading): readonly Finding[] => {
    const { exchange } = reading;
    const before = (said.get(slot) ?? [])
      .filter(({ completedAt }) => completedAt < exchange.startedAt)
      .at(-1);
    const now = serverTime(reading);
    const wait = readRetryAfter(reading);
    if (before === undefined || now === null || now / 1000 >= before.reset - 1) return [];
    if (wait !== null && wait.seconds > longWait) return [];
    const since = (started.get(slot) ?? []).filter((at) => at >= before.completedAt).length;
    // Requests that were under way when that response was written may have been counted after it.
    if (before.remaining - since - concurrency < 1) return [];
    return [
      {
        kind: 'breach',
        requirement: 'RATE-6',
        rule: '429 while requests remain',
        message: 'A request is refused with 429 although the response before it said that requests remain.',
        expected: `the request served: ${before.remaining} requests remained in this window, ${since} were sent since`,
        actual: 'status 429',
        exchange,
      },
    ];
  };

  return {
    /** Judges one answer in the order of arrival, then remembers what it says. */
    watch: (reading: Reading, probe: Probe): readonly Finding[] => {
      const slot = probe.request.credential.charges;
      if (slot === null || !isOursAlone(slot)) return [];
      const findings = reading.status === 429 ? judge(slot, reading) : [];
      learn(slot, reading);
      return findings;
    },
  };
};
