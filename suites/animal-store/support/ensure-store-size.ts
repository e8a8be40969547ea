import { nullIfEnded } from '../../../src/check/case-skipped.ts';
import type { CheckContext, Cost, LossCode, RunContext } from '../../../src/check/index.ts';
import { createOrdinary, ordinaryPet } from './animals.ts';
import { withStatus } from './new-pet.ts';

/** Fills the store for one case at a time. */
const fillQueue = ({ state }: Pick<RunContext, 'state'>) =>
  state('fill-queue', () => ({ last: Promise.resolve(), cannotFill: false }));

/** Creates animals. Returns false if the server does not create them. Ends the case if a creation does. */
const fill = async (context: CheckContext, most: number): Promise<boolean> => {
  const { run } = context;
  while (run.storeSize() <= most && run.remainingCreations() > 0) {
    const before = run.storeSize();
    const wanted = Math.min(run.concurrency, most + 1 - before, run.remainingCreations());
    const statuses = Array.from(
      { length: wanted },
      (_, index) => run.statuses[(before + index) % run.statuses.length],
    );
    const made = statuses.map((status) => createOrdinary(context, ordinaryPet(context, withStatus(status))));
    await Promise.all(made);
    if (run.storeSize() === before) return false;
  }
  return true;
};

/** The cost of cases that need more animals than the largest page has. */
export const onFullPages =
  (requests: number) =>
  ({ page }: RunContext): Cost => ({ requests, storeAbove: page.maximum });

/** The setting that limits how many animals the run may create. */
const whyFewCreations = ({ readOnly, isBudgeted }: RunContext): LossCode =>
  readOnly ? 'read-only' : isBudgeted ? 'budget' : 'max-creates';

/**
 * Creates animals until the store has more than `most`, if the run may create that many: with fewer, a limit shows nothing. Sends nothing
 * if other checks have created enough.
 *
 * @param needed more animals than this are enough for the case, too
 */
export const ensureMoreThan = (context: CheckContext, most: number, needed = most): Promise<void> => {
  const { run } = context;
  const turn = fillQueue(run);
  const work = turn.last.then(async () => {
    if (turn.cannotFill) return;
    if (most + 1 - run.storeSize() > run.remainingCreations()) {
      if (run.storeSize() <= needed) context.lose(whyFewCreations(run));
      return;
    }
    turn.cannotFill = (await nullIfEnded(fill(context, most))) !== true;
  });
  // An error of the suite belongs to this case: the next ones start again.
  turn.last = work.catch(() => undefined);
  return work;
};
