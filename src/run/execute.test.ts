import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breachOf,
  checkOf,
  execute,
  fixturesOf,
  type Server,
  sendNumber,
} from '../../test/support/executing.ts';
import type { Breach } from './ledger.ts';
import { createLedger } from './ledger.ts';

const numbers = () => fc.nat({ max: 1_000 });
const met: Server = () => [{ kind: 'met', requirement: 'LIST-3' }];
/** Breaches for every number from `from` on. */
const failsFrom =
  (from: number): Server =>
  (value) =>
    value >= from ? [breachOf('LIST-3')] : [];

describe('the cases of a check', () => {
  test('are the systematic ones in their order, then the generated ones', async () => {
    const { sent, ledger } = await execute(checkOf({ arbitrary: numbers }), met, { runs: 20 });
    expect(sent.slice(0, 3)).toEqual([1, 2, 3]);
    expect(sent).toHaveLength(23);
    expect(ledger.entry('LIST-3')).toMatchObject({ met: 23, causes: [], errors: [] });
  });

  test('are the systematic ones alone where nothing generates any', async () => {
    expect((await execute(checkOf(), met, { runs: 20 })).sent).toEqual([1, 2, 3]);
  });

  test('are the share of the generated ones that the check takes, rounded up', async () => {
    const { sent } = await execute(checkOf({ arbitrary: numbers, share: 0.11 }), met, { runs: 20 });
    expect(sent).toHaveLength(3 + 3);
  });

  test('are the same for the same seed, and others for another', async () => {
    const run = async (seed: number) =>
      (await execute(checkOf({ arbitrary: numbers }), met, { fixtures: fixturesOf({ seed }) })).sent;
    expect(await run(1)).toEqual(await run(1));
    expect(await run(1)).not.toEqual(await run(2));
  });

  test('are those alone that the run covers', async () => {
    const whole = await execute(checkOf({ arbitrary: numbers }), met);
    const parts = await Promise.all(
      [0, 1].map((part) =>
        execute(checkOf({ arbitrary: numbers }), met, { covers: (_, index) => index % 2 === part }),
      ),
    );
    expect(parts.map(({ sent }) => sent.length)).toEqual([12, 11]);
    expect(parts.flatMap(({ sent }) => sent).toSorted()).toEqual(whole.sent.toSorted());
  });

  test('carry names that are never given twice, by check and in order', async () => {
    const names: string[] = [];
    await execute(
      checkOf({
        attempt: async (_, context) => {
          names.push(context.freshName(), context.freshName());
        },
      }),
    );
    const { namePrefix } = fixturesOf();
    expect(names).toEqual([1, 2, 3, 4, 5, 6].map((count) => `${namePrefix}list-3-${count}`));
  });
});

