import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed } from '../../test/support/executing.ts';
import { readingOf, silenceOf } from '../../test/support/judging.ts';
import { getPet, listPets } from '../check/requests.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Probe } from '../oracle/probe.ts';
import { crashOf, createOutage, withoutLatecomers } from './outage.ts';

const silent = (probe: Probe, kind: 'reset' | 'refused', startedAt = 0) =>
  silenceOf(probe, kind, { startedAt, durationMs: 10 });
const dropped = (probe: Probe, startedAt = 0) => ({ probe, exchange: silent(probe, 'reset', startedAt) });
const answered = (probe: Probe, startedAt: number) => {
  const reading = readingOf(probe, {});
  return { probe, reading: { ...reading, exchange: { ...reading.exchange, startedAt } } };
};
const odd = { ...listPets({ limit: 0 }), space: 'outside', label: 'limit=0' } as const;
const plain = getPet('7');

describe('what may have brought a target down', () => {
  test('is all that was under way, what the document does not describe first', () => {
    const outage = createOutage();
    const [first, second] = [dropped(plain), dropped(odd)];
    for (const each of [first, second]) outage.dropped(each);
    outage.answered(answered(plain, 5));
    expect(outage.suspects()).toEqual([second, first]);
  });

  test('is nothing that was dropped before the target took up another request', () => {
    const outage = createOutage();
    outage.dropped(dropped(odd));
    outage.answered(answered(plain, 10));
    expect(outage.suspects()).toEqual([]);
    const later = dropped(plain, 20);
    outage.dropped(later);
    expect(outage.suspects()).toEqual([later]);
  });

  test('is told with what was answered last', () => {
    const outage = createOutage();
    for (const id of ['1', '2', '3', '4']) outage.answered(answered(getPet(id), 0));
    const { last, ...between } = crashOf(outage, silent(plain, 'refused'));
    expect(between).toEqual({ isDuringRequest: false, others: [] });
    expect(last.map(({ probe, status }) => [probe.request.path, status])).toEqual([
      ['/pets/2', 200],
      ['/pets/3', 200],
      ['/pets/4', 200],
    ]);
    const [alone, other] = [dropped(odd), dropped(plain)];
    outage.dropped(alone);
    expect(crashOf(outage, alone.exchange)).toMatchObject({ isDuringRequest: true, others: [] });
    outage.dropped(other);
    expect(crashOf(outage, alone.exchange)).toMatchObject({ isDuringRequest: true, others: [plain] });
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
    const outage = createOutage();
    const [first, second] = [dropped(plain), dropped(odd)];
    for (const each of [first, second]) outage.dropped(each);
    const [late, ordinary, unusual] = [
      causeOf(silent(plain, 'refused')),
      causeOf(first.exchange),
      causeOf(second.exchange),
    ];
    expect(withoutLatecomers([late, ordinary, unusual], outage)).toEqual([unusual, ordinary]);
  });

  test('stay where nothing is known to have been under way', () => {
    const late = causeOf(silent(plain, 'refused'));
    expect(withoutLatecomers([late], createOutage())).toEqual([late]);
    const outage = createOutage();
    outage.dropped(dropped(odd));
    expect(withoutLatecomers([late], outage)).toEqual([late]);
  });
});
