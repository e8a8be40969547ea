import type { CheckContext, RunContext } from '../../../src/check/index.ts';
import { replicaLagMs } from '../../../src/check/pets.ts';

/** How many lookups in a row did not find a created animal, in lists and by id. */
const failedLookups = ({ state }: Pick<RunContext, 'state'>) =>
  state('failed-lookups', () => ({ list: 0, id: 0 }));

/** After this many, lag is not the reason: each is a failure already, and more waiting would cost minutes. */
const maxFailedLookups = 3;

/** Looks again while a replica may lag, until a lookup that began 2 s after the creation. */
export const eventually = async <Found>(
  context: Pick<CheckContext, 'now' | 'sleep' | 'state'>,
  place: 'list' | 'id',
  since: number,
  look: () => Promise<Found | null>,
): Promise<Found | null> => {
  const failed = failedLookups(context);
  const found = await retryUntil(context, since, look, failed[place] < maxFailedLookups);
  failed[place] = found === null ? failed[place] + 1 : 0;
  return found;
};

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

/** The last failed lookup has another explanation than a missing animal. */
export const forgetFailedLookup = ({ run }: Pick<CheckContext, 'run'>, place: 'list' | 'id'): void => {
  const failed = failedLookups(run);
  failed[place] = Math.max(0, failed[place] - 1);
};

/** Looks until something is found, or only once. */
export const retryUntil = async <Found>(
  { now, sleep }: Pick<CheckContext, 'now' | 'sleep'>,
  since: number,
  look: () => Promise<Found | null>,
  again = true,
): Promise<Found | null> => {
  for (const wait of again ? [0, 150, 350, 700, 800, 100] : [0]) {
    if (wait > 0) await sleep(wait);
    // A slow response may show an old state, so the start of the request counts.
    const startedAt = now();
    const found = await look();
    if (found !== null) return found;
    if (startedAt - since > replicaLagMs) return null;
  }
  return null;
};
