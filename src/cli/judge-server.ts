import { shownKey } from '../client/redact.ts';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/clock.ts';
import type { ApiDocument } from '../document/api-document.ts';
import { loadCatalogue } from '../document/catalogue.ts';
import type { Requirement } from '../document/requirement.ts';
import { oneLine } from '../report/escape.ts';
import { prepareFolder, UnwritableReports, type WrittenReport } from '../report/files.ts';
import type { RunDeps } from '../run/assemble.ts';
import type { Circumstances } from '../run/circumstances.ts';
import { NoSuchCase, noCaseOf } from '../run/no-such-case.ts';
import type { Outcome } from '../run/outcome.ts';
import { drawSeed } from '../run/seed.ts';
import { loadSettings } from '../settings/load.ts';
import { selected } from '../settings/selection.ts';
import type { RunSettings } from '../settings/settings.ts';
import { interruptible } from './interrupt.ts';
import { keepSecret, withoutSecrets } from './secrets.ts';
import { createProgress } from './terminal/progress.ts';
import type { Screen } from './terminal/screen.ts';
import { screenOf } from './terminal/screen.ts';
import { exitCodes, problemLines } from './usage.ts';

type Env = Readonly<Record<string, string | undefined>>;

const refuse = (problems: readonly string[]): number => {
  process.stderr.write(withoutSecrets(problemLines(problems)));
  return exitCodes.usage;
};

const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** If nothing responded: a proxy that leads there is not used. */
const proxyHint = ({ verdict, traffic }: Outcome, env: Env): readonly string[] => {
  const set = proxyVariables.filter((name) => env[name]);
  const isSilent = traffic.requests > 0 && Object.keys(traffic.byStatus).length === 0;
  return verdict === 'not-judged' && isSilent && set.length > 0
    ? [`${set.join(', ')}: set, but not used: this program connects to the server directly`]
    : [];
};

/** Which server, with which key, plan and seed. */
const opening = ({ baseUrl, apiKey, plan, seed }: RunSettings): string =>
  [
    `Testing ${baseUrl ?? 'the built-in reference server'}`,
    ...(apiKey === null || baseUrl === null ? [] : [`key ${shownKey(apiKey)}`]),
    ...(plan === null ? [] : [`plan ${plan}`]),
    `seed ${seed}`,
  ].join(', ');

const unusedKeyNote = 'The given API key is not used: the reference server has a key of its own';

const usesNoKey = ({ baseUrl, apiKey, rateLimitKey }: RunSettings): boolean =>
  baseUrl === null && (apiKey !== null || rateLimitKey !== null);

/** What a SHOULD is found to breach is a warning. */
const warningsOf = (requirements: readonly Requirement[]): ReadonlySet<string> =>
  new Set(requirements.filter(({ level }) => level !== 'MUST').map(({ id }) => id));

/** What is read for a run before anything is sent. */
type Read = Pick<RunDeps, 'known' | 'document'>;

const watchedRun = async (
  settings: RunSettings,
  read: Read,
  screen: Screen,
  clock: Clock,
  signal: AbortSignal,
) => {
  const { runConformance } = await import('../run/run.ts');
  const progress = createProgress(screen, clock, {
    warnings: warningsOf(loadCatalogue()),
    known: read.known ?? new Map(),
  });
  const interrupted = () => progress.say('Interrupted. Writing reports; press Ctrl-C again to quit now.');
  signal.addEventListener('abort', interrupted, { once: true });
  progress.say(withoutSecrets(opening(settings)));
  if (usesNoKey(settings)) progress.say(unusedKeyNote);
  try {
    return await runConformance(settings, {
      ...read,
      clock,
      watch: progress.watch,
      signal,
      random: Math.random,
    });
  } finally {
    progress.stop();
  }
};

const tell = async (
  outcome: Outcome,
  screen: Screen,
  { reports, verbose }: { readonly reports: readonly WrittenReport[]; readonly verbose: boolean },
  env: Env,
): Promise<void> => {
  const { summaryText } = await import('./terminal/summary.ts');
  screen.write(summaryText(outcome, { colour: screen.colour, reports, verbose }));
  for (const hint of proxyHint(outcome, env)) screen.write(`${hint}\n`);
  if (env.GITHUB_ACTIONS !== 'true') return;
  const { annotations } = await import('../report/annotations.ts');
  screen.write(
    annotations(outcome)
      .map((annotation) => `${annotation}\n`)
      .join(''),
  );
};

const circumstancesAt = async (settings: RunSettings): Promise<Circumstances> => {
  const { circumstancesOf } = await import('../run/circumstances.ts');
  const { baseUrl, apiKey } = settings;
  // The reference server stands on this machine, and has a key.
  const target =
    baseUrl === null
      ? { baseUrl: 'http://localhost/v1', hasKey: true }
      : { baseUrl, hasKey: apiKey !== null };
  return circumstancesOf(settings, target);
};

