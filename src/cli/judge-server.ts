import { type PreparedRun, prepareRun, replayPathError } from '../api/prepare.ts';
import { secretsOf } from '../config/secrets.ts';
import type { RunSettings } from '../config/settings.ts';
import { settingTable } from '../config/table.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { removeEarlierReports } from '../report/earlier.ts';
import { UnwritableReports } from '../report/files.ts';
import { runLines, usageProblems } from '../report/text/command-line.ts';
import { oneLine } from '../report/text/escape.ts';
import { reportProblems } from '../report/text/report-files.ts';
import type { Outcome } from '../run/outcome.ts';
import { ReplayPathNotFound } from '../run/run-deps.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { maskedKey } from '../util/masked-key.ts';
import { interruptible } from './interrupt.ts';
import { printError } from './output.ts';
import { reportOutcome } from './report-outcome.ts';
import { keepSecret, withoutSecrets } from './secrets.ts';
import { startCommand } from './start-command.ts';
import { createProgress } from './terminal/progress.ts';
import { type Screen, screenOf } from './terminal/screen.ts';
import { exitCodes, problemLines } from './usage.ts';

type Env = Readonly<Record<string, string | undefined>>;

const refuse = (problems: readonly string[]): number => {
  printError(withoutSecrets(problemLines(problems)));
  return exitCodes.usage;
};

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** A hint if nothing responded and a proxy variable is set, because proxies are not used. */
const proxyHint = ({ verdict, traffic }: Outcome, env: Env): readonly string[] => {
  const setVariables = proxyVariables.filter((name) => env[name]);
  const hasNoResponse = traffic.requests > 0 && Object.keys(traffic.byStatus).length === 0;
  return verdict === 'not-judged' && hasNoResponse && setVariables.length > 0
    ? [runLines.proxyUnused(setVariables)]
    : [];
};

const openingOf = ({ baseUrl, apiKey, plan, seed }: RunSettings): string =>
  runLines.opening({ baseUrl, key: apiKey && baseUrl && maskedKey(apiKey), plan, seed });

const ignoresKeys = ({ baseUrl, apiKey, rateLimitKey }: RunSettings): boolean =>
  baseUrl === null && (apiKey !== null || rateLimitKey !== null);

/** Requirements whose failures are only warnings. */
const warningsOf = (requirements: readonly Requirement[]): ReadonlySet<string> =>
  new Set(requirements.filter(({ level }) => level !== 'MUST').map(({ id }) => id));

type Read = PreparedRun['read'];

const runWithProgress = async (
  settings: PreparedRun['settings'],
  read: Read,
  screen: Screen,
  clock: Clock,
  signal: AbortSignal,
) => {
  const { runSuite } = await import('../api/run-suite.ts');
  const progress = createProgress(screen, clock, {
    warnings: warningsOf([...loadCatalogue(), ...read.extra.requirements]),
    known: read.known ?? new Map(),
  });
  const interrupted = () => progress.say(runLines.interrupted);
  signal.addEventListener('abort', interrupted, { once: true });
  progress.say(withoutSecrets(openingOf(settings)));
  if (ignoresKeys(settings)) progress.say(runLines.unusedKey);
  try {
    const command = startCommand({
      script: process.argv[1] ?? '',
      directory: process.cwd(),
      env: process.env,
    });
    const deps = { ...read, clock, watch: progress.watch, signal, command };
    if (settings.workers === 1) return await runSuite(settings, deps);
    const { runWorkers } = await import('../workers/run-workers.ts');
    return await runWorkers(settings, deps);
  } finally {
    progress.stop();
  }
};

const runAndReport = async (
  settings: PreparedRun['settings'],
  read: Read,
  { signal, earlier }: { readonly signal: AbortSignal; readonly earlier: string | null },
): Promise<number> => {
  const { env } = process;
  const screen = screenOf(process.stdout, env);
  const result = await runWithProgress(settings, read, screen, systemClock, signal);
  const exit = signal.aborted ? exitCodes.interrupted : result.exit;
  const hints = (outcome: Outcome) => proxyHint(outcome, env);
  return reportOutcome({ ...result, exit }, settings, screen, { env, hints, earlier });
};

/** Returns the working directory; null: it was removed. */
const workingDirectory = (): string | null => {
  try {
    return process.cwd();
  } catch {
    return null;
  }
};

/**
 * Tests a server with settings from flags, environment, and configuration file. Shows the result and writes the reports. Modules that
 * only a run needs are loaded after the settings, so that usage errors appear at once.
 *
 * @param flags - The options as commander returns them.
 * @returns the exit code.
 */
export const judgeServer = async (flags: Readonly<Record<string, unknown>>): Promise<number> => {
  try {
    return await prepareAndJudge(flags);
  } catch (error) {
    if (error instanceof UnwritableReports) return refuse([`${error.message} ${reportProblems.room}`]);
    throw error;
  }
};

const prepareAndJudge = async (flags: Readonly<Record<string, unknown>>): Promise<number> => {
  const { env } = process;
  const directory = workingDirectory();
  if (directory === null) return refuse([usageProblems.noFolder]);
  // A job publishes what is in the folder, also if this run is refused or killed.
  const named = typeof flags.reportDir === 'string' ? await removeEarlierReports(flags.reportDir) : null;
  const prepared = await prepareRun({
    flags,
    env,
    directory,
    writesReports: true,
    onSpec: (spec) => screenOf(process.stdout, env).write(`${runLines.preparing(oneLine(spec))}\n`),
  });
  if (!prepared.ok) {
    if (typeof flags.reportDir !== 'string') await removeEarlierReports(settingTable.reportDir.fallback);
    return refuse(prepared.problems);
  }
  const { settings, read } = prepared;
  for (const secret of secretsOf(settings)) keepSecret(secret);
  const interrupt = interruptible(process, () => process.exit(exitCodes.interrupted));
  try {
    const earlier = named ?? (await removeEarlierReports(settings.reportDir));
    return await runAndReport(settings, read, { signal: interrupt.signal, earlier });
  } catch (error) {
    if (error instanceof ReplayPathNotFound) return refuse([replayPathError(settings)]);
    throw error;
  } finally {
    interrupt.release();
  }
};
