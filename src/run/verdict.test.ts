import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed } from '../../test/support/build.ts';
import type { KeySlot } from '../http/exchange.ts';
import type { Level, Requirement } from '../openapi/requirement.ts';
import type { LossCode, Reason } from '../oracle/reason.ts';
import { createEvidenceLog, type Evidence } from './evidence.ts';
import { decideVerdict, otherClients, withoutSharedKeys } from './verdict.ts';

interface Recorded {
  readonly met?: number;
  readonly breached?: true;
  readonly undecided?: readonly Reason[];
  readonly error?: string;
  /** Its cases, by what they were lost to. */
  readonly cases?: readonly (LossCode | null)[];
}

const requirement = (level: Level, dependsOn: readonly string[] = []): Requirement => ({
  id: 'LIST-3',
  level,
  statement: '',
  section: '',
  subject: 'server',
  dependsOn,
});

const judged = (
  {
    level = 'MUST',
    dependsOn = [] as string[],
    skipped = null as Reason | null,
    ended = null as Reason | null,
  },
  evidence: Readonly<Record<string, Recorded>>,
) => {
  const evidenceLog = createEvidenceLog(() => true);
  for (const [id, { met = 0, breached, undecided = [], error, cases = [] }] of Object.entries(evidence)) {
    evidenceLog.record(Array.from({ length: met }, () => ({ kind: 'passed', requirement: id }) as const));
    evidenceLog.record(
      undecided.map((reason) => ({ kind: 'inconclusive', requirement: id, reason }) as const),
    );
    if (breached)
      evidenceLog.recordFailure({
        breach: breachOf(id),
        check: checkNamed(id),
        path: null,
        seen: 1,
        tries: 1,
      });
    if (error !== undefined) evidenceLog.recordError(id, error);
    for (const lostTo of cases) evidenceLog.countCase(id, lostTo);
  }
  return decideVerdict(requirement(level as Level, dependsOn), {
    ended,
    evidenceOn: evidenceLog.evidenceOn,
    casesOf: evidenceLog.casesOf,
    skipped: (id) => (id === 'LIST-3' ? skipped : null),
  });
};
const needsKey: Reason = { code: 'needs-rate-limit-key', detail: 'key' };
const noAnimal: Reason = { code: 'no-animal', detail: 'none' };
const frequent: Reason = { code: 'no-response' };
const own = (evidence: Recorded) => ({ 'LIST-3': evidence });

describe('the verdict', () => {
  test('is failed, or of a SHOULD warned, on a single breach, whatever was met', () => {
    for (const met of [0, 100]) {
      expect(judged({}, own({ breached: true, met }))).toEqual({ verdict: 'failed', reason: null });
      expect(judged({ level: 'SHOULD' }, own({ breached: true, met })).verdict).toBe('warned');
    }
  });

  test('a case was lost to a limit of the run -> inconclusive instead of passed, with the limit', () => {
    const cases = [null, 'max-creates', null, 'max-creates', 'budget'] as const;
    expect(judged({}, own({ met: 2, cases }))).toEqual({
      verdict: 'inconclusive',
      reason: { code: 'max-creates', detail: 'lost', lost: 3, of: 5, to: ['max-creates', 'budget'] },
    });
    expect(judged({ level: 'OPEN' }, own({ met: 2, cases })).verdict).toBe('observed');
    expect(judged({}, own({ met: 2, cases, breached: true })).verdict).toBe('failed');
    expect(judged({}, own({ met: 2, cases: [null, null] })).verdict).toBe('passed');
  });

  test('any case was lost -> a requirement on every response is not passed, RATE-1 to RATE-3 are', () => {
    const evidenceLog = createEvidenceLog(() => true);
    evidenceLog.countCase('CREATE-6', 'read-only');
    expect(evidenceLog.casesOf('GEN-1').lost).toEqual(new Map([['read-only', 1]]));
    evidenceLog.countCase('RATE-1', 'budget');
    expect(evidenceLog.casesOf('RATE-1').lost.size).toBe(0);
  });

  test('is passed, or of an OPEN observed, where it was met, whatever was not decided', () => {
    for (const undecided of [[], [noAnimal, noAnimal]]) {
      expect(judged({}, own({ met: 1, undecided }))).toEqual({ verdict: 'passed', reason: null });
      expect(judged({ level: 'SHOULD' }, own({ met: 1, undecided })).verdict).toBe('passed');
      expect(judged({ level: 'OPEN' }, own({ met: 1, undecided })).verdict).toBe('observed');
    }
  });

  test('is inconclusive where nothing was decided, for the most frequent reason', () => {
    expect(judged({}, own({ undecided: [noAnimal, frequent, frequent] }))).toEqual({
      verdict: 'inconclusive',
      reason: frequent,
    });
  });

  test('is skipped where there is no evidence at all, never passed', () => {
    expect(judged({}, {})).toEqual({
      verdict: 'skipped',
      reason: { code: 'not-tested' },
    });
    expect(judged({ skipped: needsKey }, {})).toEqual({ verdict: 'skipped', reason: needsKey });
    const ended = { code: 'run-ended', detail: 'no-connection' } as const;
    expect(judged({ ended }, {}).reason).toEqual(ended);
  });

  test('is skipped for its reason, unless it was met or breached all the same', () => {
    const skipped = needsKey;
    expect(judged({ skipped }, own({ undecided: [noAnimal] })).verdict).toBe('skipped');
    expect(judged({ skipped }, own({ met: 1 })).verdict).toBe('passed');
    expect(judged({ skipped }, own({ breached: true })).verdict).toBe('failed');
  });

  test('is error where the suite failed and the server did not', () => {
    expect(judged({}, own({ error: 'TypeError', met: 5 }))).toEqual({
      verdict: 'error',
      reason: { code: 'suite-error', error: 'TypeError' },
    });
    expect(judged({}, own({ error: 'TypeError', breached: true })).verdict).toBe('failed');
  });
});

