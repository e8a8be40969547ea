import type { Examination } from './examination.ts';
import type { Task } from './task.ts';

/** Examines one server after the other. */
export interface Examiner {
  /** Never rejects. */
  examine(task: Task): Promise<Examination>;
  /** Lets go of what it holds; what is under way comes to an end. */
  end(): Promise<void>;
}

interface PoolOptions {
  /** Servers under examination at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  open(): Examiner;
  /** Called as they come, in no particular order. */
  onExamined(examination: Examination): void;
}

/**
 * Examines all tasks, each by the next examiner that is free. The result is in the order of the tasks, whatever the number of jobs.
 * Rejects with the signal's reason when it is aborted.
 */
export const examineAll = async (
  tasks: readonly Task[],
  { jobs, signal, open, onExamined }: PoolOptions,
): Promise<readonly Examination[]> => {
  const examinations: Examination[] = [];
  const queue = tasks.entries();
  const examiners = Array.from({ length: Math.min(jobs, tasks.length) }, open);
  const end = async () => void (await Promise.all(examiners.map((examiner) => examiner.end())));
  const onAbort = () => void end();
  signal.addEventListener('abort', onAbort, { once: true });
  const work = async (examiner: Examiner) => {
    for (const [index, task] of queue) {
      if (signal.aborted) return;
      const examination = await examiner.examine(task);
      examinations[index] = examination;
      if (!signal.aborted) onExamined(examination);
    }
  };
  try {
    await Promise.all(examiners.map(work));
    signal.throwIfAborted();
    return examinations;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await end();
  }
};
