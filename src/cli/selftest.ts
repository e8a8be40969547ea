import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { selfTestLines } from '../report/text/selftest.ts';
import type { SelfTestReport } from '../selftest/report.ts';
import type { SelfTestFlags, SelfTestSettings } from './selftest-settings.ts';
import { exitCodes } from './usage.ts';

const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds the command that runs the suite on servers with known faults, and on conforming ones. */
export const register = (command: Command): void => {
  command
    .option(
      '--only <ID>',
      'only this requirement or group (repeatable): its faults, and its checks on the dialects',
      append,
    )
    .option('--fault <NAME>', 'only this fault or degenerate server (repeatable)', append)
    .option(
      '--dialect <NAME>',
      'only this dialect (repeatable): each alone, and all of them together',
      append,
    )
    .option(
      '--combinations <N>',
      'generated combinations of dialects (default: 10 if all pairs are tested, otherwise 40; 0 with --fault or --dialect)',
    )
    .option('--seed <N>', 'seed of every generated value (default: random, printed)')
    .option('--jobs <N>', 'servers tested at the same time (default: one per core)')
    .option(
      '--thorough',
      'test every fault with every case of every check, and every dialect alone (always on for selected servers)',
    )
    .option(
      '--budgets',
      'fail if runs of 300 and of 60 requests kill too few held-out faults (reported anyway if nothing is selected)',
    )
    .option('--no-budgets', 'skip the runs of 300 and of 60 requests')
    .option('--report-dir <DIR>', 'where selftest.json goes', 'reports')
    .action(async (flags: SelfTestFlags, command: Command) => {
      const { readSelfTestFlags } = await import('./selftest-settings.ts');
      const settings = readSelfTestFlags(flags, { cores: availableParallelism(), random: Math.random });
      if (!settings.ok) return command.error(`error: ${settings.problem}`, { exitCode: exitCodes.usage });
      process.exitCode = await selfTest(settings.value, command);
    });
};

const selfTest = async (settings: SelfTestSettings, command: Command): Promise<number> => {
  const { interruptible } = await import('./interrupt.ts');
  const { prepareFolder } = await import('../report/files.ts');
  const { reportDir } = settings;
  await prepareFolder(reportDir).catch((error: Error) =>
    command.error(`error: ${selfTestLines.reportDir(error.message)}`, { exitCode: exitCodes.usage }),
  );
  const interrupt = interruptible(process, () => process.exit(exitCodes.interrupted));
  try {
    const report = await runWithCounter(settings, interrupt.signal);
    await write(report, settings);
    return report.passed ? 0 : 1;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    process.stdout.write(`${selfTestLines.interrupted}\n`);
    return exitCodes.interrupted;
  } finally {
    interrupt.release();
  }
};

/** Runs the self-test. Shows unexpected results at once, and the figures at the end. */
const runWithCounter = async (settings: SelfTestSettings, signal: AbortSignal): Promise<SelfTestReport> => {
  const { systemClock } = await import('../time/clock.ts');
  const { runSelfTest } = await import('../selftest/selftest.ts');
  const { duration } = await import('../report/text/units.ts');
  const { screenOf } = await import('./terminal/screen.ts');
  const { problemOf, createCounter, summaryOf } = await import('./terminal/selftest.ts');
  const screen = screenOf(process.stdout, process.env);
  const counter = createCounter(screen);
  const startedAt = systemClock.now();
  let wholeRunsEndedAt = startedAt;
  const report = await runSelfTest(settings, {
    jobs: settings.jobs,
    signal,
    clock: systemClock,
    onPlanned: (total) => counter.start(total, selfTestLines.title(settings.seed, settings.jobs)),
    onJudged: (server) => {
      if (server.kind !== 'fault' || server.budget === null) wholeRunsEndedAt = systemClock.now();
      counter.done(problemOf(server));
    },
  });
  counter.stop();
  const whole = duration(wholeRunsEndedAt - startedAt);
  const onBudgets = duration(systemClock.now() - wholeRunsEndedAt);
  const took = selfTestLines.took(settings.seed, whole, settings.budgets.length === 0 ? null : onBudgets);
  screen.write(`${summaryOf(report)}\n${took}\n`);
  return report;
};

const write = async (report: SelfTestReport, { reportDir }: SelfTestSettings): Promise<void> => {
  const { writeWhole } = await import('../report/files.ts');
  const { jsonText } = await import('../report/json-text.ts');
  const path = await writeWhole(reportDir, { name: 'selftest.json', content: jsonText(report, 2) });
  process.stdout.write(`${path}\n`);
};
