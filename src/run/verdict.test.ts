import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed } from '../../test/support/build.ts';
import type { LossCode, Reason } from '../finding/reason.ts';
import type { KeySlot } from '../http/exchange.ts';
import type { Level, Requirement } from '../openapi/requirement.ts';
import { decideVerdict } from './decide-verdict.ts';
import { createEvidenceLog, type Evidence, notYetKnown } from './evidence.ts';
import { createFailureWatch, otherClients, withoutSharedKeys } from './verdict.ts';

interface Recorded {
  readonly passes?: number;
  readonly failed?: true;
  readonly inconclusive?: readonly Reason[];
  readonly error?: string;
  /** What each of its cases was lost to; null: nothing. */
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
  for (const [id, { passes = 0, failed, inconclusive = [], error, cases = [] }] of Object.entries(evidence)) {
    evidenceLog.record(Array.from({ length: passes }, () => ({ kind: 'passed', requirement: id }) as const));
    evidenceLog.record(
      inconclusive.map((reason) => ({ kind: 'inconclusive', requirement: id, reason }) as const),
    );
    if (failed)
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

describe('verdict', () => {
  test('one breach, any number of passes -> failed, or warned for a SHOULD', () => {
    for (const passes of [0, 100]) {
      expect(judged({}, own({ failed: true, passes }))).toEqual({ verdict: 'failed', reason: null });
      expect(judged({ level: 'SHOULD' }, own({ failed: true, passes })).verdict).toBe('warned');
    }
  });

  test('a case was lost to a limit of the run -> inconclusive instead of passed, with the limit', () => {
    const cases = [null, 'max-creates', null, 'max-creates', 'budget'] as const;
    expect(judged({}, own({ passes: 2, cases }))).toEqual({
      verdict: 'inconclusive',
      reason: { code: 'max-creates', detail: 'lost', lost: 3, of: 5, to: ['max-creates', 'budget'] },
    });
    expect(judged({ level: 'OPEN' }, own({ passes: 2, cases })).verdict).toBe('observed');
    expect(judged({}, own({ passes: 2, cases, failed: true })).verdict).toBe('failed');
    expect(judged({}, own({ passes: 2, cases: [null, null] })).verdict).toBe('passed');
  });

  test('any case was lost -> a requirement on every response is not passed, RATE-1 to RATE-3 are', () => {
    const evidenceLog = createEvidenceLog(() => true);
    evidenceLog.countCase('CREATE-6', 'read-only');
    expect(evidenceLog.casesOf('GEN-1').lost).toEqual(new Map([['read-only', 1]]));
    evidenceLog.countCase('RATE-1', 'budget');
    expect(evidenceLog.casesOf('RATE-1').lost.size).toBe(0);
  });

  test('one pass, any number of inconclusive cases -> passed, or observed for OPEN', () => {
    for (const inconclusive of [[], [noAnimal, noAnimal]]) {
      expect(judged({}, own({ passes: 1, inconclusive }))).toEqual({ verdict: 'passed', reason: null });
      expect(judged({ level: 'SHOULD' }, own({ passes: 1, inconclusive })).verdict).toBe('passed');
      expect(judged({ level: 'OPEN' }, own({ passes: 1, inconclusive })).verdict).toBe('observed');
    }
  });

  test('only inconclusive cases -> inconclusive, with the most frequent reason', () => {
    expect(judged({}, own({ inconclusive: [noAnimal, frequent, frequent] }))).toEqual({
      verdict: 'inconclusive',
      reason: frequent,
    });
  });

  test('no evidence -> skipped, never passed', () => {
    expect(judged({}, {})).toEqual({
      verdict: 'skipped',
      reason: { code: 'not-tested' },
    });
    expect(judged({ skipped: needsKey }, {})).toEqual({ verdict: 'skipped', reason: needsKey });
    const ended = { code: 'run-ended', detail: 'no-connection' } as const;
    expect(judged({ ended }, {}).reason).toEqual(ended);
  });

  test('skipped with a reason -> skipped, unless it passed or failed anyway', () => {
    const skipped = needsKey;
    expect(judged({ skipped }, own({ inconclusive: [noAnimal] })).verdict).toBe('skipped');
    expect(judged({ skipped }, own({ passes: 1 })).verdict).toBe('passed');
    expect(judged({ skipped }, own({ failed: true })).verdict).toBe('failed');
  });

  test('error of the suite, no breach -> error', () => {
    expect(judged({}, own({ error: 'TypeError', passes: 5 }))).toEqual({
      verdict: 'error',
      reason: { code: 'suite-error', error: 'TypeError' },
    });
    expect(judged({}, own({ error: 'TypeError', failed: true })).verdict).toBe('failed');
  });
});

test('createFailureWatch: a dependency only fails later -> the requirement is no longer reported as failing', () => {
  const evidenceLog = createEvidenceLog(() => true);
  const reports: string[] = [];
  const catalogue = [requirement('MUST', ['LIST-1']), { ...requirement('MUST'), id: 'LIST-1' }];
  const report = createFailureWatch(catalogue, evidenceLog.evidenceOn, (kind, id) =>
    reports.push(`${kind} ${id}`),
  );
  for (const id of ['LIST-3', 'LIST-1']) {
    evidenceLog.recordFailure({ breach: breachOf(id), check: checkNamed(id), path: null, seen: 1, tries: 1 });
    report();
  }
  evidenceLog.record([{ kind: 'passed', requirement: 'LIST-1' }]);
  report();
  expect(reports).toEqual(['failed LIST-3', 'blocked LIST-3', 'failed LIST-1', 'failed LIST-3']);
});

describe('dependency', () => {
  const depends = { dependsOn: ['LIST-1', 'CREATE-1'] };
  const reason = { code: 'blocked', requirement: 'CREATE-1' };

  test.each<[string, Recorded]>([
    ['a failure', { failed: true }],
    ['passes', { passes: 3 }],
    ['inconclusive cases', { inconclusive: [noAnimal] }],
    ['no evidence', {}],
  ])('only failed, requirement has %s -> inconclusive', (_, evidence) => {
    const broken = { 'CREATE-1': { failed: true as const, inconclusive: [noAnimal] } };
    expect(judged(depends, { ...own(evidence), ...broken })).toEqual({ verdict: 'inconclusive', reason });
  });

  test('passed at times, or not tested -> no effect', () => {
    for (const other of [
      { passes: 1, failed: true as const },
      { inconclusive: [noAnimal] },
      { passes: 1 },
      {},
    ]) {
      expect(judged(depends, { ...own({ failed: true }), 'CREATE-1': other }).verdict).toBe('failed');
      expect(judged(depends, { ...own({ passes: 1 }), 'CREATE-1': other }).verdict).toBe('passed');
    }
  });
});

const failed = (requirement: string): Evidence => ({
  passed: 1,
  ms: 0,
  failures: [
    {
      breach: breachOf(requirement),
      check: checkNamed('RATE-5 a check'),
      path: null,
      seen: 1,
      tries: 1,
      occurrences: 1,
      inputs: [],
      others: [],
      ...notYetKnown,
    },
  ],
  inconclusive: new Map(),
  errors: [],
});
const passed: Evidence = { ...failed('RATE-5'), failures: [] };
const sharing = (slots: readonly KeySlot[], sharedKey = false) => ({
  client: { isShared: (slot: KeySlot) => slots.includes(slot) },
  settings: { sharedKey },
});
const reasonOf = ({ inconclusive }: Evidence) => [...inconclusive.values()].map(({ reason }) => reason);

describe('shared key', () => {
  test.each(['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'])('failure of %s -> inconclusive', (id) => {
    const withdrawn = withoutSharedKeys(id, failed(id), sharing(['main']));
    expect([withdrawn.failures, withdrawn.passed]).toEqual([[], 0]);
    expect(reasonOf(withdrawn)).toEqual([{ code: 'shared-key', detail: 'others', key: 'main' }]);
  });

  test('shared rate-limit key -> inconclusive, also for a pass', () => {
    const withdrawn = withoutSharedKeys('RATE-5', passed, sharing(['main', 'rate-limit']));
    expect(withdrawn.passed).toBe(0);
    expect(reasonOf(withdrawn)).toEqual([{ code: 'shared-key', detail: 'others', key: 'rate-limit' }]);
  });

  test('pass with another key, or another requirement -> counts', () => {
    expect(withoutSharedKeys('RATE-5', passed, sharing(['main']))).toBe(passed);
    const other = failed('RATE-4');
    expect(withoutSharedKeys('RATE-4', other, sharing(['main', 'rate-limit']))).toBe(other);
  });

  test('seen to be shared -> an observation, unless --shared-key is set', () => {
    expect(otherClients(sharing(['main']))).toEqual(['main']);
    expect(otherClients(sharing(['main'], true))).toEqual([]);
  });
});

test('no shared key -> the evidence is unchanged', () => {
  const evidence = failed('RATE-6');
  expect(withoutSharedKeys('RATE-6', evidence, sharing([]))).toBe(evidence);
});