describe('generated cases', () => {
  /** Runs a check whose cases take the longer the earlier they come, and counts how many were under way at once. */
  const watched = async (
    changes: Parameters<typeof checkOf>[0],
    execution: Parameters<typeof execute>[2],
  ) => {
    let [underWay, most] = [0, 0];
    const started: number[] = [];
    const check = checkOf({
      examples: () => [],
      arbitrary: numbers,
      attempt: async (value, context) => {
        started.push(value);
        underWay += 1;
        most = Math.max(most, underWay);
        for (let turn = started.length; turn < 40; turn += 1) await Promise.resolve();
        await sendNumber(value, context);
        underWay -= 1;
      },
      ...changes,
    });
    const { sent } = await execute(check, met, execution);
    return { most, started, sent };
  };

  test('are made several at a time, and begin in the order of their seed', async () => {
    const alone = await watched({}, { budget: 1_000 });
    const abreast = await watched({}, {});
    expect(alone.most).toBe(1);
    expect(abreast.most).toBeGreaterThan(1);
    expect(abreast.started).toEqual(alone.started);
    expect(abreast.sent.toSorted()).toEqual(alone.sent.toSorted());
  });

  test('are made one by one where they use up what they need, and so are systematic ones', async () => {
    expect((await watched({ once: true }, {})).most).toBe(1);
    expect((await watched({ examples: () => [1, 2, 3, 4, 5], share: 0 }, {})).most).toBe(1);
  });

  test('that breach something while others are under way are reported each, and none is made twice', async () => {
    const made: number[] = [];
    const check = checkOf({ examples: () => [], arbitrary: numbers });
    const server: Server = (value) => [breachOf('LIST-3', `rule of ${value % 3}`)];
    const { ledger } = await execute(check, server, {
      repeats: 0,
      shrinking: 0,
      onAttempt: (_, index) => made.push(index),
    });
    expect(made.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    const { causes } = ledger.entry('LIST-3');
    expect(causes).toHaveLength(3);
    expect(causes.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(20);
  });

  test('end with a fault of the suite, whichever of those under way has it', async () => {
    let calls = 0;
    const { ledger } = await execute(
      checkOf({
        examples: () => [],
        arbitrary: numbers,
        attempt: async () => {
          calls += 1;
          if (calls === 1) for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
          else throw new TypeError('no case');
        },
      }),
    );
    expect(ledger.entry('LIST-3').errors).toEqual([expect.stringContaining('TypeError: no case')]);
  });
});

describe('a breach', () => {
  test('is sent again and recorded with how often it came back', async () => {
    const { sent, ledger } = await execute(checkOf(), failsFrom(3));
    expect(sent).toEqual([1, 2, 3, 3, 3]);
    expect(ledger.entry('LIST-3').causes).toMatchObject([
      { seen: 3, tries: 3, occurrences: 1, path: null, check: 'LIST-3 numbers' },
    ]);
  });

  test('that does not come back is counted as such', async () => {
    let calls = 0;
    const { ledger } = await execute(checkOf({ examples: () => [1] }), () => {
      calls += 1;
      return calls === 1 ? [breachOf('LIST-3')] : [];
    });
    expect(ledger.entry('LIST-3').causes).toMatchObject([{ seen: 1, tries: 3 }]);
  });

  test('does not end the check, and its cause is not recorded twice', async () => {
    const { sent, ledger } = await execute(checkOf({ examples: () => [5, 6, 7, 8] }), failsFrom(6));
    expect(sent).toEqual([5, 6, 6, 6, 7, 8]);
    expect(ledger.entry('LIST-3').causes).toMatchObject([{ occurrences: 3 }]);
  });

  test('of another cause is recorded beside it', async () => {
    const server: Server = (value) => [breachOf('LIST-3', `rule ${value}`), breachOf('GEN-1', 'rule')];
    const { ledger } = await execute(checkOf(), server);
    expect(ledger.entry('LIST-3').causes.map(({ breach }) => breach.rule)).toEqual([
      'rule 1',
      'rule 2',
      'rule 3',
    ]);
    expect(ledger.entry('GEN-1').causes).toMatchObject([{ occurrences: 3 }]);
  });

  test('is told once', async () => {
    const told: Breach[] = [];
    await execute(checkOf({ examples: () => [5, 6] }), failsFrom(1), {
      onCause: (breach) => told.push(breach),
    });
    expect(told).toHaveLength(1);
  });

  test('is not sent again where the case uses up what it needs', async () => {
    const { sent, ledger } = await execute(checkOf({ once: true, arbitrary: numbers }), failsFrom(0), {
      runs: 1,
    });
    expect(sent).toHaveLength(4);
    expect(ledger.entry('LIST-3').causes).toMatchObject([{ seen: 1, tries: 1 }]);
  });

  test('of silence is not sent again, nor shrunk: it costs the time-out each time', async () => {
    const { sent, ledger } = await execute(
      checkOf({ examples: () => [], arbitrary: () => fc.integer({ min: 500, max: 1_000 }) }),
      () => 'silent',
      { runs: 1 },
    );
    expect(sent).toHaveLength(1);
    expect(ledger.entry('GEN-4').causes).toMatchObject([{ seen: 1, tries: 1 }]);
  });

  test('of a target that is gone afterwards is no unstable one', async () => {
    let calls = 0;
    const { ledger } = await execute(checkOf(), () => {
      calls += 1;
      return calls === 1 ? [breachOf('GEN-4')] : 'gone';
    });
    expect(ledger.entry('GEN-4').causes).toMatchObject([{ seen: 1, tries: 1 }]);
  });

  test('after which the target takes no connections any more is no unstable one, and that is one as well', async () => {
    let calls = 0;
    const refused = breachOf('GEN-4', 'no answer: refused');
    const failure = { kind: 'refused', message: 'refused', reused: false } as const;
    const { sent, ledger } = await execute(checkOf({ examples: () => [1] }), () => {
      calls += 1;
      if (calls === 1) return [breachOf('GEN-4', 'no answer: reset')];
      return [{ ...refused, exchange: { ...refused.exchange, response: null, failure } }];
    });
    expect(sent).toEqual([1, 1]);
    expect(ledger.entry('GEN-4').causes).toMatchObject([
      { breach: { rule: 'no answer: reset' }, seen: 1, tries: 1 },
      { breach: { rule: 'no answer: refused' }, seen: 1, tries: 1 },
    ]);
  });

  test('of a requirement that is not chosen is left alone', async () => {
    const ledger = createLedger((id) => id !== 'LIST-3');
    const { sent } = await execute(checkOf(), failsFrom(1), { ledger });
    expect(sent).toEqual([1, 2, 3]);
    expect(ledger.entry('LIST-3').causes).toEqual([]);
  });
});

describe('a generated case', () => {
  test('is shrunk to the smallest that shows the cause, and its path repeats just that', async () => {
    const check = checkOf({ arbitrary: numbers });
    const { ledger } = await execute(check, failsFrom(100), { runs: 100 });
    const [cause] = ledger.entry('LIST-3').causes;
    expect(cause).toMatchObject({ seen: 3, tries: 3 });
    expect(cause?.path).toMatch(/^\d+(:\d+)+$/);
    const again = await execute(check, failsFrom(100), { runs: 100, path: cause?.path ?? null });
    expect(again.sent).toEqual([100, 100, 100]);
    expect(again.ledger.entry('LIST-3').causes).toMatchObject([{ path: cause?.path, seen: 3, tries: 3 }]);
  });

  test('is not shrunk into another cause', async () => {
    const server: Server = (value) => [breachOf('LIST-3', value >= 500 ? 'large' : 'small')];
    const arbitrary = () => fc.integer({ min: 0, max: 1_000 }).filter((value) => value !== 0);
    const { ledger } = await execute(checkOf({ examples: () => [1], arbitrary }), server, { runs: 100 });
    const rules = ledger.entry('LIST-3').causes.map(({ breach, seen, tries }) => [breach.rule, seen, tries]);
    expect(rules).toEqual([
      ['small', 3, 3],
      ['large', 3, 3],
    ]);
  });

  test('is shrunk within a budget of requests', async () => {
    const server: Server = (value) => (value > 0 ? [breachOf('LIST-3')] : []);
    const arbitrary = () => fc.array(fc.nat(), { minLength: 200, maxLength: 300 });
    const sent: number[] = [];
    const check = checkOf({ examples: () => [] });
    await execute(
      {
        ...check,
        arbitrary,
        attempt: async (value, context) => {
          for (const each of value as number[]) {
            sent.push(each);
            await sendNumber(1, context);
          }
        },
      },
      server,
      { runs: 1 },
    );
    // The case itself, one attempt that goes over the budget of 50, and two to confirm it.
    expect(sent.length).toBeLessThanOrEqual(4 * 300);
  });

  test('is not gone on with by a path that no longer fails', async () => {
    const check = checkOf({ arbitrary: numbers });
    const { ledger } = await execute(check, failsFrom(100), { runs: 100 });
    const path = ledger.entry('LIST-3').causes[0]?.path ?? '';
    const { sent, ledger: repeated } = await execute(check, met, { path });
    expect(sent).toEqual([100]);
    expect(repeated.entry('LIST-3')).toMatchObject({ met: 1, causes: [] });
  });

  test('that a path does not lead to is undecided', async () => {
    const { sent, ledger } = await execute(checkOf({ arbitrary: () => fc.constant(1) }), met, {
      path: '9:9:9',
    });
    expect(sent).toEqual([]);
    expect([...ledger.entry('LIST-3').undecided.keys()]).toEqual([
      'the path 9:9:9 leads to no case of this check',
    ]);
    expect(ledger.entry('LIST-3').errors).toEqual([]);
  });
});

describe('a fault of the suite', () => {
  const broken = (name: string) => {
    throw new TypeError(`no ${name}`);
  };

  test.each([
    ['a systematic case', checkOf({ attempt: async () => broken('case') })],
    [
      'a generated case',
      checkOf({ examples: () => [], arbitrary: numbers, attempt: async () => broken('generated case') }),
    ],
    ['the examples', checkOf({ examples: () => broken('examples') })],
    ['the arbitrary', checkOf({ arbitrary: () => broken('arbitrary') })],
    ['a value of the arbitrary', checkOf({ arbitrary: () => numbers().map(() => broken('value')) })],
  ])("in %s is an error of the check's requirements, never a breach", async (_, check) => {
    const { ledger } = await execute({ ...check, gives: ['LIST-3', 'LIST-4'] });
    for (const id of ['LIST-3', 'LIST-4']) {
      expect(ledger.entry(id).errors).toEqual([expect.stringMatching(/^LIST-3 numbers: TypeError: no /)]);
      expect(ledger.entry(id).causes).toEqual([]);
    }
  });

  test('while a case is shrunk or sent again is one as well', async () => {
    for (const arbitrary of [undefined, numbers]) {
      let calls = 0;
      const { ledger } = await execute(
        checkOf({
          ...(arbitrary === undefined ? {} : { arbitrary, examples: () => [] }),
          attempt: async (value, context) => {
            calls += 1;
            if (calls > 1) broken('second attempt');
            await sendNumber(value, context);
          },
        }),
        failsFrom(0),
      );
      expect(ledger.entry('LIST-3').errors).toHaveLength(1);
    }
  });

  test('on a path is one as well', async () => {
    const check = checkOf({ arbitrary: numbers, attempt: async () => broken('case') });
    expect((await execute(check, met, { path: '4' })).ledger.entry('LIST-3').errors).toHaveLength(1);
  });
});

describe('a case', () => {
  test('that ends for want of something decides nothing, and the next one is made', async () => {
    const { sent, ledger } = await execute(
      checkOf({
        gives: ['LIST-3', 'LIST-4'],
        attempt: async (value, context) => {
          if (value === 2) context.end('there is no animal');
          await sendNumber(value, context);
        },
      }),
      met,
    );
    expect(sent).toEqual([1, 3]);
    for (const id of ['LIST-3', 'LIST-4'])
      expect([...ledger.entry(id).undecided]).toEqual([['there is no animal', 1]]);
  });

  test('records what its context is told', async () => {
    const { ledger } = await execute(
      checkOf({
        examples: () => [1],
        attempt: async (_, context) => {
          context.met('LIST-3');
          context.undecided('LIST-4', 'why');
          context.observe('LIST-10', 'order', 'by id');
          context.breach({ ...breachOf('LIST-6') });
        },
      }),
    );
    expect(ledger.entry('LIST-3').met).toBe(1);
    expect([...ledger.entry('LIST-4').undecided.keys()]).toEqual(['why']);
    expect(ledger.observations()).toEqual([{ id: 'LIST-10', subject: 'order', value: 'by id' }]);
    expect(ledger.entry('LIST-6').causes).toHaveLength(1);
  });

  test('is the last one, and proves nothing, once the run is aborted', async () => {
    const controller = new AbortController();
    const { sent, ledger } = await execute(
      checkOf({ arbitrary: numbers }),
      (value) => {
        if (value === 2) controller.abort();
        return value === 2 ? [breachOf('LIST-3')] : [{ kind: 'met', requirement: 'LIST-3' }];
      },
      { signal: controller.signal },
    );
    expect(sent).toEqual([1, 2]);
    expect(ledger.entry('LIST-3')).toMatchObject({ met: 1, causes: [] });
  });
});
