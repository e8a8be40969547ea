import { memoised } from '../../src/memo/memo.ts';
import type { CaseContext } from '../../src/run/check.ts';
import type { Fixtures } from '../../src/run/fixtures.ts';
import type { LossCode } from '../../src/run/lost.ts';
import { createOrdinary, ordinaryPet } from './animals.ts';
import { nullIfEnded } from './ended.ts';

/** What fills the store: one at a time, whichever cases wait for it. */
const fillQueue = memoised((_run: Fixtures): { last: Promise<void>; cannotFill: boolean } => ({
  last: Promise.resolve(),
  cannotFill: false,
}));

const known = ({ listedAtStart, created }: Fixtures): number => listedAtStart.length + created().length;

/** Tells whether the target creates what is asked for; it ends the case if a creation does. */
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

/** What limits how many animals the run may create. */
const whyFewCreations = ({ readOnly, isBudgeted }: Fixtures): LossCode =>
  readOnly ? 'read-only' : isBudgeted ? 'budget' : 'max-creates';

/**
 * Sees to it that the store holds more than so many animals, where there is leave to create as many as are missing: on fewer a limit
 * proves nothing. Where other checks have created enough, it sends nothing.
 *
 * @param needed a store of more animals than this decides the case as well
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
  // An error of the suite belongs to this case: the next ones start anew.
  turn.last = work.catch(() => undefined);
  return work;
};
