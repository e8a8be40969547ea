import { visible } from '../report/text/escape.ts';

export const exitCodes = { usage: 2, fault: 4, interrupted: 130 } as const;

/** Lines for people on standard error: each begins with `error: ` and stands on one line, whatever it quotes. */
export const problemLines = (problems: readonly string[]): string =>
  problems.map((problem) => `error: ${visible(problem).replaceAll(/\s*\n\s*/g, ' ')}\n`).join('');
