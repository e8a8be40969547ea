import { missedOperations, type OperationCount, type Traffic } from '../../run/outcome.ts';
import { count, counted, duration } from './units.ts';

/** Headings and lines of the summary in a terminal, and of the one for a pull request. */
export const summaryWords = {
  animalStore: 'Animal store',
  reference: 'the built-in reference server',
  plan: (plan: string) => `plan ${plan}`,
  seed: (seed: number | null) => `seed ${seed}`,
  requested: (operations: OperationCount): string =>
    `${operations.requested} of ${count(operations.all)} requested${missedOperations(operations) > 0 ? '; --skip-operation leaves out operations by choice' : ''}`,
  fixFirst: 'Fix first',
  notTested: 'Not tested',
  endedEarly: 'Ended early',
  failed: 'Failed requirements',
  otherFailed: 'Other failed requirements',
  failedWithReplay: 'Failed requirements, with the command that repeats the failure',
  suiteErrors: 'Errors in the suite',
  suiteErrorsOnly: 'Errors in the suite, not failures of the server',
  known: 'Known failures',
  knownPassing: 'Known failures that pass now',
  warnings: 'Warnings',
  inconclusive: 'Inconclusive',
  observations: 'Observations',
  unspecified: '(not specified by the document)',
  noReason: 'no reason recorded',
  lostCases: (causes: readonly string[]) => `cases not run: ${causes.join(', ')}`,
  /** In front of a failure that root causes clear. */
  fixes: (numbers: readonly number[], isPart: boolean) =>
    `(${numbers.length === 1 ? 'fix' : 'fixes'} ${numbers.join(', ')}${isPart ? ' in part' : ''})`,
  knownAs: (reason: string) => `known: ${reason}`,
  moreInPage: (left: number) => `${left} more in index.html`,
  replayInPage: 'replay: see index.html',
  moreFailures: (left: number) =>
    `${counted(left, 'more failure')}, and texts cut with …: --verbose, or index.html in the reports`,
  traffic: ({ requests, rateLimited }: Traffic, ms: number, created: string, seed: number) =>
    `${counted(requests, 'request')} in ${duration(ms)}, ${count(rateLimited)} got 429, ${created}, seed ${seed}`,
  report: (path: string, use: string) => `${path} (for ${use})`,
  otherReport: (path: string, use: string) => `${path} (${use})`,
} as const;

/** The first words of the last lines. */
export const totalsWords = {
  operations: 'Operations',
  requirements: 'Requirements',
  traffic: 'Traffic',
  reports: 'Reports',
} as const;

/** Between ids and settings: `RATE-5 to RATE-9 (need --rate-limit-key)`. */
export const neededBy = { one: 'needs', several: 'need', limited: 'limited by' } as const;
