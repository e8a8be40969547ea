import { type Outcome, passesAgain } from './outcome.ts';

/** The exit code of `run`, as its help gives it. */
export const exitCodeOf = (
  { verdict, requirements }: Pick<Outcome, 'verdict' | 'requirements'>,
  interrupted = false,
): 0 | 1 | 3 | 4 | 130 => {
  if (interrupted) return 130;
  if (verdict === 'not-judged') return 3;
  if (requirements.some((result) => result.verdict === 'error')) return 4;
  return verdict === 'nonconformant' || requirements.some(passesAgain) ? 1 : 0;
};
