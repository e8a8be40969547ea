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
  /** Takes the place of both windows of the plan. */
  readonly window?: Window;
}

export const minute = 60;
export const day = 86_400;

const perMinuteAndDay = (minuteLimit: number, dayLimit: number): readonly Window[] => [
  { limit: minuteLimit, seconds: minute },
  { limit: dayLimit, seconds: day },
];

/** Section "Limits" of the document. Enterprise quotas are agreed one by one: these are ours. */
export const planWindows: Readonly<Record<Plan, readonly Window[]>> = {
  free: perMinuteAndDay(60, 1_000),
  pro: perMinuteAndDay(300, 10_000),
  business: perMinuteAndDay(1_000, 100_000),
  enterprise: perMinuteAndDay(5_000, 1_000_000),
};

/**
 * One key for each plan, which does not name it: a plan is told in reports, and no part of a key.
 *
 * @param secret makes the part of a key that cannot be guessed; called once for each plan
 */
export const oneKeyPerPlan = (secret: () => string): readonly KeyGrant[] =>
  plans.map((plan) => ({ key: `key-${secret()}`, plan }));
