import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { examinationProblems } from '../report/text/selftest.ts';
import type { Clock } from '../time/clock.ts';
import { brokenBy, type Examination } from './examination.ts';
import type { Task } from './tasks.ts';

/** Timeout of an examination, in real milliseconds. The slowest one takes a few seconds. */
const timeoutMs = 120_000;

/** `worker.ts` in a checkout, `worker.js` in the package. */
const workerFile = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

interface WorkerOptions {
  /** The number of threads, which is the number of servers examined at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called for each examination when it is done, in no particular order. */
  onExamined(examination: Examination): void;
}

/** The examination that a thread sends. Rejects if the thread dies, hangs, or is aborted. */
const examineIn = async (
  thread: Worker,
  task: Task,
  { signal, clock }: WorkerOptions,
): Promise<Examination> => {
  const done = new AbortController();
  const until = { signal: AbortSignal.any([signal, done.signal]) };
  thread.postMessage(task);
  try {
    return await Promise.race([
      once(thread, 'message', until).then(([examination]) => examination as Examination),
      once(thread, 'exit', until).then(() => Promise.reject(examinationProblems.threadEnded)),
      clock
        .sleep(timeoutMs, until.signal)
        .then(() => Promise.reject(examinationProblems.tooLong(timeoutMs / 1000))),
    ]);
  } finally {
    done.abort();
  }
};

/**
 * Examines all tasks in threads. Each task goes to the next free thread; a thread that dies or hangs is replaced. The result is in the
 * order of the tasks. Rejects with the signal's reason if it is aborted.
 */
export const examineAll = async (
  tasks: readonly Task[],
  options: WorkerOptions,
): Promise<readonly Examination[]> => {
  const { jobs, signal, onExamined } = options;
  const examinations: Examination[] = [];
  const queue = tasks.entries();
  const work = async () => {
    let thread: Worker | null = null;
    for (const [index, task] of queue) {
      if (signal.aborted) break;
      thread ??= new Worker(workerFile);
      try {
        examinations[index] = await examineIn(thread, task, options);
      } catch (error) {
        await thread.terminate();
        thread = null;
        examinations[index] = brokenBy(task, error);
      }
      if (!signal.aborted) onExamined(examinations[index]);
    }
    await thread?.terminate();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, work));
  signal.throwIfAborted();
  return examinations;
};
