import { memoizedByValue } from '../../src/util/memoize.ts';
import { drawServer } from './draw.ts';
import type { OutcomeWith } from './outcomes.ts';
import { type Repair, repair } from './repair.ts';

/** With more failed requirements, too little can be tested beside a fault. */
const mostFailed = 15;

/** Draws the server of a seed, and repairs it. Each fault alone is tested once. */
export const measure = (outcomeWith: OutcomeWith): ((seed: number) => Promise<Repair>) => {
  const alone = memoizedByValue((fault: string) => outcomeWith([fault], 1));
  const isFit = async (fault: string): Promise<boolean> => {
    const { ended, requirements } = await alone(fault);
    return ended === null && requirements.filter(({ verdict }) => verdict === 'failed').length <= mostFailed;
  };
  return async (seed) => repair(await drawServer(seed, isFit), { outcomeWith, alone });
};
