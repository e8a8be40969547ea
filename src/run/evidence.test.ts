import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed, exchangeOf } from '../../test/support/build.ts';
import { createPet, listPets } from '../check/requests.ts';
import type { Breach, Finding } from '../finding/finding.ts';
import type { About, Probe } from '../finding/probe.ts';
import { anonymous } from '../http/credentials.ts';
import { passed } from '../oracle/rule.ts';
import { createEvidenceLog, notYetKnown } from './evidence.ts';
import { withoutSideEffects } from './harmful-requests.ts';

const all = () => createEvidenceLog(() => true);
const aboutOf = (probe: Probe): About => ({ kind: 'request', probe });
const recorded = (breach: Breach) => ({
  breach,
  check: checkNamed('LIST-3 check'),
  path: null,
  seen: 3,
  tries: 3,
});

describe('cause that does not repeat', () => {
  const once = { seen: 1, tries: 3 };
  const cause = (rule: string, steadiness = { seen: 3, tries: 3 }) => ({
    ...recorded(breachOf('GEN-4', rule)),
    ...steadiness,
    occurrences: 1,
    inputs: [],
    others: [],
    ...notYetKnown,
  });

  const dropped = (steadiness?: { seen: number; tries: number }) => {
    const base = cause('dropped', steadiness);
    const failure = { kind: 'reset', detail: { code: 'closed', bodyBytes: null }, reused: false } as const;
    const exchange = { ...base.breach.exchange, response: null, failure };
    return { ...base, breach: { ...base.breach, exchange } };
  };

  test('dropped connections: a flaky one is left out if another one repeats', () => {
    const [steady, flaky] = [dropped(), dropped(once)];
    expect(withoutSideEffects([flaky, steady])).toEqual([steady]);
    expect(withoutSideEffects([flaky])).toEqual([flaky]);
  });

  test('responses: a flaky 500 is reported beside a steady 500 of another operation', () => {
    const [steady, flaky] = [cause('server-error'), cause('server-error', once)];
    expect(withoutSideEffects([flaky, steady])).toEqual([flaky, steady]);
  });

  test('timeouts: reported last, because they are not sent again', () => {
    const steady = cause('reset');
    const { exchange } = steady.breach;
    const failure = {
      kind: 'timeout',
      detail: { code: 'no-response', withinMs: 10 },
      reused: false,
    } as const;
    const hanging = {
      ...steady,
      breach: { ...steady.breach, exchange: { ...exchange, response: null, failure } },
    };
    expect(withoutSideEffects([hanging, steady])).toEqual([steady, hanging]);
  });

  test('server error: a failure only of the requirement on server errors', () => {
    const evidenceLog = all();
    const failing = (requirement: string, status: number): Breach => ({
      ...breachOf(requirement),
      exchange: exchangeOf(listPets({}), { status }),
    });
    evidenceLog.recordFailure({ ...recorded(failing('AUTH-2', 502)), ...once });
    evidenceLog.recordFailure({ ...recorded(failing('GEN-4', 502)), ...once });
    evidenceLog.recordFailure({ ...recorded(failing('AUTH-1', 200)), ...once });
    evidenceLog.recordFailure(recorded(failing('AUTH-3', 502)));
    const breached = ['AUTH-1', 'AUTH-2', 'AUTH-3', 'GEN-4'].filter(
      (id) => evidenceLog.evidenceOn(id).failures.length,
    );
    expect(breached).toEqual(['AUTH-1', 'AUTH-3', 'GEN-4']);
    expect([...evidenceLog.evidenceOn('AUTH-2').inconclusive.keys()]).toEqual([
      JSON.stringify({ code: 'server-error', detail: 'once', status: 502 }),
    ]);
    for (const _more of [1, 2, 3])
      evidenceLog.recordFailure({ ...recorded(failing('AUTH-2', 502)), ...once });
    expect(evidenceLog.isKnown(failing('AUTH-2', 502))).toBe(false);
    evidenceLog.recordFailure({ ...recorded(failing('AUTH-2', 502)), ...once });
    expect(evidenceLog.isKnown(failing('AUTH-2', 502))).toBe(true);
  });
});

