/**
 * Measures whether root causes keep their promise: draws servers with 3 to 10 faults, fixes what the report names first, and compares
 * what the report promised with the next run, until the server is green.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { figureLines, roundsOf } from './causes/figures.ts';
import type { Repair } from './causes/repair.ts';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    // A folder that keeps the outcomes of runs, so that a change of reports alone is measured without the runs.
    keep: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

const seeds = Array.from({ length: Number(values.servers) }, (_, at) => Number(values.seed) * 10_000 + at);
const repairs: Repair[] = [];
const queue = seeds.entries();

const work = async (): Promise<void> => {
  const worker = new Worker(new URL('causes/worker.ts', import.meta.url), {
    workerData: { folder: values.keep ?? null },
  });
  for (const [at, seed] of queue) {
    worker.postMessage(seed);
    const [repaired] = await once(worker, 'message');
    repairs[at] = repaired;
  }
  await worker.terminate();
};
await Promise.all(Array.from({ length: Number(values.jobs) }, work));

const verboseLines = (repair: Repair): readonly string[] => [
  `server ${repair.server.seed}: ${repair.server.faults.join(', ')}; ${roundsOf(repair)} rounds, unseen: ${repair.unseen.join(', ')}`,
  ...repair.rounds.flatMap((round) => [
    `  ${round.lead.isRootCause ? 'root cause' : 'failure'} ${round.lead.text}`,
    `    fixed ${round.fault}${round.isWrongBug ? `, BUG NOT THERE: ${round.lead.bug}` : ''}`,
    ...round.broken.map((key) => `    BROKEN ${key}`),
    ...round.stillFailing.map((id) => `    STILL FAILS ${id}`),
    ...(round.lead.isRootCause ? round.unpromised.map((key) => `    UNPROMISED ${key}`) : []),
  ]),
];
if (values.verbose) for (const repair of repairs) console.log(verboseLines(repair).join('\n'));
console.log(figureLines(repairs).join('\n'));
