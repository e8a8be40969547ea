import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../time/clock.ts';
import type { Examination } from './examination.ts';
import type { Examiner } from './pool.ts';

/** Real milliseconds after which an examination is taken for one that never ends; the slowest take a few seconds. */
const patienceMs = 120_000;

/** `worker.ts` in a checkout, `worker.js` in the package. */
const workerFile = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);

/** An examiner in a thread of its own, begun when there is something to examine; one that dies or hangs is replaced. */
export const startWorker = (clock: Clock): Examiner => {
  let thread: Worker | null = null;
  const end = async () => {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };
  const examine: Examiner['examine'] = async (task) => {
    thread ??= new Worker(workerFile);
    const over = new AbortController();
    const { signal } = over;
    const answer = once(thread, 'message', { signal }).then(([examination]) => examination as Examination);
    const death = once(thread, 'exit', { signal }).then(() => 'its thread ended');
    const hang = clock.sleep(patienceMs, signal).then(() => `it was not done after ${patienceMs / 1000} s`);
    thread.postMessage(task);
    try {
      const result = await Promise.race([answer, death, hang]);
      if (typeof result !== 'string') return result;
      await end();
      return { kind: 'broken', task, message: result };
    } catch (error) {
      await end();
      return {
        kind: 'broken',
        task,
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };
    } finally {
      for (const promise of [answer, death, hang]) promise.catch(() => {});
      over.abort();
    }
  };
  return { examine, end };
};
