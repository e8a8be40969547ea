import { settingsFor } from '../oracle/reason.ts';
import {
  isInterrupted,
  isJudged,
  isUnjudgeable,
  passesAgain,
  type RequirementResult,
  type Verdict,
} from '../run/outcome.ts';
import { unchosenCodes } from '../run/selection.ts';
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
  known: { word: 'known failure', sign: '✕', meaning: 'Fails, as listed among the known failures.' },
  warned: {
    word: 'warned',
    sign: '!',
    meaning: 'Breaks a standard that the interface stands on; not a failure.',
  },
  inconclusive: {
    word: 'inconclusive',
    sign: '?',
    meaning: 'Neither met nor broken: the server, or a setting, gave no chance to decide.',
  },
  skipped: { word: 'skipped', sign: '–', meaning: 'Not tried.' },
  observed: {
    word: 'observed',
    sign: '◎',
    meaning: 'The document leaves it open; what the server does is recorded.',
  },
  passed: { word: 'passed', sign: '✓', meaning: 'Everything that was tried met the requirement.' },
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

export interface Group {
  /** The part of its requirements' ids before the number. */
  readonly id: string;
  readonly title: string;
  readonly results: readonly RequirementResult[];
}

const groupOf = (id: string): string => id.replace(/-[^-]*$/, '');

/** Requirements by group, both in the order in which they come. */
export const groups = (results: readonly RequirementResult[]): readonly Group[] =>
  [...Map.groupBy(results, (result) => groupOf(result.id))].map(([id, members]) => ({
    id,
    title: groupTitles[id] ?? id,
    results: members,
  }));

interface Judged {
  readonly verdict: 'conformant' | 'nonconformant' | 'not-judged';
  readonly requirements: readonly RequirementResult[];
  /** Why the run ended before everything was judged; null: it did not. */
  readonly ended: string | null;
}

/** `1 requirement fails`, `2 requirements fail`. */
const does = (number: number, noun: string, verb: string): string =>
  number === 1 ? `1 ${noun} ${verb}s` : `${number} ${noun}s ${verb}`;

/** A conforming server, and yet a run that is no success: the list of known failures, or the suite itself, is at fault. */
const isMarred = ({ verdict, requirements }: Judged): boolean =>
  verdict === 'conformant' &&
  (requirements.some(passesAgain) || withStanding(requirements, 'error').length > 0);

/** Whoever reads the first line alone is not to take for conforming what was hardly judged. */
const isWhole = ({ requirements, ended }: Judged): boolean =>
  ended === null &&
  withStanding(requirements, 'inconclusive').length <= withStanding(requirements, 'passed').length;

/** Nothing speaks against the server, and that says little. */
export const isHardlyJudged = (run: Judged): boolean => run.verdict === 'conformant' && !isWhole(run);

/** Nothing speaks against the server, and yet the run is no success, or judged little. */
export const isDoubtful = (run: Judged): boolean => isMarred(run) || isHardlyJudged(run);

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

/** How far a verdict reaches that nothing speaks against. */
const reach = (run: Judged): string => {
  if (!isWhole(run)) return ' as far as it was judged';
  return leftOut(run).length === 0 ? '' : ' in what was tried';
};

/** What a run is not judged for. */
type Unjudged = 'the target' | 'interrupted' | 'nothing chosen';

/** Why a run is not judged. Parts of a run, put together, may have judged something, and yet not been able to judge the target. */
const whyNotJudged = (run: Judged): Unjudged => {
  if (isInterrupted(run)) return 'interrupted';
  return isUnjudgeable(run) || run.requirements.some(isJudged) ? 'the target' : 'nothing chosen';
};

/** Not judged, and not for the target's sake: nothing speaks against it. */
const isUndecided = (run: Judged): boolean =>
  run.verdict === 'not-judged' && whyNotJudged(run) !== 'the target';

/** Nothing speaks against the server, so what was not tried is of weight. */
export const isUncontradicted = (run: Judged): boolean => run.verdict === 'conformant' || isUndecided(run);

/** Why nothing came of all that was chosen. */
const whyNothing = ({ requirements }: Judged): string => {
  const errors = withStanding(requirements, 'error').length;
  if (errors > 0) return `the suite itself failed on ${counted(errors, 'requirement')}`;
  const chosen = requirements.filter(({ reasonCode }) => !unchosenCodes.includes(reasonCode));
  const [reason = '', ...others] = new Set(chosen.map((result) => result.reason ?? ''));
  return reason === '' || others.length > 0 ? 'no chosen requirement could be decided' : reason;
};

const cutShort = (run: Judged, server: string): string =>
  run.requirements.some(isJudged)
    ? `Interrupted: nothing speaks against ${server} as far as it was judged`
    : 'Interrupted: nothing was judged';

/** The result of a run that is not judged in one plain sentence, in which `server` stands for the target. */
const notJudgedLine = (
  run: Judged,
  { server, unjudgeable }: { readonly server: string; readonly unjudgeable: string },
): string => {
  switch (whyNotJudged(run)) {
    case 'the target':
      return unjudgeable;
    case 'interrupted':
      return cutShort(run, server);
    case 'nothing chosen':
      return `Nothing was judged: ${whyNothing(run)}`;
  }
};

const conformantLine = (run: Judged): string => {
  const { requirements } = run;
  const errors = withStanding(requirements, 'error').length;
  const again = requirements.filter(passesAgain).length;
  const known = withStanding(requirements, 'known').length;
  if (errors > 0)
    return `Conformant as far as it was judged: the suite itself failed on ${counted(errors, 'requirement')}`;
  if (again > 0)
    return `Conformant, yet the run fails: ${again === 1 ? '1 known failure passes' : `${again} known failures pass`} again`;
  const judged = `Conformant${reach(run)}`;
  return known > 0 ? `${judged} but for ${counted(known, 'known failure')}` : judged;
};

/** The run's result in one plain sentence. */
export const headline = (run: Judged): string => {
  const { verdict, requirements } = run;
  if (verdict === 'not-judged')
    return notJudgedLine(run, { server: 'the server', unjudgeable: 'Not judged' });
  if (verdict === 'conformant') return conformantLine(run);
  const failed = withStanding(requirements, 'failed').length;
  if (failed > 0) return `Not conformant: ${does(failed, 'requirement', 'fail')}`;
  const warned = withStanding(requirements, 'warned').filter(({ known }) => known === null).length;
  return `Not conformant: no requirement fails, but ${does(warned, 'requirement', 'warn')}, and this run is strict`;
};
