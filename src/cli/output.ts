import { withoutLogCommands } from '../report/text/log-commands.ts';

/** Writes text to standard output. */
export const print = (text: string): void => void process.stdout.write(withoutLogCommands(text));

/** Writes text to standard error. */
export const printError = (text: string): void => void process.stderr.write(withoutLogCommands(text));
