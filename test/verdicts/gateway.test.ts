import { expect, test } from 'vitest';
import type { Patch } from '../../src/reference/patch.ts';
import { replace, withState, wrap } from '../../src/reference/patch-kit/core.ts';
import { judgeOn } from '../support/paced-run.ts';
import { alarms } from '../support/run-in-words.ts';

/** Refuses more requests in a second from all clients together, independent of the headers. */
const atMostPerSecond = (most: number): Patch => {
  let [second, count] = [0, 0];
  return replace('admit', (before) => (call) => {
    const decision = before(call);
    const now = Math.floor(call.at / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    return count > most ? { ...decision, verdict: 'limited', retryAt: (now + 1) * 1000 } : decision;
  });
};

test.each([2, 5, 10, 20])(
  'a gateway that accepts %i requests a second -> the run slows down, and tests everything',
  async (most) => {
    // With an unknown plan, a limit of a minute that the headers do not show may explain the first 429s.
    const setup = { keys: ['business'], patch: atMostPerSecond(most), plansKnown: true } as const;
    const { outcome, events } = await judgeOn(setup, { runs: 10 });
    expect(outcome.traffic.rateLimitedUnasked).toBeLessThan(30);
    expect(outcome.verdict).toBe('nonconformant');
    expect(alarms(outcome)).toEqual([expect.stringMatching(/^RATE-6/), expect.stringMatching(/^RATE-10/)]);
    const notes = events.flatMap(({ event }) => (event.kind === 'note' ? [event.note] : []));
    expect(notes).toContainEqual({ kind: 'slowed-down', slot: 'main', perSecond: 16 });
  },
);

/** The first request gets a 503, because the service behind the gateway has not started. */
const notReadyYet: Patch = withState(() => {
  let isFirst = true;
  return wrap(async (_, next) => {
    const reply = await next();
    const status = isFirst ? 503 : reply.status;
    isFirst = false;
    return { ...reply, status };
  });
});

test('only the first request fails -> a server error, and no other failure', async () => {
  const { outcome } = await judgeOn(
    { keys: ['business'], patch: notReadyYet },
    { only: ['LIST-1', 'GEN'], runs: 5 },
  );
  expect(alarms(outcome).map((alarm) => alarm.split(':')[0])).toEqual(['GEN-1', 'GEN-4']);
});
