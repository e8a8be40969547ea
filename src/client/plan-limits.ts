import type { Plan } from '../settings/settings.ts';
import type { PlanLimit } from './client-types.ts';

/** "Request rate by plan" of the interface document. */
export const planLimits: Readonly<Record<Plan, PlanLimit>> = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: { perMinute: null, perDay: null },
};

/** The plan whose figure a server shows; null: none has it. `daily`: the window shown is longer than a minute. */
export const planShowing = (limit: number, daily: boolean): Plan | null => {
  const figure = daily ? 'perDay' : 'perMinute';
  const names: readonly Plan[] = ['free', 'pro', 'business'];
  return names.find((name) => planLimits[name][figure] === limit) ?? null;
};
