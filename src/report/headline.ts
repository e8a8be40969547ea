import { isDecided, isUnexpectedPass, type RequirementResult } from '../run/outcome.ts';
import { countsOf, headlines } from './text/headline.ts';
import { wordFor } from './text/shown-verdicts.ts';
import {
  countVerdicts,
  hasLowCoverage,
  type JudgedRun,
  mustsOf,
  selected,
  whyNotJudged,
  withoutResult,
  withVerdict,
} from './verdicts.ts';

const notJudged = (run: JudgedRun): string => {
  const { requirements } = run;
  switch (whyNotJudged(run)) {
    case 'unjudgeable':
      return headlines.unjudgeable;
    case 'interrupted':
      return headlines.interrupted(requirements.some(isDecided));
    case 'nothing-tested': {
      const errors = withVerdict(requirements, 'error').length;
      const [reason = null, ...others] = new Set(selected(requirements).map((result) => result.reason));
      return headlines.nothingTested(errors, others.length > 0 ? null : reason);
    }
  }
};

const conformant = (run: JudgedRun): string => {
  const { requirements } = run;
  const errors = withVerdict(requirements, 'error').length;
  const passing = requirements.filter(isUnexpectedPass).map(({ id }) => id);
  if (errors > 0) return headlines.errors(errors);
  if (passing.length > 0) return headlines.knownFailuresPass(passing);
  return headlines.noFailures({
    isLowCoverage: hasLowCoverage(run),
    known: withVerdict(requirements, 'known').length,
    notTested: {
      part: withoutResult(run).size,
      all: mustsOf(selected(requirements)).length,
    },
  });
};

/** The result of a run in one sentence. */
export const headline = (run: JudgedRun): string => {
  const { verdict, requirements } = run;
  if (verdict === 'not-judged') return notJudged(run);
  if (verdict === 'conformant') return conformant(run);
  const failed = withVerdict(requirements, 'failed').length;
  if (failed > 0) return headlines.failed({ part: failed, all: selected(requirements).length });
  return headlines.strict(withVerdict(requirements, 'warned').filter(({ known }) => known === null).length);
};

/** `2 failed, 40 passed (16 not selected)`. */
export const countsText = (requirements: readonly RequirementResult[]): string => {
  const chosen = selected(requirements);
  const counts = [...countVerdicts(chosen)].map(
    ([verdict, number]) => `${number} ${wordFor(verdict, number)}`,
  );
  const others = requirements.length - chosen.length;
  return countsOf(counts, others);
};
