import { groupOf } from '../../openapi/requirement.ts';
import type { Verdict } from '../../run/outcome.ts';

/** The verdict of a requirement in a report. A known failure does not fail the run, so it has a verdict of its own. */
export type ShownVerdict = Verdict | 'known';

interface Shown {
  /** As a word in running text. */
  readonly word: string;
  /** As a sign in a terminal or a table. */
  readonly sign: string;
  readonly meaning: string;
}

/** Every verdict, the most important first. */
export const shownVerdicts: Readonly<Record<ShownVerdict, Shown>> = {
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
  inconclusive: { word: 'inconclusive', sign: '?', meaning: 'Tested, but no clear result.' },
  skipped: { word: 'skipped', sign: '–', meaning: 'Not tested.' },
  observed: {
    word: 'observed',
    sign: '◎',
    meaning: 'Not specified by the document; what the server does is recorded.',
  },
  passed: { word: 'passed', sign: '✓', meaning: 'Everything that was tested meets the requirement.' },
};

/** The word after a number: `2 failed`, `2 known failures`. */
export const wordFor = (verdict: ShownVerdict, number: number): string =>
  `${shownVerdicts[verdict].word}${number !== 1 && (verdict === 'known' || verdict === 'error') ? 's' : ''}`;

/** What to do about a known failure that passes; `reason` is the one in its list. */
export const passesNow = (reason: string | null = null): string =>
  `passes now: remove it from the known failures${reason === null ? '' : ` (${reason})`}`;

export const verdictNames = Object.keys(shownVerdicts).filter(
  (name): name is ShownVerdict => name in shownVerdicts,
);

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
  REQ: 'Requests',
  RES: 'Resources',
  CLIENT: 'Integrations',
  DOMAIN: 'Custom domains',
};

/** Whether the suite defines a requirement, and not its user. */
export const isOfSuite = (id: string): boolean => groupOf(id) in groupTitles;

/** The title of a group. All groups of own checks have the same. */
export const titleOfGroup = (id: string): string => groupTitles[id] ?? 'Own checks';
