import type { ProgressListener, RunEvent } from '../run/run-deps.ts';
import { forecastOf } from '../run/schedule.ts';
import type { createHub } from './hub.ts';

type Planned = Extract<RunEvent, { kind: 'planned' }>;
type Progress = Extract<RunEvent, { kind: 'progress' }>;

interface Options {
  readonly workers: number;
  readonly maxCreates: number;
  readonly estimate: ReturnType<typeof createHub>['estimate'];
  readonly watch: ProgressListener;
}

const sumOf = <Of extends string>(events: readonly Readonly<Record<Of, number>>[], of: Of): number =>
  events.reduce((sum, event) => sum + event[of], 0);

const mostOf = <Of extends string>(events: readonly Readonly<Record<Of, number | null>>[], of: Of): number =>
  Math.max(0, ...events.map((event) => event[of] ?? 0));

/** Makes one progress of the events of all workers. Returns the listener for each of them, by number. */
export const watchAll = ({ workers, maxCreates, estimate, watch }: Options) => {
  const plans = new Map<number, Planned>();
  const latest = new Map<number, Progress>();
  const notes = new Set<string>();

  const plan = (worker: number, event: Planned): void => {
    plans.set(worker, event);
    if (plans.size < workers) return;
    const all = [...plans.values()];
    const requests = sumOf(all, 'requests');
    const forecast = forecastOf(estimate, requests);
    const using = all.find(({ usesUpLimit }) => usesUpLimit !== 'no') ?? event;
    watch({
      ...using,
      ...forecast,
      requests,
      creations: Math.min(maxCreates, sumOf(all, 'creations')),
      // Workers do not know the limit: theirs is the time that checks wait.
      estimateMs: forecast.estimateMs + mostOf(all, 'estimateMs'),
      longestMs: forecast.longestMs + mostOf(all, 'longestMs'),
    });
  };

  const progress = (worker: number, event: Progress): void => {
    latest.set(worker, event);
    const all = [...latest.values()];
    const done = sumOf(all, 'done');
    const notBegun = [...plans].filter(([each]) => !latest.has(each)).map(([, each]) => each);
    const planned = sumOf(all, 'planned') + sumOf(notBegun, 'requests');
    watch({
      ...event,
      done,
      planned,
      failures: mostOf(all, 'failures'),
      remainingMs: estimate(Math.max(0, planned - done)).ms + mostOf(all, 'remainingMs'),
    });
  };

  return (worker: number): ProgressListener =>
    (event) => {
      if (event.kind === 'planned') return plan(worker, event);
      if (event.kind === 'progress') return progress(worker, event);
      if (event.kind === 'note') {
        const text = JSON.stringify(event.note);
        if (notes.has(text)) return;
        notes.add(text);
      }
      watch(event);
    };
};
