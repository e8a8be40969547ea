import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CaseSkipped } from '../../src/check/case-skipped.ts';
import type { Check } from '../../src/check/check.ts';
import { isBreach } from '../../src/finding/finding.ts';
import type { LossCode } from '../../src/finding/reason.ts';
import { toReport } from '../../src/report/conformance.ts';
import { mergeShards } from '../../src/report/merge.ts';
import type { RequirementResult } from '../../src/run/outcome.ts';
import { coversCase } from '../../src/run/plan.ts';
import { serve, setupFor } from '../../src/selftest/server.ts';
import { suite } from '../../suites/index.ts';
import { type RunChanges, resultOf, runInWords } from '../support/run-in-words.ts';

/** How a part ends early: by its budget, or by an interrupt after some events. */
type Cut = { readonly kind: 'budget' | 'interrupt'; readonly after: number };

interface Split {
  readonly faults: readonly string[];
  readonly seed: number;
  /** Null: the part runs to its end. */
  readonly parts: readonly (Cut | null)[];
}

/** Cases by check and index, with what each was lost to; null: it came to its end. */
type Cases = ReadonlyMap<
  string,
  {
    readonly check: Check;
    readonly index: number;
    readonly lostTo: LossCode | null;
    /** The requirements that it found broken. */
    readonly broken: readonly string[];
  }
>;

type Ended = Awaited<ReturnType<typeof runWith>>;

const keyOf = ({ id }: Check, index: number): string => `${id} ${index}`;

const only = ['CREATE-1', 'CREATE-6', 'GET-1', 'LIST', 'ORDERS-2', 'VER-1'];

/** A run against a new server, with its cases. */
const runWith = async ({ faults, seed }: Split, settings: object = {}, deps: RunChanges = {}) => {
  const cases: Map<string, Cases extends ReadonlyMap<string, infer Case> ? Case : never> = new Map();
  const ended = await runInWords(
    { only, runs: 2, seed, ...settings },
    {
      ...serve(setupFor({ kind: 'fault', names: faults }), 1),
      onAttempt: (check, index, { lostTo, findings }) => {
        const broken = findings.filter(isBreach).map(({ requirement }) => requirement);
        cases.set(keyOf(check, index), { check, index, lostTo, broken });
      },
      ...deps,
    },
  );
  return { ...ended, cases };
};

const partOf = async (split: Split, index: number, cut: Cut | null) => {
  const interrupt = new AbortController();
  let events = 0;
  const watch = (): void => {
    events += 1;
    if (cut?.kind === 'interrupt' && events === cut.after) interrupt.abort();
  };
  const budget = cut?.kind === 'budget' ? cut.after : null;
  const shard = { index: index + 1, of: split.parts.length };
  return runWith(split, { budget, shard }, { signal: interrupt.signal, watch });
};

/** A case of a part that the whole run does not run itself: it is lost, or another part runs it too. */
interface Further {
  readonly check: Check;
  readonly lostTo: LossCode | null;
}

/** The cases that a part ran to their end. A budget may end before a failure is confirmed: then the case has found nothing. */
const doneIn = ({ cases: all }: Ended, { cases, outcome }: Ended): readonly string[] =>
  [...cases].flatMap(([key, { lostTo, broken }]) => {
    const isFound = outcome.requirements.every(
      ({ id, verdict, reasonCode }) =>
        !broken.includes(id) || ['failed', 'warned'].includes(verdict) || reasonCode === 'not-selected',
    );
    return isFound && lostTo === all.get(key)?.lostTo ? [key] : [];
  });

const furtherOf = (
  { cases: all }: Ended,
  parts: readonly Ended[],
  run: ReadonlySet<string>,
): readonly Further[] => {
  const counts = Map.groupBy(all.values(), ({ check }) => check.id);
  const isOf = (index: number) =>
    coversCase({ index: index + 1, of: parts.length }, ({ id }) => counts.get(id)?.length ?? 0, {
      repeats: true,
    });
  return [...all].flatMap(([key, { check, index, lostTo: always }]) => {
    const copies = parts
      .filter((_, part) => isOf(part)(check, index))
      .map(({ cases }) => (cases.has(key) ? (cases.get(key)?.lostTo ?? null) : 'interrupted'));
    const [done, lost] = [copies.filter((to) => to === always), copies.filter((to) => to !== always)];
    const others = run.has(key) ? done.slice(1) : done;
    return [...others, ...lost].map((lostTo) => ({ check, lostTo }));
  });
};

