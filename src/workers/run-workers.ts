import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTarget, type SuiteResult } from '../api/run-suite.ts';
import { createRedactor } from '../http/redact.ts';
import { secretsInHeaders } from '../http/redacted-headers.ts';
import { mergeShards } from '../report/merge.ts';
import { runLines } from '../report/text/command-line.ts';
import { repeatOf } from '../report/text/replay-command.ts';
import type { ProgressListener, Target } from '../run/run-deps.ts';
import { onAbort } from '../time/abort.ts';
import type { Clock } from '../time/clock.ts';
import { createChannel } from './channel.ts';
import { createHub } from './hub.ts';
import { lostPart } from './lost-part.ts';
import type { Job, Part, WorkerCalls } from './protocol.ts';
import { watchAll } from './watch-all.ts';

type Settings = Job['settings'];

export interface WorkersDeps extends Omit<Job, 'settings' | 'reference' | 'concurrency'> {
  readonly clock: Clock;
  readonly watch: ProgressListener;
  readonly signal: AbortSignal;
}

/** How the process of a worker ended: a signal, an exit code, or an error. */
interface End {
  readonly by: string | number;
}

type Hub = ReturnType<typeof createHub>;

interface Run extends WorkersDeps {
  readonly settings: Settings;
  readonly target: Target;
  readonly hub: Hub;
  readonly watchOf: (worker: number) => ProgressListener;
}

/**
 * Runs the parts of a run in processes of their own, and merges what they found. They share the limits of the run. If a worker ends
 * before its part is done, the run has an error of the suite.
 */
export const runWorkers = async (settings: Settings, deps: WorkersDeps): Promise<SuiteResult> => {
  const { clock, signal, certificate, watch } = deps;
  const target = await openTarget(settings, { clock, random: Math.random, certificate });
  const hub = createHub({ settings, target, clock, signal, watch });
  const { workers, maxCreates } = settings;
  const watchOf = watchAll({ workers, maxCreates, estimate: hub.estimate, watch });
  const children = Array.from({ length: workers }, startWorker);
  try {
    const run = { ...deps, settings, target, hub, watchOf };
    const parts = await Promise.all(children.map((child, index) => runPart(run, child, index + 1)));
    return mergeParts(run, parts);
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
    await target.close();
  }
};

const startWorker = (): ChildProcess => {
  // `worker.ts` in a checkout, `worker.js` in the package.
  const file = new URL(`./worker${extname(import.meta.filename)}`, import.meta.url);
  return fork(fileURLToPath(file), {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
};

/** The settings of one worker. Together, all of them have no more requests in flight than one process. */
const settingsOf = (settings: Settings, index: number): Settings => ({
  ...settings,
  shard: { index, of: settings.workers },
  workers: 1,
  concurrency: Math.max(1, Math.floor(settings.concurrency / settings.workers)),
});

/** Runs a part, and returns what it found, or how its worker ended before that. */
const runPart = (run: Run, child: ChildProcess, index: number): Promise<Part | End> => {
  const { target, hub, signal, watchOf, settings, known, certificate, specText, command } = run;
  const { concurrency } = settings;
  const channel = createChannel<WorkerCalls>({
    send: (message) => void child.send(message, () => undefined),
    onMessage: (listener) => child.on('message', listener),
  });
  const lost = new Promise<End>((resolve) => {
    child.once('exit', (code, by) => resolve({ by: by ?? code ?? '' }));
    child.once('error', ({ message }) => resolve({ by: message }));
  });
  onAbort(signal, () => {
    channel.tell('interrupt');
    hub.recheck();
  });
  const reference = target.reference ? { baseUrl: target.baseUrl, key: target.keys.main ?? '' } : null;
  const files = { known, certificate, specText };
  const job = { settings: settingsOf(settings, index), reference, command, concurrency, ...files };
  const part = Promise.race([channel.call('begin', job), lost]);
  hub.join(channel, part, watchOf(index));
  return part;
};

const mergeParts = (
  { settings, target, command, signal }: Run,
  parts: readonly (Part | End)[],
): SuiteResult => {
  const done = parts.flatMap((part) => ('by' in part ? [] : part));
  const [one] = done;
  const ends = parts.flatMap((part) => ('by' in part ? part.by : []));
  if (one === undefined) throw new Error(runLines.noWorker(ends));
  const lost = parts.flatMap((part, index): readonly Part[] => {
    if (!('by' in part)) return [];
    const facts = { detail: 'worker-lost', worker: index + 1, of: parts.length, by: part.by } as const;
    return [lostPart(one, signal.aborted ? { code: 'interrupted' } : { code: 'run-ended', ...facts })];
  });
  const { outcome, exit } = mergeShards(one, ...done.slice(1), ...lost);
  const keys = Object.values(target.keys).filter((key) => key !== null);
  const redact = createRedactor([...keys, ...secretsInHeaders(target.headers ?? [])]);
  const context = { settings, target, seed: settings.seed, redact, redactResponse: redact, command };
  // The suite itself failed: also if another part shows that the server fails.
  return { outcome: { ...outcome, ...repeatOf(context) }, exit: lost.length > 0 ? 4 : exit };
};
