import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toReport } from '../../src/report/conformance.ts';
import { mergeShards } from '../../src/report/merge.ts';
import type { Outcome, RequirementResult, ServerFailure } from '../../src/run/outcome.ts';
import { outcomeWith } from '../support/run-in-words.ts';

/** How a part ends early: by its budget, or by an interrupt after some events. */
type Cut = { readonly kind: 'budget' | 'interrupt'; readonly after: number };

interface Split {
  readonly faults: readonly string[];
  readonly seed: number;
  /** Null: the part runs to its end. */
  readonly parts: readonly (Cut | null)[];
}

const only = ['CREATE-1', 'CREATE-6', 'GET-1', 'LIST', 'ORDERS-2', 'VER-1'];

const partOf = (split: Split, index: number, cut: Cut | null): Promise<Outcome<ServerFailure>> => {
  const interrupt = new AbortController();
  let events = 0;
  const watch = (): void => {
    events += 1;
    if (cut?.kind === 'interrupt' && events === cut.after) interrupt.abort();
  };
  const { faults, seed, parts } = split;
  const budget = cut?.kind === 'budget' ? cut.after : null;
  const shard = { index: index + 1, of: parts.length };
  return outcomeWith(faults, { only, runs: 2, seed, budget, shard }, { signal: interrupt.signal, watch });
};

const cutArbitrary: fc.Arbitrary<Cut> = fc.record({
  kind: fc.constantFrom('budget', 'interrupt'),
  after: fc.integer({ min: 1, max: 60 }),
});
const splitArbitrary: fc.Arbitrary<Split> = fc.record({
  faults: fc.constantFrom([], ['limit-ignored'], ['status-in-any-case']),
  seed: fc.integer({ min: 1, max: 1_000 }),
  parts: fc.array(fc.option(cutArbitrary), { minLength: 2, maxLength: 4 }),
});

const resultsOf = ({ requirements }: Pick<Outcome, 'requirements'>): ReadonlyMap<string, RequirementResult> =>
  new Map(requirements.map((result) => [result.id, result]));

/** Whether a part lost cases of a requirement that could have failed. */
const hasLost = ({ evidence, reasonCode }: RequirementResult): boolean =>
  Object.keys(evidence?.lost ?? {}).length > 0 ||
  ['budget', 'interrupted', 'run-ended', 'no-response', 'target-gone'].includes(reasonCode ?? '');

/** What contradicts the whole run with the cases lost that the parts lost. */
const contradictions = (whole: Outcome, parts: readonly Outcome[], merged: Outcome): readonly string[] =>
  [...resultsOf(merged)].flatMap(([id, { level, verdict }]) => {
    const ofWhole = resultsOf(whole).get(id)?.verdict;
    const ofParts = parts.flatMap((part) => resultsOf(part).get(id) ?? []);
    const isBroken = ofParts.some((part) => part.verdict === 'failed');
    const isLost = ofParts.some(hasLost);
    const said = `${id}: ${verdict}, whole ${ofWhole}, parts ${ofParts.map((part) => `${part.verdict} ${part.reasonCode}`)}`;
    if (isBroken !== (verdict === 'failed')) return [said];
    if (isLost) return verdict === 'passed' ? [said] : [];
    return verdict === ofWhole || (level === 'OPEN' && verdict === 'observed') ? [] : [said];
  });

test('a run in parts, of which some end early, merged -> as the whole run with the cases lost', async () => {
  await fc.assert(
    fc.asyncProperty(splitArbitrary, async (split) => {
      const whole = await outcomeWith(split.faults, { only, runs: 2, seed: split.seed });
      const parts = await Promise.all(split.parts.map((cut, index) => partOf(split, index, cut)));
      const shards = parts.map((part) => ({ report: toReport(part), exchanges: part.exchanges }));
      const [first, ...rest] = shards;
      if (first === undefined) return;
      const { outcome: merged } = mergeShards(first, ...rest);
      expect(contradictions(whole, parts, merged)).toEqual([]);
      const isFailed = parts.some(({ verdict }) => verdict === 'nonconformant');
      const isInterrupted = parts.some(({ endedCode }) => endedCode === 'interrupted');
      if (isFailed) expect(merged.verdict).toBe('nonconformant');
      else if (isInterrupted) expect(merged.verdict).toBe('not-judged');
    }),
    { numRuns: 10 },
  );
}, 120_000);
