import { type Outcome, passesAgain, type RequirementResult } from './outcome.ts';

interface Ended extends Pick<Outcome, 'verdict'> {
  readonly requirements: readonly Pick<RequirementResult, 'verdict' | 'known'>[];
}

interface Ending {
  readonly interrupted?: boolean;
  /** The target itself cannot be judged. That nothing was judged for the date, or for the selection, is no failure. */
  readonly unjudgeable?: boolean;
}

/** The exit code of `run`, as its help gives it. */
export const exitCodeOf = (
  { verdict, requirements }: Ended,
  { interrupted = false, unjudgeable = false }: Ending = {},
): 0 | 1 | 3 | 4 | 130 => {
  if (interrupted) return 130;
  if (unjudgeable && verdict === 'not-judged') return 3;
  if (requirements.some((result) => result.verdict === 'error')) return 4;
  return verdict === 'nonconformant' || requirements.some(passesAgain) ? 1 : 0;
};
