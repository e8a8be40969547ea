export const plans = ['free', 'pro', 'business', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** A number of requests that a plan allows in a minute and in a day; null: not limited, or not known. */
export interface PlanLimit {
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

/** "Request rate by plan" of the interface document, without the individual limits. */
export const planFigures = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
} as const satisfies Partial<Record<Plan, PlanLimit>>;

/** The limits of every plan. */
export const planLimits: Readonly<Record<Plan, PlanLimit>> = {
  ...planFigures,
  enterprise: { perMinute: null, perDay: null },
};

/** The plan whose figure a server shows; null: none has it. `daily`: the window shown is longer than a minute. */
export const planShowing = (limit: number, daily: boolean): Plan | null => {
  const figure = daily ? 'perDay' : 'perMinute';
  return plans.find((name) => planLimits[name][figure] === limit) ?? null;
};

const minuteFigures: readonly number[] = Object.values(planFigures).map(({ perMinute }) => perMinute);

/**
 * Seconds in which a bucket refills its whole limit, at least: it is full by its Reset. A window may be as short as a
 * second, but not for the limit of a plan's minute ("Request rate by plan"). `untilReset`: seconds to the Reset; null: not known.
 */
export const refillSeconds = (limit: number, untilReset: number | null): number =>
  Math.max(untilReset ?? 0, minuteFigures.includes(limit) ? 60 : 1);
