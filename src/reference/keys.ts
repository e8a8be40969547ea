import { type Plan, plans } from '../openapi/plans.ts';

/** At most `limit` requests in `seconds` seconds. */
export interface Window {
  readonly limit: number;
  readonly seconds: number;
}

/** A valid API key and what it may do. */
export interface KeyGrant {
  readonly key: string;
  readonly plan: Plan;
  /** Replaces both windows of the plan. */
  readonly window?: Window;
}

export const minute = 60;
export const day = 86_400;

const perMinuteAndDay = (minuteLimit: number, dayLimit: number): readonly Window[] => [
  { limit: minuteLimit, seconds: minute },
  { limit: dayLimit, seconds: day },
];

/** Section "Limits" of the document. Enterprise limits are individual: these are our choice. */
export const planWindows: Readonly<Record<Plan, readonly Window[]>> = {
  free: perMinuteAndDay(60, 1_000),
  pro: perMinuteAndDay(300, 10_000),
  business: perMinuteAndDay(1_000, 100_000),
  enterprise: perMinuteAndDay(5_000, 1_000_000),
};

/**
 * One key for each plan. The key does not contain the name of the plan, because reports show plans but no part of a key.
 *
 * @param secret returns the random part of a key; called once for each plan
 */
export const oneKeyPerPlan = (secret: () => string): readonly KeyGrant[] =>
  plans.map((plan) => ({ key: `key-${secret()}`, plan }));
