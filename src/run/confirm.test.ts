import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breachOf } from '../../test/support/build.ts';
import type { Check } from '../check/check.ts';
import { createPetWithBody } from '../check/requests.ts';
import type { Breach, Finding } from '../finding/finding.ts';
import { causeOf } from '../finding/problem.ts';
import { createEvidenceLog } from './evidence.ts';
import { accepts, checkOf, execute, failsFrom, numbers, type Server, sendNumber } from './run-testing.ts';

describe('breach', () => {
  test('does not repeat -> seen once of 3 tries', async () => {
    let calls = 0;
    const { evidenceLog } = await execute(checkOf({ inputs: () => [1] }), () => {
      calls += 1;
      return calls === 1 ? [breachOf('LIST-3')] : [];
    });
    expect(evidenceLog.evidenceOn('LIST-3').failures).toMatchObject([{ seen: 1, tries: 3 }]);
  });

  test('another case repeats better -> replaces it, and is not reported again', async () => {
    const reported: Breach[] = [];
    const calls = new Map<number, number>();
    const { sent, evidenceLog } = await execute(
      checkOf({ inputs: () => [1, 2, 3] }),
      (value) => {
        calls.set(value, (calls.get(value) ?? 0) + 1);
        return value > 1 || calls.get(value) === 1 ? [breachOf('LIST-3')] : [];
      },
      { onCause: (breach) => reported.push(breach) },
    );
    expect(sent).toEqual([1, 1, 1, 2, 2, 2, 3]);
    expect(evidenceLog.evidenceOn('LIST-3').failures).toMatchObject([
      { path: '1', seen: 3, tries: 3, occurrences: 3 },
    ]);
    expect(reported).toHaveLength(1);
  });

  test('never repeats -> sends only a few cases again', async () => {
    const seen = new Set<number>();
    const examples = Array.from({ length: 9 }, (_, index) => index);
    const { sent, evidenceLog } = await execute(checkOf({ inputs: () => examples }), (value) => {
      if (seen.has(value)) return [];
      seen.add(value);
      return [breachOf('LIST-3')];
    });
    expect(sent).toHaveLength(5 * 3 + 4);
    expect(evidenceLog.evidenceOn('LIST-3').failures).toMatchObject([
      { path: '0', seen: 1, tries: 3, occurrences: 9 },
    ]);
  });

  test('timeout -> neither retried nor shrunk', async () => {
    const { sent, evidenceLog } = await execute(
      checkOf({ inputs: () => [], arbitrary: () => fc.integer({ min: 500, max: 1_000 }) }),
      () => 'silent',
      { runs: 1 },
    );
    expect(sent).toHaveLength(1);
    expect(evidenceLog.evidenceOn('GEN-4').failures).toMatchObject([{ seen: 1, tries: 1 }]);
  });

  test('no retry waits for a missing animal -> only retries that find it count', async () => {
    const undecided = { kind: 'inconclusive', requirement: 'LIST-3', reason: { code: 'may-lag' } } as const;
    const seenOf = async (...retries: readonly Finding[][]) => {
      const findings = [[breachOf('LIST-3')], ...retries].values();
      const { evidenceLog } = await execute(
        checkOf({ inputs: () => [1] }),
        () => findings.next().value ?? [],
      );
      return evidenceLog.evidenceOn('LIST-3').failures;
    };
    expect(await seenOf([undecided], [undecided])).toMatchObject([{ seen: 1, tries: 1 }]);
    expect(await seenOf([undecided], [])).toMatchObject([{ seen: 1, tries: 2 }]);
    expect(await seenOf([breachOf('LIST-3'), undecided], [])).toMatchObject([{ seen: 2, tries: 3 }]);
    const ofOther = { ...undecided, requirement: 'GET-1' };
    expect(await seenOf([ofOther], [ofOther])).toMatchObject([{ seen: 1, tries: 3 }]);
  });

  test('target gone before the retry -> the retry does not count', async () => {
    let calls = 0;
    const { evidenceLog } = await execute(checkOf(), () => {
      calls += 1;
      return calls === 1 ? [breachOf('GEN-4')] : 'gone';
    });
    expect(evidenceLog.evidenceOn('GEN-4').failures).toMatchObject([{ seen: 1, tries: 1 }]);
  });

  test('connection dropped again, with nothing else in flight -> not sent a third time', async () => {
    const breach = breachOf('GEN-4', 'no response: reset');
    const failure = { kind: 'reset', detail: { code: 'closed', bodyBytes: null }, reused: false } as const;
    const drop = { ...breach, exchange: { ...breach.exchange, response: null, failure } };
    const triesOf = async (...results: readonly Finding[][]) => {
      const findings = results.values();
      const { sent, evidenceLog } = await execute(
        checkOf({ inputs: () => [1] }),
        () => findings.next().value ?? [],
      );
      expect(evidenceLog.evidenceOn('GEN-4').failures).toMatchObject([{ seen: 2, tries: sent.length }]);
      return sent.length;
    };
    expect(await triesOf([drop], [drop], [drop])).toBe(2);
    expect(await triesOf([drop], [], [drop])).toBe(3);
  });

  test('connection refused on the retry -> a second cause, and both are stable', async () => {
    let calls = 0;
    const refused = breachOf('GEN-4', 'no response: refused');
    const failure = {
      kind: 'refused',
      detail: { code: 'error', error: 'ECONNREFUSED' },
      reused: false,
    } as const;
    const { sent, evidenceLog } = await execute(checkOf({ inputs: () => [1] }), () => {
      calls += 1;
      if (calls === 1) return [breachOf('GEN-4', 'no response: reset')];
      return [{ ...refused, exchange: { ...refused.exchange, response: null, failure } }];
    });
    expect(sent).toEqual([1, 1]);
    expect(evidenceLog.evidenceOn('GEN-4').failures).toMatchObject([
      { breach: { problem: { form: 'no response: reset' } }, seen: 1, tries: 1 },
      { breach: { problem: { form: 'no response: refused' } }, seen: 1, tries: 1 },
    ]);
  });

  test('requirement not selected -> not recorded, not sent again', async () => {
    const evidenceLog = createEvidenceLog((id) => id !== 'LIST-3');
    const { sent } = await execute(checkOf(), failsFrom(1), { evidenceLog });
    expect(sent).toEqual([1, 2, 3]);
    expect(evidenceLog.evidenceOn('LIST-3').failures).toEqual([]);
  });
});

