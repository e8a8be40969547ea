import { counted } from './units.ts';

/** The result of a run. */
export type Headline =
  | { readonly result: 'unjudgeable' }
  | { readonly result: 'interrupted'; readonly hasResults: boolean }
  /** `reason`: why none of the selected requirements was tested; null: there are several reasons. */
  | { readonly result: 'nothing-tested'; readonly errors: number; readonly reason: string | null }
  | { readonly result: 'errors'; readonly errors: number }
  | { readonly result: 'known-failures-pass'; readonly requirements: readonly string[] }
  | {
      readonly result: 'no-failures';
      readonly isLowCoverage: boolean;
      readonly known: number;
      /** Of the MUSTs. */
      readonly notTested: Share;
    }
  | { readonly result: 'failed'; readonly failed: Share }
  | { readonly result: 'strict'; readonly warnings: number };

export interface Share {
  readonly part: number;
  readonly all: number;
}

const ofAll = ({ part, all }: Share, noun = 'requirement'): string => `${part} of ${counted(all, noun)}`;

const suiteErrors = (errors: number): string =>
  `errors in the suite itself on ${counted(errors, 'requirement')}`;

type Of<R extends Headline['result']> = Extract<Headline, { result: R }>;

const nothingTested = ({ errors, reason }: Of<'nothing-tested'>): string =>
  errors > 0 ? suiteErrors(errors) : reason || 'none of the selected requirements could be tested';

const knownFailuresPass = ({ requirements }: Of<'known-failures-pass'>): string => {
  const [be, pass] = requirements.length === 1 ? ['is', 'passes'] : ['are', 'pass'];
  return `Run failed: ${requirements.join(', ')} ${be} listed as known to fail, but ${pass} now`;
};

const noFailures = ({ isLowCoverage, known, notTested }: Of<'no-failures'>): string => {
  const scope = notTested.part === 0 ? '' : ` (${ofAll(notTested, 'MUST')} not tested)`;
  if (isLowCoverage) return `No failures so far; too little was tested to call it conformant${scope}`;
  return `No failures${known > 0 ? ` except ${counted(known, 'known failure')}` : ''}${scope}`;
};

/** `2 failed, 40 passed (16 not selected)`. */
export const countsOf = (counts: readonly string[], unselected: number): string =>
  `${counts.join(', ') || 'none tested'}${unselected === 0 ? '' : ` (${unselected} not selected)`}`;

/** The result of a run in one sentence. */
export const headlineText = (headline: Headline): string => {
  switch (headline.result) {
    case 'unjudgeable':
      return 'Not judged';
    case 'interrupted':
      return `Interrupted: ${headline.hasResults ? 'no failures in the part that ran' : 'nothing was tested'}`;
    case 'nothing-tested':
      return `Not judged: ${nothingTested(headline)}`;
    case 'errors':
      return `Run failed: ${suiteErrors(headline.errors)}`;
    case 'known-failures-pass':
      return knownFailuresPass(headline);
    case 'no-failures':
      return noFailures(headline);
    case 'failed':
      return `Failed: ${ofAll(headline.failed)}`;
    case 'strict':
      return `Failed: ${counted(headline.warnings, 'warning')}, and --strict treats warnings as failures`;
  }
};
