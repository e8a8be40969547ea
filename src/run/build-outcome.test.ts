import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed, exchangeOf } from '../../test/support/build.ts';
import { getPet, listPets } from '../check/requests.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Breach } from '../finding/finding.ts';
import type { Probe } from '../finding/probe.ts';
import type { OutcomeInput } from './build-outcome.ts';
import { createCrashTracker } from './harmful-requests.ts';
import { failed, outcomeOf, result } from './run-testing.ts';

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

  const failure = (settings: Partial<RunSettings> = {}, cause = {}, changes: Partial<OutcomeInput> = {}) =>
    result(outcomeOf(failed('LIST-3', cause), settings, changes), 'LIST-3')?.failures[0];

  test('the target went down -> lists the other requests that may have caused it', () => {
    const found = breachOf('LIST-3');
    const silentFor = (kind: 'reset' | 'refused') => ({
      ...found,
      exchange: {
        ...found.exchange,
        response: null,
        failure: { kind, detail: { code: 'run-ended' as const }, reused: false },
      },
    });
    const breach = silentFor('reset');
    const crashTracker = createCrashTracker();
    const down = { died: true, crashTracker };
    expect(failure({}, { breach: silentFor('refused'), tries: 1 }, down)?.crash).toEqual({
      inFlight: [],
      isAlone: false,
      last: [],
    });
    crashTracker.dropped({ probe: listPets({}), exchange: breach.exchange });
    expect(failure({}, { breach, tries: 1, path: '4' }, down)).toMatchObject({
      crash: { inFlight: [{ request: { path: '/pets' } }], isAlone: true },
      path: '4',
    });
    const other = { ...breach.exchange, id: breach.exchange.id + 1 };
    crashTracker.dropped({ probe: getPet('7'), exchange: other });
    // This request alone need not repeat it, so the replay is the whole run.
    expect(failure({}, { breach, tries: 1, path: '4' }, down)).toMatchObject({
      crash: { inFlight: [{}, { request: { path: '/pets/7' } }], isAlone: false },
      path: null,
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
      check: { requirement: 'GET-1' },
    });
    expect(failure({}, { path: '30:1' })).toMatchObject({ path: '30:1' });
  });
});
