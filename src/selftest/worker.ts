import { parentPort } from 'node:worker_threads';
import type { Task } from './tasks.ts';
import { testServer } from './test-server.ts';

parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await testServer(task)));
