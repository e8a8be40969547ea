import { describe, expect, test } from 'vitest';
import { breachOf, checkNamed, parsedResponse, runContextOf } from '../../test/support/build.ts';
import { CaseSkipped } from '../check/case-skipped.ts';
import { listPets } from '../check/requests.ts';
import type { CheckName } from '../finding/check-name.ts';
import type { ExchangePipeline } from './exchange-pipeline.ts';
import { accepts, checkOf, execute, failsFrom, numbers, type Server, sendNumber } from './run-testing.ts';

describe('cases of a check', () => {
  test('systematic ones in their order, then generated ones', async () => {
    const { sent, evidenceLog } = await execute(checkOf({ arbitrary: numbers }), accepts, { runs: 20 });
    expect(sent.slice(0, 3)).toEqual([1, 2, 3]);
    expect(sent).toHaveLength(23);
    expect(evidenceLog.evidenceOn('LIST-3')).toMatchObject({ passed: 23, failures: [], errors: [] });
  });

  test('only the cases that the run covers', async () => {
    const whole = await execute(checkOf({ arbitrary: numbers }), accepts);
    const parts = await Promise.all(
      [0, 1].map((part) =>
        execute(checkOf({ arbitrary: numbers }), accepts, { includesCase: (_, index) => index % 2 === part }),
      ),
    );
    expect(parts.map(({ sent }) => sent.length)).toEqual([12, 11]);
    expect(parts.flatMap(({ sent }) => sent).toSorted()).toEqual(whole.sent.toSorted());
  });

  test('names differ, also if a check runs twice or another has the same requirement', async () => {
    const names: string[] = [];
    const runContext = runContextOf();
    const named = (name: string) =>
      checkOf({
        ...checkNamed(name),
        id: name,
        run: async (_, context) => {
          names.push(context.uniqueName());
        },
      });
    // The letters in the names of the last two checks are the same.
    for (const name of ['LIST-3 one', 'LIST-3 other', 'LIST-3 one', 'LIST-3 aa', 'LIST-3 bB'])
      await execute(named(name), undefined, { runContext });
    expect(new Set(names).size).toBe(15);
    expect(names.length).toBe(15);
  });
});

