import type { CheckContext, RunContext } from '../../../src/check/index.ts';
import { replicaLagMs } from '../../../src/check/pets.ts';

type Place = 'list' | 'id';

/** How many waits in a row changed no response, in lists and by id. */
const uselessWaits = ({ state }: Pick<RunContext, 'state'>) =>
  state('useless-waits', () => ({ list: 0, id: 0 }));

/** After this many, lag is not the reason: the failure is found, and confirmed once. */
const maxUselessWaits = 2;

/** Tells whether a wait may still change a response. */
export const mayLag = (context: Pick<RunContext, 'state'>, place: Place): boolean =>
  uselessWaits(context)[place] < maxUselessWaits;

/** Records whether a response was another one after a wait. */
export const recordWait = (context: Pick<RunContext, 'state'>, place: Place, helped: boolean): void => {
  const waits = uselessWaits(context);
  waits[place] = helped ? 0 : waits[place] + 1;
};

/** Looks again for a missing animal while a replica may lag, until a lookup that began 2 s after the creation. */
export const eventually = async <Found>(
  context: Pick<CheckContext, 'now' | 'sleep' | 'state'>,
  place: Place,
  since: number,
  look: () => Promise<Found | null>,
): Promise<Found | null> => {
  const found = await retryUntil(context, since, look, mayLag(context, place));
  recordWait(context, place, found !== null);
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
export const forgetFailedLookup = ({ run }: Pick<CheckContext, 'run'>, place: Place): void => {
  const waits = uselessWaits(run);
  waits[place] = Math.max(0, waits[place] - 1);
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
