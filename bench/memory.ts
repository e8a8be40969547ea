import { type Bench, judge } from './engine.ts';

/** What a run of so many generated cases takes of this process, in bytes. */
export interface Memory {
  readonly cases: number;
  readonly requests: number;
  readonly created: number;
  /** The most that was resident. */
  readonly resident: number;
  /** The most that was alive after a collection of garbage. */
  readonly alive: number;
}

const [baseUrl = '', key = '', runs = '', maxCreates = ''] = process.argv.slice(2);
const bench: Bench = { baseUrl, key };

let alive = 0;
const look = (): void => {
  globalThis.gc?.();
  alive = Math.max(alive, process.memoryUsage().heapUsed);
};

let cases = 0;
const { traffic } = await judge(bench, {
  runs: Number(runs),
  maxCreates: Number(maxCreates),
  onCase: () => {
    cases += 1;
    if (cases % 1_000 === 0) look();
  },
});
look();
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
