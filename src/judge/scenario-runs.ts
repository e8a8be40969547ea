import type { ApiDocument } from '../openapi/document.ts';
import { decideBackoff } from '../oracle/requests/backoff.ts';
import { seriesIn } from '../oracle/requests/waits.ts';
import { listen } from '../reference/listen.ts';
import { counter } from '../reference/patch-kit/core.ts';
import type { Clock } from '../time/clock.ts';
import { type CommandEnd, startProcess } from './command.ts';
import type { Watched } from './findings.ts';
import { createPlay, type Play } from './play.ts';
import type { Scenario } from './scenarios.ts';
import { recordedServer } from './web-server.ts';

/** How one start of the command in a scenario ended. */
export interface ScenarioEnd {
  readonly scenario: Scenario;
  readonly requests: number;
  readonly durationMs: number;
  /** How the command ended by itself; null: it was ended. */
  readonly command: CommandEnd | null;
  readonly because: 'exit' | 'enough' | 'time' | 'silence' | 'interrupted';
}

export interface ScenarioRunsOptions {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scenarios: readonly Scenario[];
  readonly parallel: number;
  /** The longest time of one scenario. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly document: ApiDocument;
  readonly newKey: () => string;
  readonly signal: AbortSignal;
  readonly onLine: (scenario: Scenario, line: string) => void;
  readonly onEnd: (end: ScenarioEnd) => void;
}

/** The command could not be started. */
export class CommandNotStarted extends Error {
  override name = 'CommandNotStarted';
}

/** How often a scenario is looked at. */
const lookMs = 50;
/** A command that has sent nothing for so long is not expected to begin. */
const silentMs = 15_000;
/** After so many starts without a request, the others are left out. */
const mostSilentStarts = 3;

/** Starts the command once for each scenario, several side by side, and watches its requests. */
export const runScenarios = async (options: ScenarioRunsOptions): Promise<readonly Watched[]> => {
  const { scenarios, parallel, signal } = options;
  const starts = scenarios.flatMap((scenario) => Array.from({ length: scenario.times ?? 1 }, () => scenario));
  const watched: Watched[] = [];
  const shared: Shared = { ...options, proven: new Set(), silent: 0, heard: false, nextId: counter() };
  const idle = watchIdle(options.clock);
  const work = async (): Promise<void> => {
    for (let scenario = starts.shift(); scenario !== undefined; scenario = starts.shift()) {
      if (signal.aborted || isSilent(shared)) return;
      if (!shared.proven.has(scenario)) watched.push(await runScenario(scenario, shared, idle.last));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, starts.length) }, work));
  } finally {
    idle.stop();
  }
  return watched;
};

interface Shared extends ScenarioRunsOptions {
  /** Scenarios that have shown enough. */
  readonly proven: Set<Scenario>;
  silent: number;
  heard: boolean;
  readonly nextId: () => number;
}

const isSilent = ({ silent, heard }: Shared): boolean => !heard && silent >= mostSilentStarts;

const beatMs = 10;

/** Notes when this process last had nothing to do: what arrives later may have been sent since then. */
const watchIdle = (clock: Clock) => {
  let last = clock.now();
  const timer = setInterval(() => {
    last = clock.now();
  }, beatMs);
  return { last: () => last - beatMs, stop: () => clearInterval(timer) };
};

const runScenario = async (scenario: Scenario, shared: Shared, lastIdle: () => number): Promise<Watched> => {
  const { clock, words, env, newKey, onLine, onEnd } = shared;
  const key = newKey();
  const play = createPlay({ ...shared, scenario, key, lastIdle });
  const server = recordedServer(play.recorder, clock);
  const { baseUrl, close } = await listen(server, { host: '127.0.0.1', port: 0, onEnd: server.onEnd });
  const startedAt = clock.now();
  const child = startProcess({
    words,
    env: { ...env, ANIMAL_STORE_BASE_URL: baseUrl, ANIMAL_STORE_API_KEY: key },
    onLine: (line) => onLine(scenario, line),
  });
  try {
    const { because, command } = await watch(play, child.ended, shared, startedAt);
    const watched = play.watched(because === 'exit');
    noteProof(watched, scenario, shared);
    onEnd({
      scenario,
      requests: play.recorder.requests,
      durationMs: clock.now() - startedAt,
      command,
      because,
    });
    return watched;
  } finally {
    await child.stop();
    await close();
  }
};

type Ending = Pick<ScenarioEnd, 'because' | 'command'>;

const watch = async (
  play: Play,
  ended: Promise<CommandEnd>,
  shared: Shared,
  startedAt: number,
): Promise<Ending> => {
  const { clock, timeoutMs, signal, proven, words } = shared;
  const exit: { end: CommandEnd | null; error: unknown } = { end: null, error: null };
  const finished = ended.then(
    (end) => {
      exit.end = end;
    },
    (error) => {
      exit.error = error;
    },
  );
  for (;;) {
    await Promise.race([finished, clock.sleep(lookMs)]);
    const now = clock.now();
    if (exit.error !== null) throw notStarted(words, exit.error);
    if (exit.end !== null) return { because: 'exit', command: exit.end };
    if (signal.aborted) return { because: 'interrupted', command: null };
    if (play.isOver() || proven.has(play.scenario)) return { because: 'enough', command: null };
    if (play.recorder.requests === 0 && now - startedAt >= silentMs)
      return { because: 'silence', command: null };
    if (now - startedAt >= timeoutMs) return { because: 'time', command: null };
  }
};

const notStarted = ([file = '']: readonly string[], error: unknown): CommandNotStarted =>
  new CommandNotStarted(file, {
    cause: error instanceof Error && 'code' in error ? error.code : error,
  });

const noteProof = (watched: Watched, scenario: Scenario, shared: Shared): void => {
  if (watched.arrivals.length > 0) shared.heard = true;
  else shared.silent += 1;
  if (scenario.times === undefined) return;
  const hasEnded = watched.silentUntil === Number.POSITIVE_INFINITY;
  const series = seriesIn(watched.arrivals, hasEnded);
  if (series !== null && decideBackoff([series]).verdict === 'passed') shared.proven.add(scenario);
};