/** The document of --spec; or what is wrong with it: it cannot be read, or has nothing that the run could send. */
const openDocument = async (spec: string, settings: RunSettings): Promise<ApiDocument | string> => {
  const { loadDocument } = await import('../document/load.ts');
  const { loadReasonForSilence } = await import('../run/checks.ts');
  const document = await loadDocument(spec).catch(({ message }: Error) => message);
  if (typeof document === 'string') return document;
  const silence = await loadReasonForSilence(document, await circumstancesAt(settings));
  if (silence === null) return document;
  const { reasonText } = await import('../report/text/reasons.ts');
  return `${spec}: ${reasonText(silence)}`;
};

const problemsOfFolder = async (reportDir: string): Promise<readonly string[]> => {
  try {
    await prepareFolder(reportDir);
    return [];
  } catch (error) {
    if (!(error instanceof UnwritableReports)) throw error;
    return [`--report-dir: ${error.message}`];
  }
};

/** Whether any check may have a case by --path, whatever the target does. */
const hasNamed = async (settings: RunSettings, path: string, document: ApiDocument): Promise<boolean> => {
  const { loadChecks } = await import('../run/checks.ts');
  const { namedBy } = await import('../run/plan.ts');
  const checks = await loadChecks(document, await circumstancesAt(settings));
  const chosen = new Set(selected(loadCatalogue(), settings).map(({ id }) => id));
  return namedBy(checks, path, (id) => chosen.has(id)).length > 0;
};

const problemsOfPath = async (
  settings: RunSettings,
  document: ApiDocument | null,
): Promise<readonly string[]> => {
  const { path } = settings;
  if (path === null) return [];
  const { loadDocument } = await import('../document/load.ts');
  return (await hasNamed(settings, path, document ?? (await loadDocument()))) ? [] : [noCaseOf(settings)];
};

type Ahead =
  | { readonly ok: true; readonly read: Read }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Finds what keeps reports from being written, or anything from being judged, while nothing is sent yet. */
const lookAhead = async (settings: RunSettings): Promise<Ahead> => {
  const { reportDir, spec } = settings;
  const problems = await problemsOfFolder(reportDir);
  const document = spec === null ? null : await openDocument(spec, settings);
  if (typeof document === 'string') return { ok: false, problems: [...problems, `--spec: ${document}`] };
  const all = [...problems, ...(await problemsOfPath(settings, document))];
  if (all.length > 0) return { ok: false, problems: all };
  return { ok: true, read: document === null ? {} : { document } };
};

/** The reports that were written, and the error that kept the others from it; null: all were. */
interface Writing {
  readonly reports: readonly WrittenReport[];
  readonly error: unknown;
}

const write = async (outcome: Outcome, dir: string, screen: Screen, env: Env): Promise<Writing> => {
  const warn = (text: string) => screen.write(`${oneLine(text)}\n`);
  try {
    const { writeReports } = await import('../report/write.ts');
    return { reports: await writeReports(outcome, { dir, env, warn }), error: null };
  } catch (error) {
    return { reports: error instanceof UnwritableReports ? error.written : [], error };
  }
};

/** After the summary: what a run found is told even where it cannot be kept. */
const complainOf = (error: unknown): number => {
  if (!(error instanceof UnwritableReports)) throw error;
  const advice = 'Make room there and let it be written to, or name another folder with --report-dir.';
  process.stderr.write(withoutSecrets(problemLines([`${error.message} ${advice}`])));
  return exitCodes.fault;
};

const runAndReport = async (settings: RunSettings, read: Read, signal: AbortSignal): Promise<number> => {
  const { env } = process;
  const screen = screenOf(process.stdout, env);
  const { outcome: found, exit, redact } = await watchedRun(settings, read, screen, systemClock, signal);
  const { describeOutcome } = await import('../report/text/failures.ts');
  const outcome = describeOutcome(found, redact);
  const { reports, error } = await write(outcome, settings.reportDir, screen, env);
  await tell(outcome, screen, { reports, verbose: settings.verbose }, env);
  if (error !== null) return complainOf(error);
  return signal.aborted ? exitCodes.interrupted : exit;
};

/** Null: it was removed. */
const workingDirectory = (): string | null => {
  try {
    return process.cwd();
  } catch {
    return null;
  }
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
  const directory = workingDirectory();
  if (directory === null) return refuse(['the working directory no longer exists: change to one that does']);
  const resolved = await loadSettings({
    flags,
    env,
    directory,
    requirements: loadCatalogue(),
  });
  if (!resolved.ok) return refuse(resolved.problems);
  for (const key of [resolved.settings.apiKey, resolved.settings.rateLimitKey]) keepSecret(key);
  const ahead = await lookAhead(resolved.settings);
  if (!ahead.ok) return refuse(ahead.problems);
  // The seed is drawn here where none is given, so that it is told before anything is sent.
  const settings = { ...resolved.settings, seed: resolved.settings.seed ?? drawSeed(Math.random) };
  const interrupt = interruptible(process, () => process.exit(exitCodes.interrupted));
  try {
    return await runAndReport(settings, { ...ahead.read, known: resolved.known }, interrupt.signal);
  } catch (error) {
    if (error instanceof NoSuchCase) return refuse([error.message]);
    throw error;
  } finally {
    interrupt.release();
  }
};
