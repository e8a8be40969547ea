import { loadCatalogue } from '../document/catalogue.ts';
import type { Requirement } from '../document/requirement.ts';
import { oneLine } from '../report/escape.ts';
import { prepareFolder, UnwritableReports } from '../report/files.ts';
import type { Clock } from '../run/clock.ts';
import { systemClock } from '../run/clock.ts';
import type { Outcome } from '../run/outcome.ts';
import { drawSeed } from '../run/seed.ts';
import { loadSettings } from '../settings/load.ts';
import type { RunSettings } from '../settings/settings.ts';
import { interruptible } from './interrupt.ts';
import { keepSecret, shownKey, withoutSecrets } from './secrets.ts';
import { createProgress } from './terminal/progress.ts';
import type { Screen } from './terminal/screen.ts';
import { screenOf } from './terminal/screen.ts';
import { exitCodes, problemLines } from './usage.ts';

type Env = Readonly<Record<string, string | undefined>>;

const refuse = (problems: readonly string[]): number => {
  process.stderr.write(withoutSecrets(problemLines(problems)));
  return exitCodes.usage;
};

/** Which target, with which key, plan and seed. */
const opening = ({ baseUrl, apiKey, plan, seed }: RunSettings): string =>
  [
    `Judging ${baseUrl ?? 'the built-in reference server'}`,
    ...(apiKey === null ? [] : [`key ${shownKey(apiKey)}`]),
    ...(plan === null ? [] : [`plan ${plan}`]),
    `seed ${seed}`,
  ].join(', ');

/** What a SHOULD is found to breach is a warning. */
const warningsOf = (requirements: readonly Requirement[]): ReadonlySet<string> =>
  new Set(requirements.filter(({ level }) => level !== 'MUST').map(({ id }) => id));

const watchedRun = async (settings: RunSettings, screen: Screen, clock: Clock, signal: AbortSignal) => {
  const { runConformance } = await import('../run/run.ts');
  const progress = createProgress(screen, clock, warningsOf(loadCatalogue()));
  const interrupted = () =>
    progress.say('Interrupted: the reports are being written; once more ends it at once.');
  signal.addEventListener('abort', interrupted, { once: true });
  progress.say(withoutSecrets(opening(settings)));
  try {
    return await runConformance(settings, { clock, watch: progress.watch, signal, random: Math.random });
  } finally {
    progress.stop();
  }
};

const tell = async (
  outcome: Outcome,
  screen: Screen,
  reports: readonly string[],
  env: Env,
): Promise<void> => {
  const { summaryText } = await import('./terminal/summary.ts');
  screen.write(summaryText(outcome, { colour: screen.colour, reports }));
  if (env.GITHUB_ACTIONS !== 'true') return;
  const { annotations } = await import('../report/annotations.ts');
  screen.write(
    annotations(outcome)
      .map((annotation) => `${annotation}\n`)
      .join(''),
  );
};

/** What is wrong with the document of --spec: it cannot be read, or has nothing that the run could send. */
const problemWith = async (spec: string, settings: RunSettings): Promise<string | null> => {
  const { loadDocument } = await import('../document/load.ts');
  const { circumstancesOf, loadReasonForSilence } = await import('../run/checks.ts');
  const { baseUrl, apiKey } = settings;
  // The reference server stands on this machine, and has a key.
  const target =
    baseUrl === null
      ? { baseUrl: 'http://localhost/v1', hasKey: true }
      : { baseUrl, hasKey: apiKey !== null };
  const document = await loadDocument(spec).catch(({ message }: Error) => message);
  if (typeof document === 'string') return document;
  const silence = await loadReasonForSilence(document, circumstancesOf(settings, target));
  return silence === null ? null : `${spec}: ${silence}`;
};

/** What keeps reports from being written, or anything from being judged, while nothing is sent yet. */
const problemsAhead = async (settings: RunSettings): Promise<readonly string[]> => {
  const { reportDir, spec } = settings;
  const problems: string[] = [];
  try {
    await prepareFolder(reportDir);
  } catch (error) {
    if (!(error instanceof UnwritableReports)) throw error;
    problems.push(`--report-dir: ${error.message}`);
  }
  const problem = spec === null ? null : await problemWith(spec, settings);
  return problem === null ? problems : [...problems, `--spec: ${problem}`];
};

const runAndReport = async (settings: RunSettings, signal: AbortSignal): Promise<number> => {
  const { env } = process;
  const screen = screenOf(process.stdout, env);
  const { outcome, exit } = await watchedRun(settings, screen, systemClock, signal);
  const { writeReports } = await import('../report/write.ts');
  const warn = (text: string) => screen.write(`${oneLine(text)}\n`);
  const reports = await writeReports(outcome, { dir: settings.reportDir, env, warn });
  await tell(
    outcome,
    screen,
    reports.map(({ path, for: use }) => `${path} (for ${use})`),
    env,
  );
  return signal.aborted ? exitCodes.interrupted : exit;
};

/**
 * Judges a server as the flags, the environment and the configuration file say, shows it and writes the reports. What is not needed
 * to refuse bad settings is loaded after them.
 *
 * @param flags - As commander has them.
 * @returns the exit code.
 */
export const judgeServer = async (flags: Readonly<Record<string, unknown>>): Promise<number> => {
  const { env } = process;
  const resolved = await loadSettings({
    flags,
    env,
    directory: process.cwd(),
    requirements: loadCatalogue(),
  });
  if (!resolved.ok) return refuse(resolved.problems);
  for (const key of [resolved.settings.apiKey, resolved.settings.rateLimitKey]) keepSecret(key);
  const problems = await problemsAhead(resolved.settings);
  if (problems.length > 0) return refuse(problems);
  // The seed is drawn here where none is given, so that it is told before anything is sent.
  const settings = { ...resolved.settings, seed: resolved.settings.seed ?? drawSeed(Math.random) };
  const interrupt = interruptible(process, () => process.exit(exitCodes.interrupted));
  try {
    return await runAndReport(settings, interrupt.signal);
  } finally {
    interrupt.release();
  }
};
