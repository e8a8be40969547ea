import type { Requirement } from '../document/requirement.ts';
import type { Reason, ReasonCode } from '../oracle/reason.ts';
import { selected } from '../settings/selection.ts';
import type { RunSettings } from '../settings/settings.ts';
import type { Target } from './target.ts';

/** Which requirements a run judges, and why not the others. */
export interface Selection {
  isChosen(requirement: string): boolean;
  /** Why a requirement is not tried; null: it is. */
  skipped(requirement: string): Reason | null;
}

const needsKey: readonly string[] = ['RATE-5', 'RATE-6', 'RATE-8', 'RATE-9', 'RATE-13'];

/** Judged on any 429 as well, though none is asked for without that key. */
const needsRefusal: readonly string[] = ['RATE-7', 'RATE-10', 'RATE-14'];

/** Why there is no figure that the limits can be held against. */
const whyNoFigure = ({ plans }: Target): Reason | null => {
  const named = Object.values(plans).filter((plan) => plan !== null);
  if (named.length === 0) return { code: 'unknown-plan', text: 'Unknown plan: set --plan' };
  return named.every((plan) => plan === 'enterprise')
    ? { code: 'individual-plan', text: 'Enterprise limits are individual: any value is accepted' }
    : null;
};

const notSelected: Reason = { code: 'not-selected', text: 'Not selected (--only, --skip)' };
const ofTheStoreOnly: Reason = { code: 'animal-store-only', text: 'Tested on the animal store only' };
const needsRateLimitKey: Reason = { code: 'needs-rate-limit-key', text: 'Needs --rate-limit-key' };
const needsRefusedRequest: Reason = {
  code: 'needs-rate-limit-key',
  text: 'Needs a 429 response (--rate-limit-key)',
};
const needsExhaustDaily: Reason = {
  code: 'needs-exhaust-daily',
  text: 'Needs --exhaust-daily (uses up the daily limit)',
};
const pathWaived: Reason = { code: 'path-waived', text: 'Waived by --allow-any-path' };

/** Why a requirement was not tested that nobody chose. */
export const unchosenCodes: readonly (ReasonCode | null)[] = [notSelected.code, ofTheStoreOnly.code];

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
      if (needsKey.includes(requirement) && !hasKey) return needsRateLimitKey;
      if (needsRefusal.includes(requirement) && !hasKey) return needsRefusedRequest;
      if (requirement === 'RATE-11' && !settings.exhaustDaily) return needsExhaustDaily;
      if (requirement === 'RATE-3') return whyNoFigure(target);
      if (requirement === 'VER-1' && settings.allowAnyPath) return pathWaived;
      return null;
    },
  };
};
