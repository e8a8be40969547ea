import { parentPort } from 'node:worker_threads';
import { examine } from './examine.ts';
import type { Task } from './tasks.ts';

parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await examine(task)));
