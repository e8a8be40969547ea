import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed, exchangeOf } from '../../test/support/build.ts';
import { getPet, listPets } from '../check/requests.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Breach } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import type { Findings } from './build-outcome.ts';
import { createCrashTracker } from './harmful-requests.ts';
import { failed, outcomeOf, passes, result } from './run-testing.ts';

describe('result of a requirement', () => {
  test('not selected -> skipped, even if it passed', () => {
    const outcome = outcomeOf(passes('GEN-1', 'LIST-1'), { only: ['LIST'] });
    expect(result(outcome, 'GEN-1')).toMatchObject({
      verdict: 'skipped',
      reason: { code: 'not-selected' },
      checks: 0,
    });
    expect(result(outcome, 'LIST-1')).toMatchObject({ verdict: 'passed', checks: 1 });
  });

  test('blocked by another requirement -> inconclusive, without failures', () => {
    const outcome = outcomeOf((evidenceLog) => {
      failed('LIST-1')(evidenceLog);
      failed('LIST-3')(evidenceLog);
    });
    expect(result(outcome, 'LIST-3')).toMatchObject({ verdict: 'inconclusive', failures: [] });
  });

  test('getPet before or after its removal -> skipped, with the reason', () => {
    const before = outcomeOf(passes());
    expect(result(before, 'GET-5')?.reason?.code).toBe('before-removal');
    const after = outcomeOf(passes(), {}, { removal: 'after' });
    for (const id of ['GET-1', 'GET-2', 'GET-3', 'GET-4', 'GET-6'])
      expect(result(after, id)?.reason?.code).toBe('after-removal');
  });
});

describe('failure', () => {
  test('a wrong key is accepted -> says whether no key works too', () => {
    const respondedWith = (probe: Probe, status: number) => ({
      ...breachOf('AUTH-1'),
      exchange: exchangeOf(probe, { status }),
    });
    const servesWithoutKey = (keyless: Breach | null, wrong = respondedWith(listPets({}), 200)) =>
      result(
        outcomeOf((evidenceLog) => {
          if (keyless !== null) failed('AUTH-1', { breach: keyless })(evidenceLog);
          failed('AUTH-3', { breach: { ...wrong, requirement: 'AUTH-3' } })(evidenceLog);
        }),
        'AUTH-3',
      )?.failures[0]?.servesWithoutKey;
    const open = respondedWith(listPets({}), 200);
    expect(servesWithoutKey(open)).toBe(true);
    for (const found of [
      servesWithoutKey(null),
      servesWithoutKey(respondedWith(listPets({}), 403)),
      servesWithoutKey(respondedWith(getPet('7'), 200)),
      servesWithoutKey(open, respondedWith(listPets({}), 403)),
    ])
      expect(found).toBe(false);
  });

  const failure = (settings: Partial<RunSettings> = {}, cause = {}, changes: Partial<Findings> = {}) =>
    result(outcomeOf(failed('LIST-3', cause), settings, changes), 'LIST-3')?.failures[0];

  test('says how often it repeated', () => {
    expect(failure({}, { seen: 1 })).toMatchObject({
      seen: 1,
      tries: 3,
      occurrences: 1,
      check: 'LIST-3 some check',
      path: null,
    });
  });

  test('the target went down -> lists the other requests that may have caused it', () => {
    const found = breachOf('LIST-3');
    const silentFor = (kind: 'reset' | 'refused') => ({
      ...found,
      exchange: {
        ...found.exchange,
        response: null,
        failure: { kind, message: 'no response', reused: false },
      },
    });
    const breach = silentFor('reset');
    const crashTracker = createCrashTracker();
    const down = { died: true, crashTracker };
    expect(failure({}, { breach: silentFor('refused'), tries: 1 }, down)?.crash).toEqual({
      isDuringRequest: false,
      others: [],
      last: [],
    });
    const other = { ...breach.exchange, id: breach.exchange.id + 1 };
    crashTracker.dropped({ probe: listPets({}), exchange: breach.exchange });
    crashTracker.dropped({ probe: getPet('7'), exchange: other });
    expect(failure({}, { breach, tries: 1 }, down)?.crash).toMatchObject({
      isDuringRequest: true,
      others: [{ request: { path: '/pets/7' } }],
    });
    for (const one of [
      failure({}, { breach, tries: 1 }),
      failure({}, { breach, tries: 2 }, down),
      failure({}, { tries: 1 }, down),
    ])
      expect(one?.crash).toBeNull();
  });

  test('depends on earlier requests -> no path, so the replay is the whole run', () => {
    const page = { wanted: [], listed: [], most: 20, status: null };
    const problem = { rule: 'missing-from-list', in: 'page', ...page } as const;
    const breach = { ...breachOf('LIST-8'), problem };
    const outcome = outcomeOf(failed('LIST-8', { breach, check: checkNamed('GET-1 sequences'), path: '1' }));
    expect(result(outcome, 'LIST-8')?.failures[0]).toMatchObject({
      path: null,
      checkRequirement: 'GET-1',
    });
    expect(failure({}, { path: '30:1' })).toMatchObject({ path: '30:1' });
  });

  test('its exchange is in the report, also if the oracle found nothing', () => {
    const outcome = outcomeOf(failed('LIST-3'));
    const [shown] = result(outcome, 'LIST-3')?.failures ?? [];
    expect(outcome.exchanges).toMatchObject([{ id: shown?.breach.exchange.id, breaches: ['LIST-3'] }]);
  });
});

test('outcome: has the start, the seed, and the target', () => {
  expect(outcomeOf(passes('LIST-1'))).toMatchObject({
    startedAt: '2026-03-01T12:00:00.000Z',
    durationMs: 1_500,
    seed: 7,
    verdict: 'conformant',
    target: { baseUrl: 'http://127.0.0.1:4010/v1', reference: false, plan: null },
    interface: { version: '1.0.0' },
  });
});
