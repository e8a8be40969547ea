import { type AnyResult, isDecided, isUnexpectedPass, missedOperations } from '../run/outcome.ts';
import { wordFor } from './text/shown-verdicts.ts';
import { counted } from './text/units.ts';
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

interface Share {
  readonly part: number;
  readonly all: number;
}

const ofAll = ({ part, all }: Share, noun = 'requirement'): string => `${part} of ${counted(all, noun)}`;

const suiteErrors = (errors: number): string =>
  `errors in the suite itself on ${counted(errors, 'requirement')}`;

interface NoFailures {
  readonly isLowCoverage: boolean;
  readonly known: number;
  /** Of the MUSTs. */
  readonly notTested: Share;
  /** Of the operations of another API. */
  readonly notRequested: Share;
}

/** The results that a run can have, each in one sentence. */
const headlines = {
  unjudgeable: (silence: string | null): string => `Not judged${silence === null ? '' : `: ${silence}`}`,
  interrupted: (hasResults: boolean): string =>
    `Interrupted: ${hasResults ? 'no failures in the part that ran' : 'nothing was tested'}`,
  /** `reason`: why none of the selected requirements was tested; null: there are several reasons. */
  nothingTested: (errors: number, reason: string | null): string =>
    `Not judged: ${errors > 0 ? suiteErrors(errors) : reason || 'none of the selected requirements could be tested'}`,
  operationsMissed: (missed: Share, errors: number): string =>
    errors > 0
      ? headlines.errors(errors)
      : `Not judged: ${ofAll(missed, 'operation')} not requested, no failures in the others`,
  errors: (errors: number): string => `Run failed: ${suiteErrors(errors)}`,
  knownFailuresPass: (requirements: readonly string[]): string => {
    const [be, pass] = requirements.length === 1 ? ['is', 'passes'] : ['are', 'pass'];
    return `Run failed: ${requirements.join(', ')} ${be} listed as known to fail, but ${pass} now`;
  },
  noFailures: ({ isLowCoverage, known, notTested, notRequested }: NoFailures): string => {
    const open = [
      ...(notRequested.part === 0 ? [] : [`${ofAll(notRequested, 'operation')} not requested`]),
      ...(notTested.part === 0 ? [] : [`${ofAll(notTested, 'MUST')} not tested`]),
    ];
    const scope = open.length === 0 ? '' : ` (${open.join(', ')})`;
    if (isLowCoverage) return `No failures so far; too little was tested to call it conformant${scope}`;
    return `No failures${known > 0 ? ` except ${counted(known, 'known failure')}` : ''}${scope}`;
  },
  failed: (failed: Share, silence: string | null): string =>
    `Failed: ${ofAll(failed)}${silence === null ? '' : ` (${silence})`}`,
  strict: (warnings: number): string =>
    `Failed: ${counted(warnings, 'warning')}, and --strict treats warnings as failures`,
};

/** `2 failed, 40 passed (16 not selected)`. */
const countsOf = (counts: readonly string[], unselected: number): string =>
  `${counts.join(', ') || 'none tested'}${unselected === 0 ? '' : ` (${unselected} not selected)`}`;

const notJudged = (run: JudgedRun): string => {
  const { requirements } = run;
  const errors = withVerdict(requirements, 'error').length;
  switch (whyNotJudged(run)) {
    case 'unjudgeable':
      return headlines.unjudgeable(run.silence ?? null);
    case 'interrupted':
      return headlines.interrupted(requirements.some(isDecided));
    case 'operations-missed': {
      const { operations = { all: 0, requested: 0, leftOut: 0, notRequested: [] } } = run;
      return headlines.operationsMissed({ part: missedOperations(operations), all: operations.all }, errors);
    }
    case 'nothing-tested': {
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
  const { operations } = run;
  return headlines.noFailures({
    notRequested:
      operations === undefined
        ? { part: 0, all: 0 }
        : { part: operations.all - operations.requested, all: operations.all },
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
  if (failed > 0)
    return headlines.failed({ part: failed, all: selected(requirements).length }, run.silence ?? null);
  return headlines.strict(withVerdict(requirements, 'warned').filter(({ known }) => known === null).length);
};

/** `2 failed, 40 passed (16 not selected)`. */
export const countsText = (requirements: readonly AnyResult[]): string => {
  const chosen = selected(requirements);
  const counts = [...countVerdicts(chosen)].map(
    ([verdict, number]) => `${number} ${wordFor(verdict, number)}`,
  );
  const others = requirements.length - chosen.length;
  return countsOf(counts, others);
};
