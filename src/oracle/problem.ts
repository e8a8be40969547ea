import type { AnimalProblem } from './problems/animals.ts';
import type { BodyProblem } from './problems/body.ts';
import type { HeaderProblem } from './problems/headers.ts';
import type { LimitProblem } from './problems/limits.ts';
import type { ListProblem } from './problems/lists.ts';
import type { StatusProblem } from './problems/status.ts';

/** What is wrong with an exchange, as facts. `rule` is its permanent code, and src/report/text makes the sentences. */
export type Problem =
  | StatusProblem
  | BodyProblem
  | AnimalProblem
  | ListProblem
  | HeaderProblem
  | LimitProblem
  | OwnProblem;

/** A problem that a user's check found, in its own words. `code` distinguishes its causes. */
export interface OwnProblem {
  readonly rule: 'own-check';
  readonly code: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** A permanent code in kebab case, for example `header-missing`. */
export type RuleCode = Problem['rule'];

/** The problems of the given rules. */
export type ProblemOf<R extends RuleCode> = Extract<Problem, { rule: R }>;
