import { memoised } from '../../src/memo/memo.ts';
import { mostLagMs } from '../../src/oracle/rules/own-animals.ts';
import type { CaseContext } from '../../src/run/check.ts';
import type { Fixtures } from '../../src/run/fixtures.ts';

/** How often in a row what was created could not be seen, in lists and by its id. */
const failedLookups = memoised((_run: Fixtures) => ({ list: 0, id: 0 }));

/** After so many it is no replica that lags: each of them is a breach already, and waiting on would cost minutes. */
const maxFailedLookups = 3;

/** A replica may lag: what is missing is looked for again, until a look that began 2 s after it was made. */
export const eventually = async <Found>(
  context: Pick<CaseContext, 'clock' | 'fixtures'>,
  where: 'list' | 'id',
  since: number,
  look: () => Promise<Found | null>,
): Promise<Found | null> => {
  const vain = failedLookups(context.fixtures);
  const found = await retryUntil(context, since, look, vain[where] < maxFailedLookups);
  vain[where] = found === null ? vain[where] + 1 : 0;
  return found;
};

/** Looks until it is seen, or once. */
export const retryUntil = async <Found>(
  { clock }: Pick<CaseContext, 'clock'>,
  since: number,
  look: () => Promise<Found | null>,
  again = true,
): Promise<Found | null> => {
  for (const wait of again ? [0, 150, 350, 700, 800, 100] : [0]) {
    if (wait > 0) await clock.sleep(wait);
    // Where answers are slow, one that comes late may tell of what was long before.
    const began = clock.now();
    const found = await look();
    if (found !== null) return found;
    if (began - since > mostLagMs) return null;
  }
  return null;
};