describe('generated cases', () => {
  /** Runs a check whose earlier cases take longer, and counts how many ran at once. */
  const runCounted = async (
    changes: Parameters<typeof checkOf>[0],
    execution: Parameters<typeof execute>[2],
  ) => {
    let [running, most] = [0, 0];
    const started: number[] = [];
    const check = checkOf({
      inputs: () => [],
      arbitrary: numbers,
      run: async (value, context) => {
        started.push(value);
        running += 1;
        most = Math.max(most, running);
        for (let turn = started.length; turn < 40; turn += 1) await Promise.resolve();
        await sendNumber(value, context);
        running -= 1;
      },
      ...changes,
    });
    const { sent } = await execute(check, accepts, execution);
    return { most, started, sent };
  };

  test('several run at once, and start in the order of the seed', async () => {
    const alone = await runCounted({}, { budget: 1_000 });
    const concurrent = await runCounted({}, {});
    expect(alone.most).toBe(1);
    expect(concurrent.most).toBeGreaterThan(1);
    expect(concurrent.started).toEqual(alone.started);
    expect(concurrent.sent.toSorted()).toEqual(alone.sent.toSorted());
  });

  test('retry: false, or systematic -> one at a time', async () => {
    expect((await runCounted({ retry: false }, {})).most).toBe(1);
    expect((await runCounted({ inputs: () => [1, 2, 3, 4, 5], share: 0 }, {})).most).toBe(1);
  });

  test('breaches while others run -> each recorded, and no case runs twice', async () => {
    const attempted: number[] = [];
    const check = checkOf({ inputs: () => [], arbitrary: numbers });
    const server: Server = (value) => [breachOf('LIST-3', `rule of ${value % 3}`)];
    const { evidenceLog } = await execute(check, server, {
      retries: 0,
      shrinkBudget: 0,
      onAttempt: (_, index) => attempted.push(index),
    });
    expect(attempted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    const { failures } = evidenceLog.evidenceOn('LIST-3');
    expect(failures).toHaveLength(3);
    expect(failures.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(20);
  });

  test('error of the suite in any running case -> the check ends with it', async () => {
    let calls = 0;
    const { evidenceLog } = await execute(
      checkOf({
        inputs: () => [],
        arbitrary: numbers,
        run: async () => {
          calls += 1;
          if (calls === 1) for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
          else throw new TypeError('no case');
        },
      }),
    );
    expect(evidenceLog.evidenceOn('LIST-3').errors).toEqual([expect.stringContaining('TypeError: no case')]);
  });
});

describe('error of the suite', () => {
  const broken = (name: string) => {
    throw new TypeError(`no ${name}`);
  };

  test.each([
    ['a systematic case', checkOf({ run: async () => broken('case') })],
    [
      'a generated case',
      checkOf({ inputs: () => [], arbitrary: numbers, run: async () => broken('generated case') }),
    ],
    ['the examples', checkOf({ inputs: () => broken('examples') })],
    ['the arbitrary', checkOf({ arbitrary: () => broken('arbitrary') })],
    ['a value of the arbitrary', checkOf({ arbitrary: () => numbers().map(() => broken('value')) })],
  ])("in %s -> an error of the check's requirements, never a breach", async (_, check) => {
    const { evidenceLog } = await execute({ ...check, covers: ['LIST-4'] });
    for (const id of ['LIST-3', 'LIST-4']) {
      expect(evidenceLog.evidenceOn(id).errors).toEqual([
        expect.stringMatching(/^LIST-3 numbers: TypeError: no /),
      ]);
      expect(evidenceLog.evidenceOn(id).failures).toEqual([]);
    }
  });

  test.each([1, 2])('in case %i -> other findings are still recorded', async (faulty) => {
    let calls = 0;
    const { evidenceLog } = await execute(
      checkOf({
        inputs: () => [],
        arbitrary: numbers,
        run: async (value, context) => {
          calls += 1;
          if (calls === faulty) broken('case');
          await sendNumber(value, context);
        },
      }),
      failsFrom(0),
    );
    expect(evidenceLog.evidenceOn('LIST-3').errors).toHaveLength(1);
    expect(evidenceLog.evidenceOn('LIST-3').failures).toMatchObject([{ seen: 3, tries: 3 }]);
  });

  test('while shrinking or retrying -> an error too', async () => {
    for (const arbitrary of [undefined, numbers]) {
      let calls = 0;
      const { evidenceLog } = await execute(
        checkOf({
          ...(arbitrary === undefined ? {} : { arbitrary, inputs: () => [] }),
          run: async (value, context) => {
            calls += 1;
            if (calls > 1) broken('second attempt');
            await sendNumber(value, context);
          },
        }),
        failsFrom(0),
      );
      expect(evidenceLog.evidenceOn('LIST-3').errors).toHaveLength(1);
    }
  });

  test('path beyond the systematic cases -> path not found, not an error', async () => {
    const notFound: string[] = [];
    const onPathNotFound = ({ id }: CheckName) => notFound.push(id);
    const check = checkOf({ inputs: () => [1, 2, 3] });
    await execute(check, accepts, { path: '2', onPathNotFound });
    expect(notFound).toEqual([]);
    const { sent, evidenceLog } = await execute(check, accepts, { path: '3', onPathNotFound });
    expect(notFound).toEqual([check.id]);
    expect(sent).toEqual([]);
    expect(evidenceLog.evidenceOn('LIST-3').errors).toEqual([]);
    const reason = { code: 'not-tested', detail: 'no-such-case', path: '3' };
    expect([...evidenceLog.evidenceOn('LIST-3').inconclusive.values()]).toEqual([{ reason, count: 1 }]);
  });
});

describe('case', () => {
  test('skipped with other requests in flight -> waits for them, and their breaches count', async () => {
    const together = checkOf({
      inputs: () => [1],
      run: async (_, context) => {
        await Promise.all([1, 2].map((limit) => context.send(listPets({ limit }))));
      },
    });
    const pipeline: ExchangePipeline = {
      stopOthers: async () => () => undefined,
      send: async (probe, attempt) => {
        if (probe.listing?.limit.kind === 'given' && probe.listing.limit.value === 1)
          throw new CaseSkipped({ code: 'budget', budget: 1 });
        await new Promise(setImmediate);
        attempt.findings.push(breachOf('LIST-3'));
        return parsedResponse(probe, {});
      },
    };
    const { evidenceLog } = await execute(together, accepts, { pipeline });
    expect(evidenceLog.evidenceOn('LIST-3').failures).toHaveLength(1);
  });

  test('run aborted -> the last case, and it proves nothing', async () => {
    const controller = new AbortController();
    const { sent, evidenceLog } = await execute(
      checkOf({ arbitrary: numbers }),
      (value) => {
        if (value === 2) controller.abort();
        return value === 2 ? [breachOf('LIST-3')] : [{ kind: 'passed', requirement: 'LIST-3' }];
      },
      { signal: controller.signal },
    );
    expect(sent).toEqual([1, 2]);
    expect(evidenceLog.evidenceOn('LIST-3')).toMatchObject({ passed: 1, failures: [] });
  });
});

describe('breach that does not repeat', () => {
  const causesOf = async (mustRecur: 'always' | 'if statuses return' | null, returns: boolean) => {
    let calls = 0;
    const once: Server = () => {
      calls += 1;
      return calls > 1 ? [] : [{ ...breachOf('LIST-3'), ...(mustRecur === null ? {} : { mustRecur }) }];
    };
    const { evidenceLog } = await execute(checkOf({ inputs: () => [1] }), once, {
      runContext: runContextOf({ statusesReturn: () => returns }),
    });
    return evidenceLog.evidenceOn('LIST-3').failures.length;
  };

  test.each([
    [null, true, 1],
    ['always', false, 0],
    ['if statuses return', false, 1],
    ['if statuses return', true, 0],
  ] as const)('mustRecur %s, statuses return: %s -> %i failures', async (mustRecur, returns, count) => {
    expect(await causesOf(mustRecur, returns)).toBe(count);
  });
});
