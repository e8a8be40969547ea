import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { testProblems } from '../report/text/selftest.ts';
import type { Clock } from '../time/clock.ts';
import type { Task } from './tasks.ts';
import { brokenBy, type TestedServer } from './tested-server.ts';

/** Timeout of a test, in real milliseconds. The slowest one takes a few seconds. */
const timeoutMs = 120_000;

/** `worker.ts` in a checkout, `worker.js` in the package. */
const workerFile = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

interface WorkerOptions {
  /** The number of threads, which is the number of servers tested at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called for each server when it is done, in no particular order. */
  onTested(server: TestedServer): void;
}

/** The tested server that a thread reports. Rejects if the thread dies, hangs, or is aborted. */
const testIn = async (thread: Worker, task: Task, { signal, clock }: WorkerOptions) => {
  const done = new AbortController();
  const until = { signal: AbortSignal.any([signal, done.signal]) };
  thread.postMessage(task);
  try {
    return await Promise.race([
      once(thread, 'message', until).then(([server]) => server as TestedServer),
      once(thread, 'exit', until).then(() => Promise.reject(testProblems.threadEnded)),
      clock.sleep(timeoutMs, until.signal).then(() => Promise.reject(testProblems.tooLong(timeoutMs / 1000))),
    ]);
  } finally {
    done.abort();
  }
};

/**
 * Tests all servers in threads. Each task goes to the next free thread; a thread that dies or hangs is replaced. The result is in the
 * order of the tasks. Rejects with the signal's reason if it is aborted.
 */
export const testServers = async (
  tasks: readonly Task[],
  options: WorkerOptions,
): Promise<readonly TestedServer[]> => {
  const { jobs, signal, onTested } = options;
  const servers: TestedServer[] = [];
  const queue = tasks.entries();
  const work = async () => {
    let thread: Worker | null = null;
    for (const [index, task] of queue) {
      if (signal.aborted) break;
      thread ??= new Worker(workerFile);
      try {
        servers[index] = await testIn(thread, task, options);
      } catch (error) {
        await thread.terminate();
        thread = null;
        servers[index] = brokenBy(task, error);
      }
      if (!signal.aborted) onTested(servers[index]);
    }
    await thread?.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, work));
  signal.throwIfAborted();
  return servers;
};
