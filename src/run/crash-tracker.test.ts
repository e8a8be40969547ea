import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed } from '../../test/support/executing.ts';
import { readingOf, silenceOf } from '../../test/support/judging.ts';
import { getPet, listPets } from '../check/requests.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Probe } from '../oracle/probe.ts';
import { crashOf, createCrashTracker, withoutAfterCrash } from './crash-tracker.ts';

const silent = (probe: Probe, kind: 'reset' | 'refused', startedAt = 0) =>
  silenceOf(probe, kind, { startedAt, durationMs: 10 });
const dropped = (probe: Probe, startedAt = 0) => ({ probe, exchange: silent(probe, 'reset', startedAt) });
const answered = (probe: Probe, startedAt: number) => {
  const reading = readingOf(probe, {});
  return { probe, reading: { ...reading, exchange: { ...reading.exchange, startedAt } } };
};
const odd = { ...listPets({ limit: 0 }), inputSpace: 'undocumented', label: 'limit=0' } as const;
const plain = getPet('7');

describe('what may have brought a target down', () => {
  test('is all that was under way, what the document does not describe first', () => {
    const crashTracker = createCrashTracker();
    const [first, second] = [dropped(plain), dropped(odd)];
    for (const each of [first, second]) crashTracker.dropped(each);
    crashTracker.answered(answered(plain, 5));
    expect(crashTracker.suspects()).toEqual([second, first]);
  });

  test('is nothing that was dropped before the target took up another request', () => {
    const crashTracker = createCrashTracker();
    crashTracker.dropped(dropped(odd));
    crashTracker.answered(answered(plain, 10));
    expect(crashTracker.suspects()).toEqual([]);
    const later = dropped(plain, 20);
    crashTracker.dropped(later);
    expect(crashTracker.suspects()).toEqual([later]);
  });

  test('is told with what was answered last', () => {
    const crashTracker = createCrashTracker();
    for (const id of ['1', '2', '3', '4']) crashTracker.answered(answered(getPet(id), 0));
    const { last, ...between } = crashOf(crashTracker, silent(plain, 'refused'));
    expect(between).toEqual({ isDuringRequest: false, others: [] });
    expect(last.map(({ probe, status }) => [probe.request.path, status])).toEqual([
      ['/pets/2', 200],
      ['/pets/3', 200],
      ['/pets/4', 200],
    ]);
    const [alone, other] = [dropped(odd), dropped(plain)];
    crashTracker.dropped(alone);
    expect(crashOf(crashTracker, alone.exchange)).toMatchObject({ isDuringRequest: true, others: [] });
    crashTracker.dropped(other);
    expect(crashOf(crashTracker, alone.exchange)).toMatchObject({ isDuringRequest: true, others: [plain] });
  });
});

describe('causes', () => {
  const causeOf = (exchange: Exchange) => ({
    breach: { ...breachOf('GEN-4'), exchange },
    check: checkNamed('GEN-4 a check'),
    path: null,
    seen: 1,
    tries: 1,
    occurrences: 1,
    others: [],
  });

  test('of requests that only found the target gone give way to those that were under way', () => {
    const crashTracker = createCrashTracker();
    const [first, second] = [dropped(plain), dropped(odd)];
    for (const each of [first, second]) crashTracker.dropped(each);
    const [late, ordinary, unusual] = [
      causeOf(silent(plain, 'refused')),
      causeOf(first.exchange),
      causeOf(second.exchange),
    ];
    expect(withoutAfterCrash([late, ordinary, unusual], crashTracker)).toEqual([unusual, ordinary]);
  });

  test('stay where nothing is known to have been under way', () => {
    const late = causeOf(silent(plain, 'refused'));
    expect(withoutAfterCrash([late], createCrashTracker())).toEqual([late]);
    const crashTracker = createCrashTracker();
    crashTracker.dropped(dropped(odd));
    expect(withoutAfterCrash([late], crashTracker)).toEqual([late]);
  });
});
