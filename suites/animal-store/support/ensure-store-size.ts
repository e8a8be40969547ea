import type { CaseContext } from '../../../src/check/check.ts';
import type { Fixtures } from '../../../src/check/run-context.ts';
import type { LossCode } from '../../../src/oracle/reason.ts';
import { memoized } from '../../../src/util/memoize.ts';
import { createOrdinary, ordinaryPet } from './animals.ts';
import { nullIfEnded } from './ended.ts';

/** Fills the store for one case at a time. */
const fillQueue = memoized((_run: Fixtures): { last: Promise<void>; cannotFill: boolean } => ({
  last: Promise.resolve(),
  cannotFill: false,
}));

const known = ({ listedAtStart, created }: Fixtures): number => listedAtStart.length + created().length;

/** Creates animals. Returns false if the server does not create them. Ends the case if a creation does. */
const fill = async (context: CaseContext, most: number): Promise<boolean> => {
  const { fixtures } = context;
  while (known(fixtures) <= most && fixtures.creationsLeft() > 0) {
    const before = known(fixtures);
    const wanted = Math.min(fixtures.concurrency, most + 1 - before, fixtures.creationsLeft());
    const statuses = Array.from(
      { length: wanted },
      (_, index) => fixtures.statuses[(before + index) % fixtures.statuses.length],
    );
    const made = statuses.map((status) =>
      createOrdinary(context, ordinaryPet(context, status === undefined ? {} : { status })),
    );
    await Promise.all(made);
    if (known(fixtures) === before) return false;
  }
  return true;
};

/** The setting that limits how many animals the run may create. */
const whyFewCreations = ({ readOnly, isBudgeted }: Fixtures): LossCode =>
  readOnly ? 'read-only' : isBudgeted ? 'budget' : 'max-creates';

/**
 * Creates animals until the store has more than `most`, if the run may create that many: with fewer, a limit shows nothing. Sends nothing
 * if other checks have created enough.
 *
 * @param needed more animals than this are enough for the case, too
 */
export const ensureMoreThan = (context: CaseContext, most: number, needed = most): Promise<void> => {
  const { fixtures } = context;
  const turn = fillQueue(fixtures);
  const work = turn.last.then(async () => {
    if (turn.cannotFill) return;
    if (most + 1 - known(fixtures) > fixtures.creationsLeft()) {
      if (known(fixtures) <= needed) context.lose(whyFewCreations(fixtures));
      return;
    }
    turn.cannotFill = (await nullIfEnded(fill(context, most))) !== true;
  });
  // An error of the suite belongs to this case: the next ones start again.
  turn.last = work.catch(() => undefined);
  return work;
};
