import { runSuite } from '../api/run-suite.ts';
import { loadOwn, readExtra } from '../check/own-checks.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { loadDocument } from '../openapi/load.ts';
import { toReport } from '../report/conformance.ts';
import type { ProgressListener } from '../run/run-deps.ts';
import { systemClock } from '../time/clock.ts';
import { type Channel, createChannel } from './channel.ts';
import type { HubCalls, Job, Part } from './protocol.ts';
import { createWorkerRun } from './worker-run.ts';

/** Milliseconds between two reports of progress. */
const progressMs = 100;

type WorkerRun = ReturnType<typeof createWorkerRun>;

/** Passes events on. Progress is worth a message only now and then. */
const watchFor = (hub: Channel<HubCalls>): ProgressListener => {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.kind !== 'progress') return hub.tell('watch', event);
    const now = systemClock.now();
    if (now - shownAt < progressMs) return;
    shownAt = now;
    hub.tell('watch', { ...event });
  };
};

const runPart = async (
  { settings, reference, command, known, certificate, specText }: Job,
  { shared }: WorkerRun,
  { watch, signal }: { readonly watch: ProgressListener; readonly signal: AbortSignal },
): Promise<Part> => {
  const own = await loadOwn(settings.checks, '.');
  const read = own.ok ? readExtra(own.values, loadCatalogue()) : own;
  if (!read.ok) throw new Error(read.problems.join(' '));
  const { outcome } = await runSuite(settings, {
    clock: systemClock,
    watch,
    signal,
    command,
    known,
    certificate,
    extra: read.extra,
    shared,
    ...(reference === null ? {} : { reference }),
    ...(settings.spec === null ? {} : { document: await loadDocument(settings.spec, specText ?? undefined) }),
  });
  return { report: toReport(outcome), exchanges: outcome.exchanges };
};

/** Makes this process a worker of the process that started it. */
const work = (): void => {
  const interrupt = new AbortController();
  let run: WorkerRun | null = null;
  const hub = createChannel<HubCalls>({
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => process.on('message', listener),
  });
  hub.serve({
    begin: (job: Job) => {
      run = createWorkerRun(hub, job.concurrency);
      return runPart(job, run, { watch: watchFor(hub), signal: interrupt.signal });
    },
    interrupt: () => interrupt.abort(new Error('interrupted')),
    stop: () => run?.stop(),
    goOn: () => run?.goOn(),
  });
  // The process that started this one says when to end; a terminal sends its signals to both.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
  process.on('disconnect', () => process.exit());
};

work();
