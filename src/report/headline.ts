import { isDecided, isUnexpectedPass, type RequirementResult } from '../run/outcome.ts';
import { countsOf, type Headline, headlineText, type Share } from './text/headline.ts';
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

/** A number of requirements, out of the selected ones. */
const shareOf = (part: number, { requirements }: JudgedRun): Share => ({
  part,
  all: selected(requirements).length,
});

/** The MUSTs without a result, out of the selected ones. */
const musts = (run: JudgedRun): Share => ({
  part: withoutResult(run).size,
  all: mustsOf(selected(run.requirements)).length,
});

const notJudged = (run: JudgedRun): Headline => {
  const { requirements } = run;
  switch (whyNotJudged(run)) {
    case 'unjudgeable':
      return { result: 'unjudgeable' };
    case 'interrupted':
      return { result: 'interrupted', hasResults: requirements.some(isDecided) };
    case 'nothing-tested': {
      const errors = withVerdict(requirements, 'error').length;
      const [reason = null, ...others] = new Set(selected(requirements).map((result) => result.reason));
      return { result: 'nothing-tested', errors, reason: others.length > 0 ? null : reason };
    }
  }
};

const conformant = (run: JudgedRun): Headline => {
  const { requirements } = run;
  const errors = withVerdict(requirements, 'error').length;
  const passing = requirements.filter(isUnexpectedPass).map(({ id }) => id);
  if (errors > 0) return { result: 'errors', errors };
  if (passing.length > 0) return { result: 'known-failures-pass', requirements: passing };
  return {
    result: 'no-failures',
    isLowCoverage: hasLowCoverage(run),
    known: withVerdict(requirements, 'known').length,
    notTested: musts(run),
  };
};

const headlineOf = (run: JudgedRun): Headline => {
  const { verdict, requirements } = run;
  if (verdict === 'not-judged') return notJudged(run);
  if (verdict === 'conformant') return conformant(run);
  const failed = withVerdict(requirements, 'failed').length;
  if (failed > 0) return { result: 'failed', failed: shareOf(failed, run) };
  const warnings = withVerdict(requirements, 'warned').filter(({ known }) => known === null).length;
  return { result: 'strict', warnings };
};

/** The result of a run in one sentence. */
export const headline = (run: JudgedRun): string => headlineText(headlineOf(run));

/** `2 failed, 40 passed (16 not selected)`. */
export const countsText = (requirements: readonly RequirementResult[]): string => {
  const chosen = selected(requirements);
  const counts = [...countVerdicts(chosen)].map(
    ([verdict, number]) => `${number} ${wordFor(verdict, number)}`,
  );
  const others = requirements.length - chosen.length;
  return countsOf(counts, others);
};
