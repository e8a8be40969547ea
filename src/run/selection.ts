import type { Requirement } from '../document/requirement.ts';
import { selected } from '../settings/selection.ts';
import type { RunSettings } from '../settings/settings.ts';
import type { Target } from './target.ts';

/** Which requirements a run judges, and why not the others. */
export interface Selection {
  isChosen(requirement: string): boolean;
  /** Why a requirement is not tried; null: it is. */
  skipped(requirement: string): string | null;
}

const needsKey: readonly string[] = ['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'];

/** Judged on any 429 as well, though none is asked for without that key. */
const needsRefusal: readonly string[] = ['RATE-7', 'RATE-10', 'RATE-14'];

/** Why there is no figure that the limits can be held against. */
const whyNoFigure = ({ plans }: Target): string | null => {
  const named = Object.values(plans).filter((plan) => plan !== null);
  if (named.length === 0) return 'the plan of the key is not known (--plan)';
  return named.every((plan) => plan === 'enterprise')
    ? 'the limits of an Enterprise plan are agreed individually: any will do'
    : null;
};

const notSelected = 'not selected (--only, --skip)';
const ofTheStoreOnly = 'judged on the animal store only';

/** Why a requirement was not tried that nobody chose. */
export const whyUnchosen: readonly string[] = [notSelected, ofTheStoreOnly];

/** The selection that the settings make, given what the target has keys for. */
export const createSelection = (
  settings: RunSettings,
  catalogue: readonly Requirement[],
  target: Target,
): Selection => {
  const chosen = new Set(selected(catalogue, settings).map(({ id }) => id));
  const hasKey = target.keys['rate-limit'] !== null;
  return {
    isChosen: (requirement) => chosen.has(requirement),
    skipped: (requirement) => {
      if (!chosen.has(requirement)) {
        return settings.spec === null ? notSelected : ofTheStoreOnly;
      }
      if (needsKey.includes(requirement) && !hasKey)
        return 'it needs a key that may be exhausted (--rate-limit-key)';
      if (needsRefusal.includes(requirement) && !hasKey)
        return 'it needs a 429, and so a key that may be exhausted (--rate-limit-key)';
      if (requirement === 'RATE-11' && !settings.exhaustDaily)
        return "it needs leave to use up a day's limit (--exhaust-daily)";
      if (requirement === 'RATE-3') return whyNoFigure(target);
      if (requirement === 'VER-1' && settings.allowAnyPath) return 'waived (--allow-any-path)';
      return null;
    },
  };
};
