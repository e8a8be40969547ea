import type { Command } from 'commander';
import { print } from './output.ts';

const claim = async (path: string, command: Command): Promise<void> => {
  const { readReport, UnreadableReport } = await import('../report/read.ts');
  const { toClaim } = await import('../report/matrix/claim.ts');
  const { jsonText } = await import('../report/json-text.ts');
  try {
    print(jsonText(toClaim(await readReport(path)), 2));
  } catch (error) {
    if (error instanceof UnreadableReport) command.error(error.message);
    throw error;
  }
};

/** Adds the command that prints a report which may be published. */
export const register = (command: Command): void => {
  command
    .argument('<REPORT>', 'conformance.json, or the folder it is in')
    .action((path: string, _flags: unknown, command: Command) => claim(path, command));
};
