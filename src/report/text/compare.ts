import { duration } from './units.ts';

/** Kinds of changes with their headings, in the order of the text. */
export const changeTitles = {
  'not-judged': 'Not judged',
  target: 'Different settings',
  'newly-failing': 'Newly failing',
  'newly-passing': 'Newly passing',
  verdict: 'Other verdicts that changed',
  observation: 'Observations that changed',
  latency: 'Latency',
} as const;

/** One difference between two reports. */
export const changeText = {
  oldNotJudged: 'The old report is not judged: every failure of the new one counts as newly failing.',
  newNotJudged:
    'The new report is not judged: it shows no failure, so the exit code of this comparison is 0.',
  value: (what: string, old: string, now: string) => `${what}: ${old}, now ${now}`,
  verdict: (id: string, now: string, old: string | null, why: string) =>
    `${id} ${now} (${old === null ? 'not there before' : `was ${old}`})${why === '' ? '' : `: ${why}`}`,
  removed: (id: string) => `${id} is no longer in the report`,
  latency: (operation: string, now: number, old: number) =>
    `${operation}: 90 % within ${duration(now)}, was ${duration(old)}`,
} as const;

export const compareWords = {
  target: 'target',
  plan: 'plan',
  interface: 'interface version',
  suite: 'suite version',
  unknown: 'not known',
  unobserved: 'not observed',
  more: (left: number) => `${left} more (--verbose)`,
  nothing: 'Nothing changed.',
  noVerdict: 'No verdict changed.',
} as const;