describe('cause', () => {
  test('lists some other failing requests, from the next ones to distant ones', () => {
    const evidenceLog = all();
    const failing = (limit: number): Breach => ({
      ...breachOf('LIST-3'),
      about: aboutOf(listPets({ limit })),
    });
    const cases = Array.from({ length: 25 }, (_, index) => failing(index));
    for (const [index, breach] of cases.entries())
      if (index === 0) evidenceLog.recordFailure(recorded(breach));
      else evidenceLog.recordRecurrence(breach);
    const [cause] = evidenceLog.evidenceOn('LIST-3').failures;
    expect(cause?.occurrences).toBe(25);
    expect(cause?.others.map((other) => cases.indexOf(other))).toEqual([1, 2, 3, 5, 9, 17]);
  });

  test('compared with passing requests, or with the exchanges that it names', () => {
    const evidenceLog = all();
    const pass = (probe: Probe, findings: readonly Finding[] = [passed('LIST-3')]) =>
      evidenceLog.recordPass('LIST-3 check', {
        request: probe.request,
        status: 200,
        findings,
        about: () => aboutOf(probe),
      });
    const seven = listPets({ limit: 7 });
    pass(seven);
    pass(listPets({ credential: anonymous }));
    pass(listPets({ limit: 6 }), [passed('LIST-4')]);
    pass(listPets({ limit: 9 }), [passed('LIST-3'), breachOf('LIST-3', 'another')]);
    const breach = { ...breachOf('LIST-3'), about: aboutOf(listPets({ limit: 8 })) };
    evidenceLog.recordFailure(recorded(breach));
    expect(evidenceLog.similarPassing(breach)).toEqual({
      candidates: [aboutOf(seven)],
      breaching: [breach.about],
    });
    const beside = exchangeOf(createPet({ name: 'Rex' }), {});
    expect(evidenceLog.similarPassing({ ...breach, beside: [beside] })).toEqual({
      candidates: [{ kind: 'creation', exchange: beside }],
      breaching: [],
    });
  });

  test('compared with responses of its class; if its status is wrong, with other statuses', () => {
    const evidenceLog = all();
    const findings = [passed('GEN-3')];
    const [fine, missing] = [aboutOf(listPets({ limit: 1 })), aboutOf(listPets({ limit: 2 }))];
    for (const [status, about] of [
      [200, fine],
      [404, missing],
    ] as const)
      evidenceLog.recordPass('a check', {
        request: listPets({}).request,
        status,
        findings,
        about: () => about,
      });
    const exchange = exchangeOf(listPets({ limit: 7 }), { status: 200 });
    const breach = { ...breachOf('GEN-3'), exchange };
    expect(evidenceLog.similarPassing(breach).candidates).toEqual([fine]);
    const ofStatus = { ...breach, problem: { rule: 'server-error', wrongStatus: 200 } as const };
    expect(evidenceLog.similarPassing(ofStatus).candidates).toEqual([missing]);
  });

  test('differs by requirement, rule, variant, wrong status, or operation', () => {
    const evidenceLog = all();
    const breach = breachOf('LIST-3', 'too many');
    evidenceLog.recordFailure(recorded(breach));
    expect(evidenceLog.isKnown(breachOf('LIST-3', 'too many'))).toBe(true);
    expect(evidenceLog.isKnown(breachOf('LIST-2', 'too many'))).toBe(false);
    expect(evidenceLog.isKnown(breachOf('LIST-3', 'another rule'))).toBe(false);
    expect(evidenceLog.isKnown({ ...breach, problem: { rule: 'limit-zero', limit: '0' } })).toBe(false);
    expect(evidenceLog.isKnown({ ...breach, exchange: exchangeOf(createPet({}), {}) })).toBe(false);
  });

  test('requirement not selected -> known, and not kept', () => {
    const evidenceLog = createEvidenceLog((id) => id === 'LIST-2');
    expect(evidenceLog.isKnown(breachOf('LIST-3'))).toBe(true);
    evidenceLog.recordFailure(recorded(breachOf('LIST-3')));
    evidenceLog.recordError('LIST-3', 'a fault');
    expect(evidenceLog.evidenceOn('LIST-3')).toMatchObject({ failures: [], errors: [] });
    expect(evidenceLog.causes).toBe(0);
  });
});

describe('observations', () => {
  const observed = (requirement: string, subject: string, value: string) =>
    ({ kind: 'observation', requirement, subject, value }) as const;

  test('at most 12 values of a subject', () => {
    const evidenceLog = all();
    for (let count = 0; count < 1_000; count += 1)
      evidenceLog.record([observed('ERR-3', 'code', `c${count}`)]);
    expect(evidenceLog.observations()[0]?.values).toHaveLength(12);
  });
});
