import { randomInt } from 'node:crypto';
import { resolversOf } from '../domains/dns/resolver.ts';
import { hostNameOf } from '../domains/names.ts';
import { createSocketNetwork } from '../domains/network/sockets.ts';
import { loadDomains, type ReadDomains } from '../domains/read-file.ts';
import { hostProblem } from '../domains/read-values.ts';
import { domainProblems, domainsUsage } from '../domains/refusals.ts';
import { type DomainsSettings, defaultNetwork, defaultPrimary, defaultProject } from '../domains/settings.ts';
import { type TestedDomains, testDomains } from '../domains/test-domains.ts';
import { missingOf, testUntilRight } from '../domains/wait.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { loadDocument } from '../openapi/load.ts';
import { plans } from '../openapi/plans.ts';
import { domainsAnnotations } from '../report/domains/junit.ts';
import { domainsOutcome } from '../report/domains/outcome.ts';
import { domainsText } from '../report/domains/terminal.ts';
import { writeDomainsReports } from '../report/domains/write.ts';
import { problemsOfFolder, UnwritableReports, type WrittenReport } from '../report/files.ts';
import { domainWords as words } from '../report/text/domains/page.ts';
import { oneLine } from '../report/text/escape.ts';
import { reportProblems } from '../report/text/report-files.ts';
import { systemClock } from '../time/clock.ts';
import { interruptible } from './interrupt.ts';
import { printAnnotations, printError } from './output.ts';
import { type Screen, screenOf } from './terminal/screen.ts';
import { exitCodes, problemLines } from './usage.ts';

