import { expect, test } from 'vitest';
import type { Patch } from '../src/reference/patch.ts';
import { replace, withState, wrap } from '../src/reference/patch-kit/core.ts';
import { judgeOn } from './support/paced-run.ts';
import { alarms } from './support/run-in-words.ts';

const grants = { main: { key: 'main-key-of-these-tests', plan: 'business' } } as const;

/** Whoever they come from, more requests in a second are refused, whatever the headers say. */
const atMostPerSecond = (most: number): Patch => {
  let [second, count] = [0, 0];
  return replace('admit', (before) => (call) => {
    const admission = before(call);
    const now = Math.floor(call.at / 1000);
    count = now === second ? count + 1 : 1;
    second = now;
    return count > most ? { ...admission, verdict: 'limited', retryAt: (now + 1) * 1000 } : admission;
  });
};

test.each([2, 5, 10, 20])(
  'behind a gateway that takes %i requests a second a run goes slower, and judges all the same',
  async (most) => {
    // With an unknown plan, a minute that the headers do not show may explain the first 429s.
    const recipe = { grants, patch: atMostPerSecond(most), plansTold: true };
    const { outcome, told } = await judgeOn(recipe, { runs: 10 });
    expect(outcome.traffic.rateLimitedUnasked).toBeLessThan(30);
    expect(outcome.verdict).toBe('nonconformant');
    expect(alarms(outcome)).toEqual([expect.stringMatching(/^RATE-6/), expect.stringMatching(/^RATE-10/)]);
    const notes = told.flatMap(({ event }) => (event.kind === 'note' ? [event.text] : []));
    expect(notes).toContainEqual(expect.stringMatching(/unexpected 429: slowing down to 16 requests\/s/));
  },
);

/** The very first request is answered before the service behind has started. */
const notReadyYet: Patch = withState(() => {
  let isFirst = true;
  return wrap(async (_, next) => {
    const reply = await next();
    const status = isFirst ? 503 : reply.status;
    isFirst = false;
    return { ...reply, status };
  });
});

test('a first request that alone fails is a failure of the server, and no other breach', async () => {
  const { outcome } = await judgeOn({ grants, patch: notReadyYet }, { only: ['LIST-1', 'GEN'], runs: 5 });
  expect(alarms(outcome).map((alarm) => alarm.split(':')[0])).toEqual(['GEN-1', 'GEN-4']);
});
