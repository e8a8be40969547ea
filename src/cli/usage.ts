import { usageProblems } from '../report/text/command-line.ts';
import { visible } from '../report/text/escape.ts';

export const exitCodes = { usage: 2, suiteError: 4, interrupted: 130 } as const;

/** A terminal shows them on one screen. A large file may have hundreds of thousands. */
const shownProblems = 20;

/**
 * Returns one line for each problem, for standard error. Each begins with `error: ` and contains no line break. `most`: how many are
 * shown.
 */
export const problemLines = (problems: readonly string[], most = shownProblems): string => {
  const left = problems.length - most;
  const shown = [...problems.slice(0, most), ...(left > 0 ? [usageProblems.more(left)] : [])];
  return shown.map((problem) => `error: ${visible(problem).replaceAll(/\s*\n\s*/g, ' ')}\n`).join('');
};