describe('what it depends on', () => {
  const depends = { dependsOn: ['LIST-1', 'CREATE-1'] };
  const reason = { code: 'blocked', requirement: 'CREATE-1' };

  test.each<[string, Recorded]>([
    ['a breach', { breached: true }],
    ['what was met', { met: 3 }],
    ['what was not decided', { undecided: [noAnimal] }],
    ['nothing', {}],
  ])('makes it inconclusive where that never works, with %s', (_, evidence) => {
    const broken = { 'CREATE-1': { breached: true as const, undecided: [noAnimal] } };
    expect(judged(depends, { ...own(evidence), ...broken })).toEqual({ verdict: 'inconclusive', reason });
  });

  test('makes no difference where it works now and then, or was not tried', () => {
    for (const other of [{ met: 1, breached: true as const }, { undecided: [noAnimal] }, { met: 1 }, {}]) {
      expect(judged(depends, { ...own({ breached: true }), 'CREATE-1': other }).verdict).toBe('failed');
      expect(judged(depends, { ...own({ met: 1 }), 'CREATE-1': other }).verdict).toBe('passed');
    }
  });
});

const failed = (requirement: string): Evidence => ({
  passed: 1,
  ms: 0,
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
  inconclusive: new Map(),
  errors: [],
});
const passed: Evidence = { ...failed('RATE-5'), causes: [] };
const sharing = (slots: readonly KeySlot[], sharedKey = false) => ({
  client: { isShared: (slot: KeySlot) => slots.includes(slot) },
  settings: { sharedKey },
});
const reasonOf = ({ inconclusive }: Evidence) => [...inconclusive.values()].map(({ reason }) => reason);

describe('with others on a key', () => {
  test.each(['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'])('no failure of %s is believed', (id) => {
    const withdrawn = withoutSharedKeys(id, failed(id), sharing(['main']));
    expect([withdrawn.causes, withdrawn.passed]).toEqual([[], 0]);
    expect(reasonOf(withdrawn)).toEqual([{ code: 'shared-key', detail: 'others', key: 'main' }]);
  });

  test('nothing is decided by the rate limit key that they use', () => {
    const withdrawn = withoutSharedKeys('RATE-5', passed, sharing(['main', 'rate-limit']));
    expect(withdrawn.passed).toBe(0);
    expect(reasonOf(withdrawn)).toEqual([{ code: 'shared-key', detail: 'others', key: 'rate-limit' }]);
  });

  test('what another key met, and every other failure, is believed', () => {
    expect(withoutSharedKeys('RATE-5', passed, sharing(['main']))).toBe(passed);
    const other = failed('RATE-4');
    expect(withoutSharedKeys('RATE-4', other, sharing(['main', 'rate-limit']))).toBe(other);
  });

  test('the report shows which key others were seen to use, unless that was declared', () => {
    expect(otherClients(sharing(['main'])).map(({ subject }) => subject)).toEqual(['other clients']);
    expect(otherClients(sharing(['main'], true))).toEqual([]);
  });
});

test('with keys of its own the run believes what it finds', () => {
  const evidence = failed('RATE-6');
  expect(withoutSharedKeys('RATE-6', evidence, sharing([]))).toBe(evidence);
});
