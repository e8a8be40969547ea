import type { Verdict } from '../../run/outcome.ts';

/** How a requirement stands in a report. A failure that is known does not fail the run, so it is told apart. */
export type ShownVerdict = Verdict | 'known';

interface Shown {
  /** As a word in running text. */
  readonly word: string;
  /** As a sign in a terminal or a table. */
  readonly sign: string;
  readonly meaning: string;
}

/** Every standing, the most pressing first. */
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
  CLIENT: 'Integrations',
  DOMAIN: 'Custom domains',
};

/** A group's title; that of a prefix of the user's own says so. */
export const titleOfGroup = (id: string): string => groupTitles[id] ?? 'Own checks';
