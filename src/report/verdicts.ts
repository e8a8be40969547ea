import { groupOf } from '../openapi/requirement.ts';
import { type ReasonCode, settingsFor } from '../oracle/reason.ts';
import {
  isInterrupted,
  isJudged,
  isUnjudgeable,
  passesAgain,
  type RequirementResult,
  type Verdict,
} from '../run/outcome.ts';
import { counted } from './units.ts';

export { passesAgain };

/** How a requirement stands in a report. A failure that is known does not fail the run, so it is told apart. */
export type Standing = Verdict | 'known';

interface Shown {
  /** As a word in running text. */
  readonly word: string;
  /** As a sign in a terminal or a table. */
  readonly sign: string;
  readonly meaning: string;
}

/** Every standing, the most pressing first. */
export const standings: Readonly<Record<Standing, Shown>> = {
  failed: { word: 'failed', sign: '✕', meaning: 'The server breaks a rule of the interface document.' },
  error: {
    word: 'error',
    sign: '⚡',
    meaning: 'The suite itself failed; this says nothing about the server.',
  },
  known: { word: 'known failure', sign: '✕', meaning: 'Fails, and is listed as a known failure.' },
  warned: {
    word: 'warned',
    sign: '!',
    meaning: 'A SHOULD is not met; not a failure.',
  },
  inconclusive: {
    word: 'inconclusive',
    sign: '?',
    meaning: 'Tested, but no clear result.',
  },
  skipped: { word: 'skipped', sign: '–', meaning: 'Not tested.' },
  observed: {
    word: 'observed',
    sign: '◎',
    meaning: 'Not specified by the document; what the server does is recorded.',
  },
  passed: { word: 'passed', sign: '✓', meaning: 'Everything that was tested meets the requirement.' },
};

export const standingNames = Object.keys(standings).filter((name): name is Standing => name in standings);

export const standingOf = (result: RequirementResult): Standing =>
  result.verdict === 'failed' && result.known !== null ? 'known' : result.verdict;

/** How many requirements stand how, without those of no requirement. */
export const countStandings = (results: readonly RequirementResult[]): ReadonlyMap<Standing, number> => {
  const counts = new Map<Standing, number>();
  for (const name of standingNames) {
    const count = results.filter((result) => standingOf(result) === name).length;
    if (count > 0) counts.set(name, count);
  }
  return counts;
};

export const withStanding = (
  results: readonly RequirementResult[],
  ...wanted: readonly Standing[]
): readonly RequirementResult[] => results.filter((result) => wanted.includes(standingOf(result)));

/** Why a requirement that was not selected was not tested. */
const unchosenCodes: readonly (ReasonCode | null)[] = ['not-selected', 'animal-store-only'];

/** The requirements that the run was asked to test. */
export const selected = (results: readonly RequirementResult[]): readonly RequirementResult[] =>
  results.filter(({ verdict, reasonCode }) => verdict !== 'skipped' || !unchosenCodes.includes(reasonCode));

const groupTitles: Readonly<Record<string, string>> = {
  GEN: 'Every response',
  ERR: 'Error bodies',
  AUTH: 'Authentication',
  LIST: 'List animals',
  CREATE: 'Add an animal',
  GET: 'Get an animal',
  ORDERS: 'Store orders',
  RATE: 'Rate limits',
  VER: 'Version',
  CLIENT: 'Integrations',
  DOMAIN: 'Custom domains',
};

/** A group's title; that of a prefix of the user's own says so. */
export const titleOfGroup = (id: string): string => groupTitles[id] ?? 'Own checks';

export interface Group {
  /** The part of its requirements' ids before the number. */
  readonly id: string;
  readonly title: string;
  readonly results: readonly RequirementResult[];
}

/** Requirements by group, both in the order in which they come. */
export const groups = (results: readonly RequirementResult[]): readonly Group[] =>
  [...Map.groupBy(results, (result) => groupOf(result.id))].map(([id, members]) => ({
    id,
    title: titleOfGroup(id),
    results: members,
  }));

interface Judged {
  readonly verdict: 'conformant' | 'nonconformant' | 'not-judged';
  readonly requirements: readonly RequirementResult[];
  /** Why the run ended before everything was judged; null: it did not. */
  readonly ended: string | null;
  readonly endedCode?: ReasonCode;
}

/** A conforming server, and yet a run that is no success: the list of known failures, or the suite itself, is at fault. */
const passedWithCaveat = ({ verdict, requirements }: Judged): boolean =>
  verdict === 'conformant' &&
  (requirements.some(passesAgain) || withStanding(requirements, 'error').length > 0);

/** Whoever reads the first line alone is not to take for conforming what was hardly judged. */
const isWhole = ({ requirements, ended }: Judged): boolean =>
  ended === null &&
  withStanding(requirements, 'inconclusive').length <= withStanding(requirements, 'passed').length;

/** Nothing speaks against the server, and that says little. */
export const hasLowCoverage = (run: Judged): boolean => run.verdict === 'conformant' && !isWhole(run);

