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

const learnFrom = async (name: string, requirement: string, told: Map<string, Told>): Promise<void> => {
  const { target, clock } = serve(recipeFor({ kind: 'fault', names: [name] }), seed);
  await runConformance(settings, {
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
  });
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

const told = new Map<string, Told>();
for (const { name, requirement, needs } of faults) {
  if (needs === undefined) await learnFrom(name, requirement, told);
}
const cases = greedy(told);
writeFileSync(join(packageRoot(), 'spec', 'telling.json'), `${JSON.stringify({ cases }, null, 2)}\n`);
console.log(`${cases.length} cases tell all faults that a run of every case tells.`);
