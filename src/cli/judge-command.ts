import type { ClientSource, JudgeListener } from '../api/judge-client.ts';
import { loadSettings } from '../config/load.ts';
import { readText } from '../config/read-text.ts';
import type { RunSettings } from '../config/settings.ts';
import { readHar } from '../judge/har.ts';
import { CommandNotStarted } from '../judge/scenario-runs.ts';
import { scenarios } from '../judge/scenarios.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { loadDocument } from '../openapi/load.ts';
import { quietUntil, statusOf } from '../oracle/requests/arrival.ts';
import { problemsOfFolder } from '../report/files.ts';
import { listenProblem } from '../report/text/command-line.ts';
import { oneLine } from '../report/text/escape.ts';
import { judgeLines, judgeProblems } from '../report/text/judge.ts';
import { systemClock } from '../time/clock.ts';
import { interruptible } from './interrupt.ts';
import { type JudgeFlags, type JudgeSettings, readJudgeFlags } from './judge-settings.ts';
import { print, printError } from './output.ts';
import { reportOutcome } from './report-outcome.ts';
import { keepSecret, withoutSecrets } from './secrets.ts';
import { startCommand } from './start-command.ts';
import { type Screen, screenOf } from './terminal/screen.ts';
import { exitCodes, problemLines } from './usage.ts';

const refuse = (problems: readonly string[]): number => {
  printError(withoutSecrets(problemLines(problems)));
  return exitCodes.usage;
};

const listScenarios = (): number => {
  for (const { name, proves, description } of scenarios)
    print(`${name}  ${proves.join(' ')}  ${description}\n`);
  return 0;
};

/** The settings that `judge` shares with `run`. Keys and addresses of the environment are for `run`. */
const loadRunSettings = ({ reportDir, knownFailures, strict, verbose }: JudgeFlags) =>
  loadSettings({
    flags: { reportDir, knownFailures, strict, verbose, reference: true },
    env: {},
    directory: null,
    requirements: loadCatalogue(),
    subjects: ['client', 'server'],
  });

/** Reads the HAR of a source, or returns its problem. */
const openSource = async ({ source, target }: JudgeSettings): Promise<ClientSource | string> => {
  if (source.kind !== 'har') return source;
  const file = await readText(source.file);
  if (!file.ok) return `--har ${source.file}: ${file.problem}`;
  const read = readHar(file.text, await loadDocument(), target);
  return read.ok ? { ...source, traffic: read.traffic } : judgeProblems.har[read.problem](source.file);
};

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

const listenerOn = (screen: Screen, source: ClientSource): JudgeListener => {
  const say = (text: string): void => screen.write(`${withoutSecrets(text)}\n`);
  const isWatched = source.kind === 'server';
  return {
    // The key is printed once, because somebody has to give it to the client.
    listening: (baseUrl, key) =>
      isWatched && source.words === null
        ? screen.write(`${judgeLines.listening(baseUrl, key, source.target)}\n`)
        : undefined,
    arrived: (arrival) => {
      if (!isWatched) return;
      const { startedAt, request } = arrival.exchange;
      const target = `${request.path}${request.query === '' ? '' : `?${request.query}`}`;
      const until = quietUntil(arrival);
      const note = until === null ? '' : judgeLines.waitUntil(timeOf(until));
      say(judgeLines.arrival(timeOf(startedAt), request.method, oneLine(target), statusOf(arrival), note));
    },
    line: (scenario, line) =>
      printError(withoutSecrets(`${scenario === null ? '' : `[${scenario}] `}${oneLine(line)}\n`)),
    ended: ({ scenario: { name }, ...end }) => say(judgeLines.scenario({ name, ...end })),
  };
};

const opening = (source: ClientSource, screen: Screen): void => {
  if (source.kind !== 'scenarios') return;
  const { words, scenarios: played, parallel } = source;
  screen.write(`${withoutSecrets(judgeLines.opening(words, played.length, parallel))}\n`);
};

/** Problems of the machine, or of the command, that the user can solve. */
const problemOf = (error: unknown, source: ClientSource): string | null => {
  if (error instanceof CommandNotStarted)
    return judgeProblems.notStarted(error.message, String(error.cause ?? ''));
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isListening =
    error instanceof Error && 'syscall' in error && /^(listen|getaddrinfo|bind)/.test(String(error.syscall));
  return source.kind === 'server' && isListening ? listenProblem(code, source) : null;
};

interface Prepared {
  readonly settings: RunSettings;
  readonly known: ReadonlyMap<string, string>;
  readonly source: ClientSource;
  readonly key: string | null;
}

const prepare = async (
  words: readonly string[],
  flags: JudgeFlags,
): Promise<Prepared | readonly string[]> => {
  const given = readJudgeFlags(words, flags, scenarios);
  if (!given.ok) return [given.problem];
  const loaded = await loadRunSettings(flags);
  if (!loaded.ok) return loaded.problems;
  const source = await openSource(given.value);
  if (typeof source === 'string') return [source];
  const unwritable = await problemsOfFolder(loaded.settings.reportDir);
  if (unwritable.length > 0) return unwritable;
  const { ANIMAL_STORE_API_KEY: fromEnvironment } = process.env;
  const isReal = source.kind === 'server' && source.target !== null;
  return { ...loaded, source, key: given.value.key ?? (isReal ? fromEnvironment || null : null) };
};

/** Tests a client with its requests, shows the result, and writes the reports. Returns the exit code. */
export const judgeCommand = async (words: readonly string[], flags: JudgeFlags): Promise<number> => {
  if (flags.listScenarios) return listScenarios();
  const prepared = await prepare(words, flags);
  if (!('settings' in prepared)) return refuse(prepared);
  const { settings, known, source, key } = prepared;
  keepSecret(key);
  const { env } = process;
  const screen = screenOf(process.stdout, env);
  const { judgeClient } = await import('../api/judge-client.ts');
  const interrupt = interruptible(process, () => process.exit(exitCodes.interrupted));
  opening(source, screen);
  try {
    const result = await judgeClient({
      settings,
      known,
      source,
      key,
      env,
      clock: systemClock,
      random: Math.random,
      signal: interrupt.signal,
      listener: listenerOn(screen, source),
      command: startCommand({ script: process.argv[1] ?? '', directory: process.cwd(), env }, 'judge'),
      keepSecret,
    });
    return await reportOutcome(result, settings, screen, { env, hints: () => [] });
  } catch (error) {
    const problem = problemOf(error, source);
    if (problem === null) throw error;
    return refuse([problem]);
  } finally {
    interrupt.release();
  }
};
