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

/** Of how many requests a run is (null: all), and the order of its cases. */
interface Way {
  readonly budget: number | null;
  readonly ranking: readonly string[];
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
  { budget, ranking }: Way,
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
      ranking,
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

const learn = async (
  way: Way,
  from: readonly (typeof visible)[number][] = visible,
): Promise<ReadonlyMap<string, Told>> => {
  const told = new Map<string, Told>();
  for (const { name, requirement } of from) await learnFrom(name, requirement, told, way);
  return told;
};

const caughtBy = (told: ReadonlyMap<string, Told>): ReadonlySet<string> =>
  new Set([...told.values()].flatMap(({ faults }) => [...faults]));

/** An order, what each case of a run of few requests that follows it tells, and the faults that fall to it. */
interface Tried {
  readonly order: readonly string[];
  readonly told: ReadonlyMap<string, Told>;
  readonly caught: ReadonlySet<string>;
}

const attempt = async (order: readonly string[], budget: number): Promise<Tried> => {
  const told = await learn({ budget, ranking: order });
  const caught = caughtBy(told);
  console.log(`${budget} requests catch ${caught.size} of ${visible.length} faults`);
  return { order, told, caught };
};

/**
 * In a run of few requests a case may tell less than in a whole one: it needs a store that is full, say. What it told in the small run
 * takes the place of what it told in the whole one, and the order is made anew; the one that caught most is kept.
 */
const refine = async (whole: ReadonlyMap<string, Told>, budget: number, rounds: number): Promise<Tried> => {
  const told = new Map(whole);
  let best: Tried | null = null;
  for (let round = 0; round < rounds; round += 1) {
    const tried = await attempt(greedy(told), budget);
    if (best === null || tried.caught.size > best.caught.size) best = tried;
    for (const [key, seen] of tried.told) if (seen.exchanges > 0) told.set(key, seen);
  }
  return best ?? attempt(greedy(told), budget);
};

/** Cases that tell some of the faults, but for those that tell nothing which another does not. */
const candidates = (whole: ReadonlyMap<string, Told>, among: ReadonlySet<string>): readonly string[] => {
  const kept: (readonly [key: string, told: ReadonlySet<string>])[] = [];
  const all = [...whole].map(
    ([key, { faults }]) => [key, [...faults].filter((name) => among.has(name))] as const,
  );
  for (const [key, told] of all.sort(([, a], [, b]) => b.length - a.length)) {
    const isNew = !kept.some(([, more]) => told.every((name) => more.has(name)));
    if (isNew) kept.push([key, new Set(told)]);
  }
  return kept.map(([key]) => key);
};

/** So many of the cases that promise most are tried in front of the others. */
const mostTried = 10;

/** A case also tells what it lets others see: each is put first once, and stays there where more faults fall in all. */
const enrich = async (whole: ReadonlyMap<string, Told>, start: Tried, budget: number): Promise<Tried> => {
  const left = visible.filter(({ name }) => !start.caught.has(name));
  const gains: { readonly key: string; readonly gain: number }[] = [];
  for (const key of candidates(whole, new Set(left.map(({ name }) => name)))) {
    const gain = caughtBy(await learn({ budget, ranking: [key, ...start.order] }, left)).size;
    if (gain > 1) console.log(`${key} lets ${gain} more be seen`);
    gains.push({ key, gain });
  }
  let best = start;
  for (const { key } of gains.sort((a, b) => b.gain - a.gain).slice(0, mostTried)) {
    const tried = await attempt([key, ...best.order.filter((other) => other !== key)], budget);
    if (tried.caught.size > best.caught.size) best = tried;
  }
  return best;
};

const whole = await learn({ budget: null, ranking: [] });
const { order } = await enrich(whole, await refine(whole, 60, 3), 60);
const cases = [...order, ...greedy(whole).filter((key) => !order.includes(key))];
writeFileSync(join(packageRoot(), 'spec', 'telling.json'), `${JSON.stringify({ cases }, null, 2)}\n`);
console.log(`${cases.length} cases tell all faults that a run of every case tells.`);
