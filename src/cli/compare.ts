import type { Command } from 'commander';
import { print } from './output.ts';

interface Flags {
  readonly verbose?: boolean;
}

const compare = async (before: string, after: string, flags: Flags, command: Command): Promise<void> => {
  const { readReport, UnreadableReport } = await import('../report/read.ts');
  const { changesText, compareReports } = await import('../report/compare.ts');
  try {
    const changes = compareReports(await readReport(before), await readReport(after));
    print(changesText(changes, flags.verbose));
    process.exitCode = changes.some(({ kind }) => kind === 'newly-failing') ? 1 : 0;
  } catch (error) {
    if (error instanceof UnreadableReport) command.error(error.message);
    throw error;
  }
};

/** Adds the command that shows what changed between two reports. Exit code 1: a requirement newly fails. */
export const register = (command: Command): void => {
  command
    .argument('<OLD>', 'conformance.json, or the folder it is in')
    .argument('<NEW>', 'the later one')
    .option('--verbose', 'Print every change in full')
    .action(compare);
};
