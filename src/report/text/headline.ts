import { counted } from './units.ts';

export interface Share {
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
}

/** The results that a run can have, each in one sentence. */
export const headlines = {
  unjudgeable: 'Not judged',
  interrupted: (hasResults: boolean): string =>
    `Interrupted: ${hasResults ? 'no failures in the part that ran' : 'nothing was tested'}`,
  /** `reason`: why none of the selected requirements was tested; null: there are several reasons. */
  nothingTested: (errors: number, reason: string | null): string =>
    `Not judged: ${errors > 0 ? suiteErrors(errors) : reason || 'none of the selected requirements could be tested'}`,
  errors: (errors: number): string => `Run failed: ${suiteErrors(errors)}`,
  knownFailuresPass: (requirements: readonly string[]): string => {
    const [be, pass] = requirements.length === 1 ? ['is', 'passes'] : ['are', 'pass'];
    return `Run failed: ${requirements.join(', ')} ${be} listed as known to fail, but ${pass} now`;
  },
  noFailures: ({ isLowCoverage, known, notTested }: NoFailures): string => {
    const scope = notTested.part === 0 ? '' : ` (${ofAll(notTested, 'MUST')} not tested)`;
    if (isLowCoverage) return `No failures so far; too little was tested to call it conformant${scope}`;
    return `No failures${known > 0 ? ` except ${counted(known, 'known failure')}` : ''}${scope}`;
  },
  failed: (failed: Share): string => `Failed: ${ofAll(failed)}`,
  strict: (warnings: number): string =>
    `Failed: ${counted(warnings, 'warning')}, and --strict treats warnings as failures`,
};

/** `2 failed, 40 passed (16 not selected)`. */
export const countsOf = (counts: readonly string[], unselected: number): string =>
  `${counts.join(', ') || 'none tested'}${unselected === 0 ? '' : ` (${unselected} not selected)`}`;
