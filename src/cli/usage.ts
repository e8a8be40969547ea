import { visible } from '../report/text/escape.ts';

export const exitCodes = { usage: 2, suiteError: 4, interrupted: 130 } as const;

/** Returns one line for each problem, for standard error. Each begins with `error: ` and contains no line break. */
export const problemLines = (problems: readonly string[]): string =>
  problems.map((problem) => `error: ${visible(problem).replaceAll(/\s*\n\s*/g, ' ')}\n`).join('');
