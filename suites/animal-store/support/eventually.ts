import type { ApiResponse, CheckContext, RunContext, TypedBreach } from '../../../src/check/index.ts';
import { replicaLagMs } from '../../../src/check/pets.ts';

/** How often something has failed after a wait. */
const failures = ({ state }: Pick<RunContext, 'state'>) =>
  state('failures-after-waits', () => new Map<string, number>());

export const addFailure = ({ run }: Pick<CheckContext, 'run'>, what: string): void =>
  void failures(run).set(what, (failures(run).get(what) ?? 0) + 1);

/** Tells whether to wait for what a replica may lack. Once that was missing for long enough, waiting shows nothing new. */
export const mayWait = ({ run }: Pick<CheckContext, 'run'>, what: string): boolean =>
  // If statuses return, a failure must repeat: three cases, each with its retries.
  (failures(run).get(what) ?? 0) < (run.statusesReturn() ? 9 : 1);

/** A replica may not have had the animal yet when the request started. */
export const isTooEarly = ({ exchange }: Pick<ApiResponse, 'exchange'>, since: number): boolean =>
  exchange.startedAt - since < replicaLagMs;

/** Tells whether a replica may lack an animal, and nothing waits for it. Then the case is inconclusive. */
export const isUndecided = (
  context: CheckContext,
  requirement: string,
  since: number,
  response: ApiResponse,
): boolean => {
  const undecided = isTooEarly(response, since) && !mayWait(context, requirement);
  if (undecided) context.inconclusive({ code: 'may-lag' }, requirement);
  return undecided;
};

/** Records that an animal is missing: a failure only if no replica may lack it any more when the request starts. */
export const missingBreach = (
  context: CheckContext,
  since: number,
  breach: TypedBreach & { readonly requirement: string; readonly response: Pick<ApiResponse, 'exchange'> },
): void => {
  const { requirement, response } = breach;
  if (isTooEarly(response, since)) return void context.inconclusive({ code: 'may-lag' }, requirement);
  addFailure(context, requirement);
  context.breach(breach);
};

/** Looks again for a missing animal while a replica may lag, until a lookup that began 2 s after the creation, if that may show something. */
export const eventually = async <Found>(
  context: Pick<CheckContext, 'now' | 'sleep' | 'run'>,
  requirement: string,
  since: number,
  look: () => Promise<Found | null>,
): Promise<Found | null> => (mayWait(context, requirement) ? retryUntil(context, since, look) : null);

/**
 * Waits until no replica may lack these animals any more.
 *
 * @param startedAt the start of the request whose response lacks an animal: a slow response may show an old state
 * @returns whether lag may be the reason
 */
export const untilKnown = async (
  { now, sleep }: Pick<CheckContext, 'now' | 'sleep'>,
  animals: readonly { readonly at: number }[],
  startedAt = now(),
): Promise<boolean> => {
  const lagEndsAt = Math.max(...animals.map(({ at }) => at)) + replicaLagMs;
  if (startedAt > lagEndsAt) return false;
  const left = lagEndsAt - now();
  if (left >= 0) await sleep(left + 1);
  return true;
};

/** Looks until something is found. */
export const retryUntil = async <Found>(
  { now, sleep }: Pick<CheckContext, 'now' | 'sleep'>,
  since: number,
  look: () => Promise<Found | null>,
): Promise<Found | null> => {
  for (const wait of [0, 150, 350, 700, 800, 100]) {
    if (wait > 0) await sleep(wait);
    // A slow response may show an old state, so the start of the request counts.
    const startedAt = now();
    const found = await look();
    if (found !== null) return found;
    if (startedAt - since > replicaLagMs) return null;
  }
  return null;
};