describe('passing requests of a requirement', () => {
  const passes = async (check: Check, server: Server) =>
    (await execute(check, server)).evidenceLog
      .similarPassing(breachOf('LIST-3'))
      .candidates.map((about) => (about.kind === 'request' ? about.probe.listing?.limit : null));

  test('exclude requests that failed it too, and cases of several requests', async () => {
    expect(
      await passes(checkOf(), () => [{ kind: 'passed', requirement: 'LIST-3' }, breachOf('LIST-3')]),
    ).toEqual([]);
    const twice = checkOf({
      run: async (value, context) => {
        await sendNumber(value, context);
        await sendNumber(value, context);
      },
    });
    expect(await passes(twice, accepts)).toEqual([]);
  });
});

describe('shrinking', () => {
  test('ends at the smallest case with the cause, and its path repeats only that case', async () => {
    const check = checkOf({ arbitrary: numbers });
    const { evidenceLog } = await execute(check, failsFrom(100), { runs: 100 });
    const [cause] = evidenceLog.evidenceOn('LIST-3').failures;
    expect(cause).toMatchObject({ seen: 3, tries: 3 });
    expect(cause?.path).toMatch(/^\d+(:\d+)+$/);
    const again = await execute(check, failsFrom(100), { runs: 100, path: cause?.path ?? null });
    expect(again.sent).toEqual([100, 100, 100]);
    expect(again.evidenceLog.evidenceOn('LIST-3').failures).toMatchObject([
      { path: cause?.path, seen: 3, tries: 3 },
    ]);
  });

  test('systematic case -> shrunk if its arbitrary can generate it', async () => {
    const shrinking = checkOf({ inputs: () => [1, 800], arbitrary: numbers });
    const { evidenceLog } = await execute(shrinking, failsFrom(100), { runs: 0 });
    expect(evidenceLog.evidenceOn('LIST-3').failures[0]?.path).toMatch(/^1(:\d+)+$/);
    const alone = checkOf({ inputs: () => [1, 800], arbitrary: () => fc.constantFrom(1) });
    const { sent } = await execute(alone, failsFrom(100), { runs: 0 });
    expect(sent).toEqual([1, 800, 800, 800]);
  });

  const halves = (value: number): readonly number[] => (value > 1 ? [value >> 1] : []);

  test("systematic case -> shrunk by the check's own shrink, and its path repeats only that case", async () => {
    const check = checkOf({ inputs: () => [1, 800], shrink: halves });
    const { sent, evidenceLog } = await execute(check, failsFrom(100));
    expect(sent).toEqual([1, 800, 800, 400, 200, 100, 50, 100, 100]);
    const [cause] = evidenceLog.evidenceOn('LIST-3').failures;
    expect(cause).toMatchObject({ path: '1:0:0:0', seen: 3, tries: 3 });
    const again = await execute(check, failsFrom(100), { path: cause?.path ?? null });
    expect(again.sent).toEqual([100, 100, 100]);
  });

  test('many smaller cases -> at most 60 more requests', async () => {
    const smaller = (value: number): readonly number[] => Array.from({ length: 100 }, () => value + 1);
    const { sent } = await execute(checkOf({ inputs: () => [1], shrink: smaller }), (value) =>
      value % 30 === 1 ? [breachOf('LIST-3')] : [],
    );
    expect(sent).toHaveLength(1 + 60);
  });

  test('another cause in a smaller case -> not taken', async () => {
    const server: Server = (value) => [breachOf('LIST-3', value >= 500 ? 'large' : 'small')];
    const arbitrary = () => fc.integer({ min: 0, max: 1_000 }).filter((value) => value !== 0);
    const { evidenceLog } = await execute(checkOf({ inputs: () => [1], arbitrary }), server, { runs: 100 });
    const variants = evidenceLog
      .evidenceOn('LIST-3')
      .failures.map(({ breach, seen, tries }) => [causeOf(breach.problem).variant, seen, tries]);
    expect(variants).toEqual([
      ['small', 3, 3],
      ['large', 3, 3],
    ]);
  });

  test('expensive case -> at most 60 more requests', async () => {
    for (const cost of [1, 3, 10, 25, 60]) {
      const sent: number[] = [];
      const check = checkOf({
        inputs: () => [],
        arbitrary: () => fc.integer({ min: 1, max: 1e9 }),
        run: async (value, context) => {
          for (let request = 1; request <= cost; request += 1) {
            sent.push(value);
            await sendNumber(value, context);
          }
        },
      });
      const { evidenceLog } = await execute(check, () => [breachOf('LIST-3')], { runs: 1 });
      expect(sent.length).toBeGreaterThanOrEqual(2 * cost);
      expect(sent.length).toBeLessThanOrEqual(60 + cost);
      expect(evidenceLog.evidenceOn('LIST-3').failures).toMatchObject([{ seen: cost <= 30 ? 3 : 2 }]);
    }
  });

  test.each([
    [1, 3],
    [8, 2],
    [20, 2],
  ])('case that creates %i animals -> is sent %i times', async (creations, times) => {
    const check = checkOf({
      inputs: () => [1],
      run: async (_, context) => {
        for (let creation = 1; creation <= creations; creation += 1)
          await context.send(createPetWithBody('{}'));
      },
    });
    const { sent } = await execute(check, () => [breachOf('LIST-3')]);
    expect(sent).toHaveLength(times * creations);
  });

  test('budget used up -> stops at the smallest case so far', async () => {
    const check = checkOf({ inputs: () => [], arbitrary: () => fc.integer({ min: 1, max: 1e9 }) });
    const values = async (shrinkBudget: number) =>
      (await execute(check, () => [breachOf('LIST-3')], { runs: 1, shrinkBudget })).sent.at(-1) ?? 0;
    expect(await values(60)).toBe(1);
    expect(await values(2)).toBeGreaterThan(1);
  });

  test('path of a case that passes now -> sends only that case', async () => {
    const check = checkOf({ arbitrary: numbers });
    const { evidenceLog } = await execute(check, failsFrom(100), { runs: 100 });
    const path = evidenceLog.evidenceOn('LIST-3').failures[0]?.path ?? '';
    const { sent, evidenceLog: repeated } = await execute(check, accepts, { path });
    expect(sent).toEqual([100]);
    expect(repeated.evidenceOn('LIST-3')).toMatchObject({ passed: 1, failures: [] });
  });
});
