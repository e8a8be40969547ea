import { withoutLogCommands } from '../report/text/log-commands.ts';

/** Writes text to standard output. */
export const print = (text: string): void => void process.stdout.write(withoutLogCommands(text));

/** Writes text to standard error. */
export const printError = (text: string): void => void process.stderr.write(withoutLogCommands(text));

/** Writes annotations, which GitHub shows beside a job. The screen would escape them. */
export const printAnnotations = (annotations: readonly string[]): void =>
  void process.stdout.write(annotations.map((each) => `${each}\n`).join(''));
