import { expect, test } from 'vitest';
import { createVirtualClock } from '../time/virtual-clock.ts';
import type { PaceSlot, Pacing, Permission } from './pacing.ts';
import { createRequestQueue, type Gate } from './request-queue.ts';

const go: Permission = { kind: 'go' };

/** A queue with a pacing that says what `says` holds at the time. */
const setUp = ({ concurrency = 1 } = {}) => {
  const clock = createVirtualClock(0);
  const says: Record<PaceSlot, Permission> = { main: go, 'rate-limit': go, anonymous: go };
  const gate: { says: Gate } = { says: { kind: 'go' } };
  const told: string[] = [];
  const given: string[] = [];
  const pacing: Pacing = {
    ask: ({ slot, expects429 }, now) => {
      const said = says[slot];
      return expects429 || (said.kind === 'wait' && said.untilMs <= now) ? go : said;
    },
    sent: () => () => {},
    estimate: () => ({ ms: 0, note: '' }),
    isShared: () => false,
  };
  const turns = createRequestQueue({
    clock,
    pacing,
    concurrency,
    gate: () => gate.says,
    onWait: (reason, untilMs) => told.push(`${reason} until ${untilMs}`),
    onEnded: (slot, end) => told.push(`${slot} ended: ${end.detail}`),
    signal: new AbortController().signal,
  });
  /** Asks for a turn, and notes when it came. */
  const ask = async (name: string, slot: PaceSlot, { expects429 = false, isRetry = false } = {}) => {
    const kind = { name: 'listPets', safe: true };
    const paced = { slot, kind, keyPlace: '', expects429, duringBackoff: false };
    const turn = await turns.next(paced, { isRetry, refusal: () => null });
    given.push(
      turn.kind === 'go' ? `${name}: ${turn.number} at ${clock.now()}` : `${name}: ${turn.reason.code}`,
    );
  };
  return { turns, ask, says, gate, told, given, clock };
};

test('one goes as another is over, in their order, those sent again first', async () => {
  const { turns, ask, given } = setUp();
  const [first, second, third] = [ask('a', 'main'), ask('b', 'main'), ask('c', 'main')];
  const again = ask('b again', 'main', { isRetry: true });
  for (const each of [first, again, second, third]) {
    await each;
    turns.done();
  }
  expect(given).toEqual(['a: 1 at 0', 'b again: 2 at 0', 'b: 3 at 0', 'c: 4 at 0']);
});

test('a pace that waits holds up its own requests alone, and says so once', async () => {
  const { ask, says, told, given } = setUp({ concurrency: 8 });
  says.main = { kind: 'wait', untilMs: 5_000, reason: 'used up' };
  await Promise.all([ask('a', 'main'), ask('b', 'main'), ask('c', 'anonymous'), ask('d', 'rate-limit')]);
  expect(given).toEqual(['c: 1 at 0', 'd: 2 at 0', 'a: 3 at 5000', 'b: 4 at 5000']);
  expect(told).toEqual(['used up until 5000']);
});

test('a 429 that is asked for waits for no pace', async () => {
  const { ask, says, given } = setUp();
  says.main = { kind: 'wait', untilMs: 5_000, reason: 'used up' };
  await ask('asked', 'main', { expects429: true });
  expect(given).toEqual(['asked: 1 at 0']);
});

test('what waits for an answer goes once one has come', async () => {
  const { turns, ask, says, given } = setUp({ concurrency: 8 });
  await ask('a', 'main');
  says.main = { kind: 'response' };
  const second = ask('b', 'main');
  says.main = go;
  expect(given).toEqual(['a: 1 at 0']);
  turns.done();
  await second;
  expect(given.at(-1)).toBe('b: 2 at 0');
});

test('a key that has ended refuses its requests, and is told', async () => {
  const { ask, says, told, given } = setUp();
  says.main = { kind: 'ended', end: { detail: 'banned', key: 'main', waits: 3 } };
  await Promise.all([ask('a', 'main'), ask('b', 'anonymous')]);
  expect(given).toEqual(['a: rate-limit', 'b: 1 at 0']);
  expect(told).toEqual(['main ended: banned']);
});

test('once the gate is closed all that wait are refused as soon as they look again', async () => {
  const { turns, ask, gate, given } = setUp();
  await ask('a', 'main');
  const waiting = [ask('b', 'main'), ask('c', 'anonymous', { expects429: true })];
  gate.says = { kind: 'refused', reason: { code: 'interrupted' } };
  turns.recheck();
  await Promise.all(waiting);
  expect(given).toEqual(['a: 1 at 0', 'c: interrupted', 'b: interrupted']);
});
