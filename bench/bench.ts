import type { WireRequest } from '../src/http/exchange.ts';
import { noting, sendBare } from './bare.ts';
import { start } from './child.ts';
import { type Bench, concurrency, judge } from './engine.ts';
import type { Memory } from './memory.ts';

const rounds = 5;
/** Some 57,000 requests a round. */
const work = { runs: 20_000, maxCreates: 1_000_000 };
/** The engine's requests per second over those of the bare loop, at least. */
const wanted = 0.6;
/** `--runs` that make about 1,000 and 100,000 cases, the systematic ones included; the usual `--max-creates`. */
const memoryRuns = [160, 47_300];
const usualCreates = 200;

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
const perSecond = (rate: number): string => `${Math.round(rate)} requests/s`;
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** Requests per second of what sends as many as it says. */
const rateOf = async (send: () => Promise<number>): Promise<number> => {
  const startedAt = performance.now();
  const requests = await send();
  return (1_000 * requests) / (performance.now() - startedAt);
};

/** The engine and the bare loop in turn, after one of each to warm up. */
const compare = async (bench: Bench): Promise<number> => {
  const requests: WireRequest[] = [];
  await judge(bench, { ...work, through: noting(requests) });
  await sendBare(requests, concurrency);
  const [engine, bare]: [number[], number[]] = [[], []];
  console.log(`${requests.length} requests a round, ${concurrency} at a time`);
  for (let round = 1; round <= rounds; round += 1) {
    const ours = await rateOf(async () => (await judge(bench, work)).traffic.requests);
    const theirs = await rateOf(async () => {
      await sendBare(requests, concurrency);
      return requests.length;
    });
    engine.push(ours);
    bare.push(theirs);
    console.log(`  round ${round}: engine ${perSecond(ours)}, bare undici ${perSecond(theirs)}`);
  }
  const ratio = median(engine) / median(bare);
  console.log(`medians: engine ${perSecond(median(engine))}, bare undici ${perSecond(median(bare))}`);
  console.log(`ratio ${ratio.toFixed(2)}, to be at least ${wanted.toFixed(2)}`);
  return ratio;
};

/** A run in a process of its own. */
const weigh = async ({ baseUrl, key }: Bench, runs: number): Promise<void> => {
  const child = start('memory.ts', [baseUrl, key, `${runs}`, `${usualCreates}`], ['--expose-gc']);
  const { cases, requests, created, resident, alive } = (await child.next()) as Memory;
  await child.end();
  console.log(
    `${cases} cases (${requests} requests, ${created} animals): peak ${megabytes(resident)} resident, ${megabytes(alive)} alive on the heap`,
  );
};

const server = start('server.ts', []);
const bench = (await server.next()) as Bench;
for (const runs of memoryRuns) await weigh(bench, runs);
const ratio = await compare(bench);
await server.end();
process.exitCode = ratio >= wanted ? 0 : 1;
