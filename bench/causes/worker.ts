import { parentPort, workerData } from 'node:worker_threads';
import { memoizedByValue } from '../../src/util/memoize.ts';
import { drawServer } from './draw.ts';
import { outcomesIn } from './outcomes.ts';
import { repair } from './repair.ts';

const outcomeWith = outcomesIn(workerData.folder);
const alone = memoizedByValue((fault: string) => outcomeWith([fault], 1));

/** Alone, it leaves enough to test: the run is not ended, and most requirements do not fail. */
const isFit = async (fault: string): Promise<boolean> => {
  const { ended, requirements } = await alone(fault);
  return ended === null && requirements.filter(({ verdict }) => verdict === 'failed').length <= mostFailed;
};
const mostFailed = 15;

parentPort?.on('message', async (seed: number) => {
  const server = await drawServer(seed, isFit);
  parentPort?.postMessage(await repair(server, { outcomeWith, alone }));
});
