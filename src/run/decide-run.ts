import { isUnexpectedPass, type Outcome, type PartialEvidence, type RequirementResult } from './outcome.ts';

/** The facts that the verdict of a run and its exit code follow from. */
export interface RunFacts {
  /** A MUST failed that is not known to fail, with --strict a SHOULD, or the server stopped responding. */
  readonly failed: boolean;
  /** A selected requirement has a result from a response. */
  readonly hasResult: boolean;
  /** An operation was requested, and none of its responses could be read. */
  readonly hasUnreadOperation: boolean;
  /** Most operations of another API were not requested, although the user did not leave them out. */
  readonly missesMost: boolean;
  /** `stopped`: by the server, or because it cannot be tested. */
  readonly end: 'complete' | 'interrupted' | 'stopped';
  /** The suite itself failed. */
  readonly hasError: boolean;
  /** A known failure passed. */
  readonly hasUnexpectedPass: boolean;
}

/** The verdict of a run, and its exit code as in the help. A run that judged nothing never ends with 0. */
export const decideRun = (
  facts: RunFacts,
): { readonly verdict: Outcome['verdict']; readonly exit: 0 | 1 | 3 | 4 | 130 } => {
  const isWhole = !facts.hasUnreadOperation && !facts.missesMost;
  const isJudged = facts.end === 'complete' && facts.hasResult && isWhole;
  const verdict = facts.failed ? 'nonconformant' : isJudged ? 'conformant' : 'not-judged';
  if (facts.end === 'interrupted') return { verdict, exit: 130 };
  if (facts.hasError) return { verdict, exit: 4 };
  if (verdict === 'not-judged') return { verdict, exit: 3 };
  return { verdict, exit: facts.failed || facts.hasUnexpectedPass ? 1 : 0 };
};

type Judged = Pick<RequirementResult, 'verdict' | 'known'> & { readonly evidence?: PartialEvidence };

/** The facts that the results of requirements show. A known failure that passed in a part of a run is a result, too. */
export const factsOf = (
  requirements: readonly Judged[],
  { strict }: { readonly strict: boolean },
): Pick<RunFacts, 'failed' | 'hasResult' | 'hasError' | 'hasUnexpectedPass'> => ({
  failed: requirements.some(
    ({ verdict, known }) => known === null && (verdict === 'failed' || (strict && verdict === 'warned')),
  ),
  hasResult: requirements.some(
    ({ verdict, known, evidence }) =>
      ['passed', 'warned', 'observed'].includes(verdict) || (known !== null && (evidence?.passed ?? 0) > 0),
  ),
  hasError: requirements.some(({ verdict }) => verdict === 'error'),
  hasUnexpectedPass: requirements.some(isUnexpectedPass),
});
