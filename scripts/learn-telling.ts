/**
 * Learns which cases tell most for their requests, from which faults fall to them, and writes `spec/telling.json`: the order in which
 * a run of few requests (`--budget`) makes them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalogue } from '../src/document/catalogue.ts';
import { packageRoot } from '../src/document/package-root.ts';
import { faults } from '../src/reference/faults/index.ts';
import { caseName } from '../src/run/budget.ts';
import { runConformance } from '../src/run/run.ts';
import { recipeFor, serve } from '../src/selftest/server.ts';
import { resolveSettings } from '../src/settings/resolve.ts';

/** A case with the faults that fall to it, and the exchanges it took. */
interface Told {
  readonly faults: Set<string>;
  exchanges: number;
  times: number;
}

const seed = 1;

const resolved = resolveSettings({
  flags: { runs: '0', seed: String(seed) },
  env: {},
  file: [],
  requirements: loadCatalogue(),
});
if (!resolved.ok) throw new Error(resolved.problems.join('; '));
const { settings } = resolved;

const learnFrom = async (
  name: string,
  requirement: string,
  told: Map<string, Told>,
  budget: number | null = null,
): Promise<void> => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names: [name] }), seed);
  await runConformance(
    { ...settings, budget },
    {
      clock,
      watch: () => {},
      signal: new AbortController().signal,
      random: () => 0.5,
      target,
      onAttempt: (check, index, { findings, exchanges }) => {
        const key = caseName(check, index);
        const known = told.get(key) ?? { faults: new Set(), exchanges: 0, times: 0 };
        told.set(key, known);
        known.exchanges += exchanges;
        known.times += 1;
        if (findings.some((finding) => finding.kind === 'breach' && finding.requirement === requirement)) {
          known.faults.add(name);
        }
      },
    },
  );
};

/** Each time the case that most faults fall to for its requests, of those that no earlier one has told. */
const greedy = (told: ReadonlyMap<string, Told>): readonly string[] => {
  const caught = new Set<string>();
  const order: string[] = [];
  const gain = ({ faults, exchanges, times }: Told): number =>
    [...faults].filter((fault) => !caught.has(fault)).length / Math.max(1, exchanges / times);
  for (;;) {
    const [best] = [...told]
      .filter(([key]) => !order.includes(key))
      .sort(([, a], [, b]) => gain(b) - gain(a));
    if (best === undefined || gain(best[1]) === 0) return order;
    order.push(best[0]);
    for (const fault of best[1].faults) caught.add(fault);
  }
};

const visible = faults.filter(({ needs }) => needs === undefined);

const learn = async (budget: number | null): Promise<ReadonlyMap<string, Told>> => {
  const told = new Map<string, Told>();
  for (const { name, requirement } of visible) await learnFrom(name, requirement, told, budget);
  return told;
};

const write = (cases: readonly string[]): void =>
  writeFileSync(join(packageRoot(), 'spec', 'telling.json'), `${JSON.stringify({ cases }, null, 2)}\n`);

const caughtBy = (told: ReadonlyMap<string, Told>): number =>
  new Set([...told.values()].flatMap(({ faults }) => [...faults])).size;

/**
 * In a run of few requests a case may tell less than in a whole one: it needs a store that is full, say. What it told in the small run
 * takes the place of what it told in the whole one, and the order is made anew; the one that caught most is kept.
 */
const refine = async (
  whole: ReadonlyMap<string, Told>,
  budget: number,
  rounds: number,
): Promise<readonly string[]> => {
  const told = new Map(whole);
  let best: { readonly order: readonly string[]; readonly caught: number } = { order: [], caught: -1 };
  for (let round = 0; round < rounds; round += 1) {
    const order = greedy(told);
    write(order);
    const small = await learn(budget);
    const caught = caughtBy(small);
    console.log(`${budget} requests catch ${caught} of ${visible.length} faults`);
    if (caught > best.caught) best = { order, caught };
    for (const [key, seen] of small) if (seen.exchanges > 0) told.set(key, seen);
  }
  return [...best.order, ...greedy(whole).filter((key) => !best.order.includes(key))];
};

const cases = await refine(await learn(null), 60, 3);
write(cases);
console.log(`${cases.length} cases tell all faults that a run of every case tells.`);
