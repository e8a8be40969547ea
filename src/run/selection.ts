import { selected } from '../config/selection.ts';
import type { RunSettings } from '../config/settings.ts';
import type { Requirement } from '../openapi/requirement.ts';
import type { Reason, ReasonCode } from '../oracle/reason.ts';
import type { Target } from './run-deps.ts';

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
  if (named.length === 0) return { code: 'unknown-plan', detail: 'plan' };
  return named.every((plan) => plan === 'enterprise') ? { code: 'individual-plan' } : null;
};

/** Why a requirement was not tested that nobody chose. */
export const unchosenCodes: readonly (ReasonCode | null)[] = ['not-selected', 'animal-store-only'];

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
      if (!chosen.has(requirement))
        return { code: settings.spec === null ? 'not-selected' : 'animal-store-only' };
      if (needsKey.includes(requirement) && !hasKey) return { code: 'needs-rate-limit-key', detail: 'key' };
      if (needsRefusal.includes(requirement) && !hasKey)
        return { code: 'needs-rate-limit-key', detail: '429' };
      if (requirement === 'RATE-11' && !settings.exhaustDaily) return { code: 'needs-exhaust-daily' };
      if (requirement === 'RATE-3') return whyNoFigure(target);
      if (requirement === 'VER-1' && settings.allowAnyPath) return { code: 'path-waived' };
      return null;
    },
  };
};
