import type { WireRequest } from '../src/http/exchange.ts';
import { recordRequests, sendBare } from './bare.ts';
import { start } from './child.ts';
import { type Bench, concurrency, runSuite } from './engine.ts';
import type { Memory } from './memory.ts';

const rounds = 5;
/** About 26,000 requests per round. */
const work = { runs: 20_000, maxCreates: 1_000_000 };
/** The engine must reach this fraction of the bare loop's requests per second. */
const minRatio = 0.6;
/** Values of `--runs` that make about 1,000 and 100,000 cases, systematic ones included. */
const memoryRuns = [160, 47_300];
const defaultMaxCreates = 200;

const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
const perSecond = (rate: number): string => `${Math.round(rate)} requests/s`;
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** Measures requests per second; `send` returns how many it sent. */
const rateOf = async (send: () => Promise<number>): Promise<number> => {
  const startedAt = performance.now();
  const requests = await send();
  return (1_000 * requests) / (performance.now() - startedAt);
};

/** Measures the engine and the bare loop by turns, after one warm-up of each. Returns the ratio of their medians. */
const compare = async (bench: Bench): Promise<number> => {
  const requests: WireRequest[] = [];
  await runSuite(bench, { ...work, wrapTransport: recordRequests(requests) });
  await sendBare(requests, concurrency);
  const [engine, bare]: [number[], number[]] = [[], []];
  console.log(`${requests.length} requests a round, ${concurrency} at a time`);
  for (let round = 1; round <= rounds; round += 1) {
    const engineRate = await rateOf(async () => (await runSuite(bench, work)).traffic.requests);
    const bareRate = await rateOf(async () => {
      await sendBare(requests, concurrency);
      return requests.length;
    });
    engine.push(engineRate);
    bare.push(bareRate);
    console.log(`  round ${round}: engine ${perSecond(engineRate)}, bare undici ${perSecond(bareRate)}`);
  }
  const ratio = median(engine) / median(bare);
  console.log(`medians: engine ${perSecond(median(engine))}, bare undici ${perSecond(median(bare))}`);
  console.log(`ratio ${ratio.toFixed(2)}, expected at least ${minRatio.toFixed(2)}`);
  return ratio;
};

/** Prints the memory that a run in a separate process takes. */
const measureMemory = async ({ baseUrl, key }: Bench, runs: number): Promise<void> => {
  const child = start('memory.ts', [baseUrl, key, `${runs}`, `${defaultMaxCreates}`], ['--expose-gc']);
  const { cases, requests, created, resident, alive } = (await child.next()) as Memory;
  await child.end();
  console.log(
    `${cases} cases (${requests} requests, ${created} animals): peak ${megabytes(resident)} resident, ${megabytes(alive)} alive on the heap`,
  );
};

const server = start('server.ts', []);
const bench = (await server.next()) as Bench;
for (const runs of memoryRuns) await measureMemory(bench, runs);
const ratio = await compare(bench);
await server.end();
process.exitCode = ratio >= minRatio ? 0 : 1;
