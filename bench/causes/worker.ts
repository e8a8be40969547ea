import { parentPort, workerData } from 'node:worker_threads';
import { measure } from './measure.ts';
import { outcomesIn } from './outcomes.ts';

const repairOf = measure(outcomesIn(workerData.folder));

parentPort?.on('message', async (seed: number) => parentPort?.postMessage(await repairOf(seed)));