/** Nothing speaks against the server, and yet the run is no success, or judged little. */
export const needsCaution = (run: Judged): boolean => passedWithCaveat(run) || hasLowCoverage(run);

type Open = Pick<Judged, 'requirements' | 'ended'>;

const demanded = (results: readonly RequirementResult[]) => results.filter(({ level }) => level === 'MUST');

/** What the document demands and the run did not come to before it ended. */
export const cutOff = ({ requirements, ended }: Open): readonly RequirementResult[] =>
  ended === null
    ? []
    : demanded(withStanding(requirements, 'skipped')).filter(
        ({ reasonCode }) => reasonCode === 'interrupted' || reasonCode === 'run-ended',
      );

/** What the document demands and the settings left out. What is not due, such as a removal that is still ahead, names no setting. */
export const leftOut = ({ requirements }: Open): readonly RequirementResult[] =>
  demanded(withStanding(requirements, 'skipped', 'inconclusive')).filter(
    ({ reasonCode }) => settingsFor(reasonCode).length > 0,
  );

/** What the document demands and this run gave no result for. What applies only later does not count. */
const withoutResult = (run: Open): ReadonlySet<RequirementResult> =>
  new Set([...leftOut(run), ...cutOff(run), ...demanded(withStanding(run.requirements, 'inconclusive'))]);

/** Beside every verdict without failures: ` (7 of 55 requirements not tested)`; empty: all were tested. */
const scopeText = (run: Open): string => {
  const missing = withoutResult(run).size;
  return missing === 0
    ? ''
    : ` (${missing} of ${counted(selected(run.requirements).length, 'requirement')} not tested)`;
};

/** What a run is not judged for. */
type NotJudgedReason = 'the target' | 'interrupted' | 'nothing chosen';

/** Why a run is not judged. Parts of a run, put together, may have judged something, and yet not been able to judge the target. */
const whyNotJudged = (run: Judged): NotJudgedReason => {
  if (isInterrupted(run)) return 'interrupted';
  return isUnjudgeable(run) || run.requirements.some(isJudged) ? 'the target' : 'nothing chosen';
};

/** Not judged, and not for the target's sake: nothing speaks against it. */
const isUndecided = (run: Judged): boolean =>
  run.verdict === 'not-judged' && whyNotJudged(run) !== 'the target';

/** Nothing speaks against the server, so what was not tried is of weight. */
export const hasNoFailure = (run: Judged): boolean => run.verdict === 'conformant' || isUndecided(run);

/** Why nothing came of all that was chosen. */
const whyNothing = ({ requirements }: Judged): string => {
  const errors = withStanding(requirements, 'error').length;
  if (errors > 0) return `errors in the suite itself on ${counted(errors, 'requirement')}`;
  const chosen = requirements.filter(({ reasonCode }) => !unchosenCodes.includes(reasonCode));
  const [reason = '', ...others] = new Set(chosen.map((result) => result.reason ?? ''));
  return reason === '' || others.length > 0 ? 'none of the selected requirements could be tested' : reason;
};

const cutShort = (run: Judged): string =>
  run.requirements.some(isJudged)
    ? 'Interrupted: no failures in the part that ran'
    : 'Interrupted: nothing was tested';

/** The result of a run without a verdict in one sentence. */
const notJudgedLine = (run: Judged, { unjudgeable }: { readonly unjudgeable: string }): string => {
  switch (whyNotJudged(run)) {
    case 'the target':
      return unjudgeable;
    case 'interrupted':
      return cutShort(run);
    case 'nothing chosen':
      return `Not judged: ${whyNothing(run)}`;
  }
};

const conformantLine = (run: Judged): string => {
  const { requirements } = run;
  const errors = withStanding(requirements, 'error').length;
  const again = requirements.filter(passesAgain);
  const known = withStanding(requirements, 'known').length;
  if (errors > 0) return `Run failed: errors in the suite itself on ${counted(errors, 'requirement')}`;
  if (again.length > 0)
    return `Run failed: ${again.map(({ id }) => id).join(', ')} ${again.length === 1 ? 'is' : 'are'} listed as known to fail, but ${again.length === 1 ? 'passes' : 'pass'} now`;
  const judged = hasLowCoverage(run)
    ? 'No failures so far; too little was tested to call it conformant'
    : `No failures${known > 0 ? ` except ${counted(known, 'known failure')}` : ''}`;
  return `${judged}${scopeText(run)}`;
};

/** The run's result in one plain sentence. */
export const headline = (run: Judged): string => {
  const { verdict, requirements } = run;
  if (verdict === 'not-judged') return notJudgedLine(run, { unjudgeable: 'Not judged' });
  if (verdict === 'conformant') return conformantLine(run);
  const failed = withStanding(requirements, 'failed').length;
  if (failed > 0) return `Failed: ${failed} of ${counted(selected(requirements).length, 'requirement')}`;
  const warned = withStanding(requirements, 'warned').filter(({ known }) => known === null).length;
  return `Failed: ${counted(warned, 'warning')}, and --strict treats warnings as failures`;
};