interface Flags {
  readonly config?: string;
  readonly platformHost?: string;
  readonly plan?: string;
  readonly ca?: readonly string[];
  readonly primary?: string;
  readonly wait?: string;
  readonly reportDir: string;
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `90s`, `30m`, or `2h`. Null: it is not a duration. */
const durationOf = (given: string): number | null => {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([smh])$/.exec(given) ?? [];
  return number === '' ? null : Number(number) * (units[unit] ?? 0);
};

const refuse = (problems: readonly string[]): number => {
  // A file of domains is short, so that all mistakes can be corrected at once.
  printError(problemLines(problems, problems.length));
  return exitCodes.usage;
};

/** The settings from names and flags. */
const settingsOf = (
  given: readonly string[],
  { platformHost, plan, ca = [], primary }: Flags,
): ReadDomains => {
  const problems: string[] = [];
  const host = (source: string, text: string): string => {
    const name = hostNameOf(text);
    if (name === null) problems.push(`${source}: ${hostProblem(text)}`);
    return name ?? '';
  };
  const names = given.map((name) => host('NAME', name));
  if (platformHost === undefined) problems.push(domainsUsage.noPlatformHost);
  const target = host('--platform-host', platformHost ?? 'missing');
  const found = plans.find((each) => each === plan?.toLowerCase()) ?? null;
  if (plan !== undefined && found === null) problems.push(`--plan: ${domainProblems.notOneOf(plan, plans)}`);
  for (const name of names.filter((each, index) => names.indexOf(each) !== index))
    problems.push(`NAME: ${domainProblems.twice(name)}`);
  const named = primary === undefined ? defaultPrimary(names, []) : host('--primary', primary);
  if (named === null) problems.push(`--primary: ${domainProblems.noPrimary}`);
  else if (problems.length === 0 && !names.includes(named))
    problems.push(`--primary: ${domainProblems.notAttached(named)}`);
  const authorities = ca.map((name) => host('--ca', name));
  if (problems.length > 0) return { ok: false, problems };
  const settings: DomainsSettings = {
    plan: found,
    platformHost: target,
    authorities,
    domains: names.map((name) => ({ name, kind: null, target, changed: null, verified: null })),
    primary: named ?? '',
    redirects: [],
    removed: [],
    project: defaultProject,
    network: defaultNetwork,
  };
  return { ok: true, settings };
};

const read = async (names: readonly string[], flags: Flags): Promise<ReadDomains> => {
  const { config, platformHost, plan, ca, primary } = flags;
  const hasFlags = [platformHost, plan, ca, primary].some((flag) => flag !== undefined);
  if (config !== undefined)
    return names.length > 0 || hasFlags ? { ok: false, problems: [domainsUsage.both] } : loadDomains(config);
  return names.length === 0 ? { ok: false, problems: [domainsUsage.nothing] } : settingsOf(names, flags);
};

/** Shows what is still missing, before each pause of `--wait`. */
const showProgress =
  (screen: Screen) =>
  (tested: TestedDomains, pauseMs: number, leftMs: number): void => {
    const open = tested.domains.filter((each) => missingOf(each).length > 0);
    screen.write(`${words.waiting(open.length, pauseMs, leftMs)}\n`);
    for (const each of open) {
      const ids = missingOf(each);
      const place = /^DOMAIN-[234]$/.test(ids[0] ?? '')
        ? 'dns'
        : ids[0] === 'DOMAIN-6'
          ? 'certificate'
          : 'other';
      screen.write(`${oneLine(words.missing(each.domain.name, ids, words.mayTake[place]))}\n`);
    }
  };

const test = async (
  settings: DomainsSettings,
  waitMs: number,
  screen: Screen,
  signal: AbortSignal,
): Promise<ReturnType<typeof domainsOutcome>> => {
  const clock = systemClock;
  const startedAt = clock.now();
  const seed = randomInt(2 ** 31);
  const network = createSocketNetwork(settings.network);
  const resolvers = resolversOf(settings.network);
  const context = { network, resolvers, now: clock.now, unusedLabel: `${seed}${startedAt}` };
  screen.write(
    `${oneLine(
      words.opening(
        settings.domains.map(({ name }) => name),
        settings.platformHost,
      ),
    )}\n`,
  );
  const { tested, waited } = await testUntilRight(() => testDomains(settings, context), {
    clock,
    waitMs,
    signal,
    onPause: showProgress(screen),
  });
  const { version } = await loadDocument();
  return domainsOutcome({
    ...{ settings, tested, waited, seed, startedAt },
    requirements: loadCatalogue().filter(({ subject }) => subject === 'domain'),
    interfaceVersion: version,
    resolver: resolvers
      .map(({ address, port }) => `${address.includes(':') ? `[${address}]` : address}:${port}`)
      .join(', '),
    endedAt: clock.now(),
    interrupted: signal.aborted,
  });
};

const testAndReport = async (
  settings: DomainsSettings,
  waitMs: number,
  reportDir: string,
  signal: AbortSignal,
): Promise<number> => {
  const { env } = process;
  const screen = screenOf(process.stdout, env);
  const { outcome, exit } = await test(settings, waitMs, screen, signal);
  const warn = (text: string) => screen.write(`${oneLine(text)}\n`);
  const show = (reports: readonly WrittenReport[]): void => {
    screen.write(domainsText(outcome, { color: screen.color, reports }));
    if (env.GITHUB_ACTIONS === 'true') printAnnotations(domainsAnnotations(outcome));
  };
  try {
    show(await writeDomainsReports(outcome, { dir: reportDir, env, warn }));
  } catch (error) {
    if (!(error instanceof UnwritableReports)) throw error;
    show(error.written);
    printError(problemLines([`${error.message} ${reportProblems.room}`]));
    return exitCodes.suiteError;
  }
  return exit;
};

/**
 * Tests the domains of a file, or those named in the command line. Shows the result and writes the reports.
 *
 * @returns the exit code
 */
export const judgeDomains = async (
  names: readonly string[],
  given: Readonly<Record<string, unknown>>,
): Promise<number> => {
  const flags = given as unknown as Flags;
  const waitMs = flags.wait === undefined ? 0 : durationOf(flags.wait);
  if (waitMs === null) return refuse([domainsUsage.notDuration(flags.wait ?? '')]);
  const prepared = await read(names, flags);
  if (!prepared.ok) return refuse(prepared.problems);
  const unwritable = await problemsOfFolder(flags.reportDir);
  if (unwritable.length > 0) return refuse(unwritable);
  const interrupt = interruptible(process, () => process.exit(exitCodes.interrupted));
  try {
    return await testAndReport(prepared.settings, waitMs, flags.reportDir, interrupt.signal);
  } finally {
    interrupt.release();
  }
};
