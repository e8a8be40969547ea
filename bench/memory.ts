import { type Bench, runSuite } from './engine.ts';

/** The memory that a run takes of this process, in bytes. */
export interface Memory {
  readonly cases: number;
  readonly requests: number;
  readonly created: number;
  /** Peak resident set size. */
  readonly resident: number;
  /** Peak heap size after a garbage collection. */
  readonly alive: number;
}

const [baseUrl = '', key = '', runs = '', maxCreates = ''] = process.argv.slice(2);
const bench: Bench = { baseUrl, key };

let alive = 0;
const measureHeap = (): void => {
  globalThis.gc?.();
  alive = Math.max(alive, process.memoryUsage().heapUsed);
};

let cases = 0;
const { traffic } = await runSuite(bench, {
  runs: Number(runs),
  maxCreates: Number(maxCreates),
  onCase: () => {
    cases += 1;
    if (cases % 1_000 === 0) measureHeap();
  },
});
measureHeap();
const resident = process.resourceUsage().maxRSS * 1024;
console.log(
  JSON.stringify({
    cases,
    requests: traffic.requests,
    created: traffic.created,
    resident,
    alive,
  } satisfies Memory),
);
