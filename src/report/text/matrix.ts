import { type ShownVerdict, shownVerdicts } from './shown-verdicts.ts';
import { counted } from './units.ts';

/** What a claim has in the place of texts. */
export const claimWords = { withheld: 'withheld' } as const;

const verdictWords = {
  conformant: 'conformant',
  nonconformant: 'nonconformant',
  'not-judged': 'not judged',
} as const;

/** The words of a matrix, its page, and its badges. */
export const matrixWords = {
  title: (conformant: number, all: number) => `${conformant} of ${counted(all, 'implementation')} conform`,
  product: 'Animal store conformance',
  lead: 'Each column is an implementation, each row a requirement of the interface document.',
  skip: 'Skip to the matrix',
  implementations: 'Implementations',
  matrix: 'Requirements',
  changes: 'What changed',
  noChanges: 'Nothing changed since the earlier matrix.',
  heads: { name: 'Implementation', verdict: 'Verdict', passed: 'Passed', failed: 'Fails', tested: 'Tested' },
  verdict: verdictWords,
  passed: (passed: number, selected: number) => `${passed} of ${selected}`,
  tested: (day: string, suite: string) => `${day}, suite ${suite}`,
  requirement: 'Requirement',
  absent: 'not in this report',
  change: (implementation: string, id: string, before: ShownVerdict | null, now: ShownVerdict) =>
    `${implementation}: ${id} ${shownVerdicts[now].word} (${before === null ? 'not there before' : `was ${shownVerdicts[before].word}`})`,
  footer: ({ name, version }: { readonly name: string; readonly version: string }) =>
    `Written by ${name} ${version}. The same results for programs: matrix.json.`,
  badgeLabel: 'animal store',
  badge: (verdict: keyof typeof verdictWords, failed: number) =>
    verdict === 'nonconformant' && failed > 0 ? `${failed} failed` : verdictWords[verdict],
  written: (count: number, path: string) => `${counted(count, 'implementation')} on one page: ${path}`,
} as const;

/** Why a matrix cannot be made. */
export const matrixProblems = {
  noName: (word: string) => `${word} is not NAME=REPORT: give each report the name of its implementation`,
  repeated: (name: string) =>
    `${name} is the name of two reports: give each implementation a name of its own`,
  notMatrix: (file: string) => `${file} is not a matrix.json of version 1.`,
  badge: (path: string, why: string) => `${path} was not written: ${why}`,
} as const;
