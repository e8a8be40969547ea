import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed } from '../../test/support/executing.ts';
import type { KeySlot } from '../http/exchange.ts';
import type { Entry } from './evidence.ts';
import { besideOthers, otherClients } from './shared-keys.ts';

const failed = (requirement: string): Entry => ({
  met: 1,
  causes: [
    {
      breach: breachOf(requirement),
      check: checkNamed('RATE-5 a check'),
      path: null,
      seen: 1,
      tries: 1,
      occurrences: 1,
      others: [],
    },
  ],
  undecided: new Map(),
  errors: [],
});
const met: Entry = { ...failed('RATE-5'), causes: [] };
const sharing = (slots: readonly KeySlot[], sharedKey = false) => ({
  client: { isShared: (slot: KeySlot) => slots.includes(slot) },
  settings: { sharedKey },
});
const reasonOf = ({ undecided }: Entry) => [...undecided.values()].map(({ reason }) => reason);

describe('with others on a key', () => {
  test.each(['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'])('no failure of %s is believed', (id) => {
    const withdrawn = besideOthers(id, failed(id), sharing(['main']));
    expect([withdrawn.causes, withdrawn.met]).toEqual([[], 0]);
    expect(reasonOf(withdrawn)).toEqual([{ code: 'shared-key', detail: 'others', key: 'main' }]);
  });

  test('nothing is decided by the rate limit key that they use', () => {
    const withdrawn = besideOthers('RATE-5', met, sharing(['main', 'rate-limit']));
    expect(withdrawn.met).toBe(0);
    expect(reasonOf(withdrawn)).toEqual([{ code: 'shared-key', detail: 'others', key: 'rate-limit' }]);
  });

  test('what another key met, and every other failure, is believed', () => {
    expect(besideOthers('RATE-5', met, sharing(['main']))).toBe(met);
    const other = failed('RATE-4');
    expect(besideOthers('RATE-4', other, sharing(['main', 'rate-limit']))).toBe(other);
  });

  test('the report shows which key others were seen to use, unless that was declared', () => {
    expect(otherClients(sharing(['main'])).map(({ subject }) => subject)).toEqual(['other clients']);
    expect(otherClients(sharing(['main'], true))).toEqual([]);
  });
});

test('with keys of its own the run believes what it finds', () => {
  const entry = failed('RATE-6');
  expect(besideOthers('RATE-6', entry, sharing([]))).toBe(entry);
});
