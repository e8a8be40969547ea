import { randomInt } from 'node:crypto';
import { parseYaml } from '../config/yaml-file.ts';
import { resolversOf } from '../domains/dns/resolver.ts';
import { createSocketNetwork } from '../domains/network/sockets.ts';
import { outermost } from '../domains/read-fields.ts';
import { loadDomains, type ReadDomains, readDomains } from '../domains/read-file.ts';
import { domainsUsage } from '../domains/refusals.ts';
import type { DomainsSettings } from '../domains/settings.ts';
import { type TestedDomains, testDomains } from '../domains/test-domains.ts';
import { missingOf, testUntilRight } from '../domains/wait.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { loadDocument } from '../openapi/load.ts';
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

export interface Flags {
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

/** What sets a field in the command line. */
const flags: Readonly<Record<string, string>> = {
  domains: 'NAME',
  platformHost: '--platform-host',
  plan: '--plan',
  certificateAuthority: '--ca',
  primary: '--primary',
};

/** The settings from names and flags, read as the fields of a file. */
const readFlags = async (
  domains: readonly string[],
  { platformHost, plan, ca: certificateAuthority, primary }: Flags,
): Promise<ReadDomains> => {
  if (platformHost === undefined) return { ok: false, problems: [domainsUsage.noPlatformHost] };
  const fields = { plan, platformHost, certificateAuthority, domains, primary };
  const yaml = parseYaml('', JSON.stringify(fields));
  const placeOf = (field: string) => flags[outermost(field)] ?? field;
  return yaml.ok ? readDomains(yaml.file, { placeOf, required: [], folder: '' }) : yaml;
};

const read = async (names: readonly string[], given: Flags): Promise<ReadDomains> => {
  const { config, platformHost, plan, ca, primary } = given;
  const hasFlags = [platformHost, plan, ca, primary].some((flag) => flag !== undefined);
  if (config !== undefined)
    return names.length > 0 || hasFlags ? { ok: false, problems: [domainsUsage.both] } : loadDomains(config);
  return names.length === 0 ? { ok: false, problems: [domainsUsage.nothing] } : readFlags(names, given);
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
export const judgeDomains = async (names: readonly string[], given: Flags): Promise<number> => {
  const { wait, reportDir } = given;
  const waitMs = wait === undefined ? 0 : durationOf(wait);
  if (waitMs === null) return refuse([domainsUsage.notDuration(wait ?? '')]);
  const prepared = await read(names, given);
  if (!prepared.ok) return refuse(prepared.problems);
  const unwritable = await problemsOfFolder(reportDir);
  if (unwritable.length > 0) return refuse(unwritable);
  const interrupt = interruptible(process, () => process.exit(exitCodes.interrupted));
  try {
    return await testAndReport(prepared.settings, waitMs, reportDir, interrupt.signal);
  } finally {
    interrupt.release();
  }
};