/** In the order of the run. */
const ways: readonly (readonly [lostTo: LossCode | null, run: (end: AbortController) => Promise<void>])[] = [
  [null, async () => undefined],
  [
    'budget',
    async () => {
      throw new CaseSkipped({ code: 'budget', budget: 1 }, { lostTo: 'budget' });
    },
  ],
  ['interrupted', async (end) => end.abort()],
];

/** The whole run, in which exactly these cases are lost: to the budget, or because it is interrupted when only they are left. */
const wholeWith = (split: Split, further: readonly Further[], done: ReadonlySet<string>): Promise<Ended> => {
  const end = new AbortController();
  const checks = ways.flatMap(([way, run]) =>
    [
      ...Map.groupBy(
        further.filter(({ lostTo }) => lostTo === way),
        ({ check }) => check,
      ),
    ].map(
      ([{ id, requirement, covers = [] }, cases]): Check => ({
        ...{ kind: 'check', id: `${id} ${way}`, title: `${id} ${way}`, requirement, covers },
        phase: 'risky',
        inputs: () => cases,
        run: () => run(end),
      }),
    ),
  );
  return runWith(
    split,
    // One after another: the last phase is not exclusive.
    { concurrency: 1 },
    {
      signal: end.signal,
      suite: { ...suite, animalStore: [...suite.animalStore, ...checks] },
      includesCase: (check, index) => checks.includes(check) || done.has(keyOf(check, index)),
    },
  );
};

type Counted = Pick<RequirementResult, 'id' | 'verdict' | 'evidence'>;

const countsOf = ({ evidence }: Counted) => [
  evidence?.cases,
  Object.entries(evidence?.lost ?? {}).toSorted(),
];

/**
 * Whether the whole run found a failure that no part could find. Each part has a server of its own: what one part creates shows nothing
 * in the lists of another.
 */
const isOfTheWhole = (merged: Counted, whole: Counted, parts: readonly Ended[]): boolean =>
  whole.verdict === 'failed' &&
  merged.verdict === 'inconclusive' &&
  parts.every(({ outcome }) => resultOf(outcome, merged.id)?.verdict !== 'failed');

const cutArbitrary: fc.Arbitrary<Cut> = fc.record({
  kind: fc.constantFrom('budget', 'interrupt'),
  after: fc.integer({ min: 1, max: 60 }),
});
const splitArbitrary: fc.Arbitrary<Split> = fc.record({
  faults: fc.constantFrom([], ['limit-ignored'], ['status-in-any-case']),
  seed: fc.integer({ min: 1, max: 1_000 }),
  parts: fc.array(fc.option(cutArbitrary), { minLength: 2, maxLength: 4 }),
});

test('a run in parts, of which some end early, merged -> the whole run with exactly these cases lost', async () => {
  await fc.assert(
    fc.asyncProperty(splitArbitrary, async (split) => {
      const all = await runWith(split);
      const parts = await Promise.all(split.parts.map((cut, index) => partOf(split, index, cut)));
      const done = new Set(parts.flatMap((part) => doneIn(all, part)));
      const whole = await wholeWith(split, furtherOf(all, parts, done), done);
      const [first, ...rest] = parts.map(({ outcome }) => ({
        report: toReport(outcome),
        exchanges: outcome.exchanges,
      }));
      if (first === undefined) return;
      const merged = mergeShards(first, ...rest);
      const pairs = merged.outcome.requirements.flatMap((result) => {
        const expected = resultOf(whole.outcome, result.id);
        return expected === undefined ? [] : [{ result, expected }];
      });
      expect(pairs).toHaveLength(whole.outcome.requirements.length);
      const alike = pairs.filter(({ result, expected }) => !isOfTheWhole(result, expected, parts));
      const verdicts = (which: 'result' | 'expected') =>
        alike.map((pair) => [pair[which].id, pair[which].verdict]);
      expect(verdicts('result')).toEqual(verdicts('expected'));
      expect(pairs.map(({ result }) => countsOf(result))).toEqual(
        pairs.map(({ expected }) => countsOf(expected)),
      );
      if (alike.length === pairs.length)
        expect([merged.outcome.verdict, merged.exit]).toEqual([whole.outcome.verdict, whole.exit]);
    }),
    { numRuns: 10 },
  );
});
