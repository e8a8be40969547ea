// Writes the files of docs/tutorial.md, makes the changes, and compares the output that the page shows with that of the run.
import { expect, test } from 'vitest';
import { playStep, tutorialSteps } from '../support/tutorial.ts';

const failedIn = (shown: string): number => Number(/^Failed: (\d+)/.exec(shown)?.[1] ?? 0);

test('the tutorial -> its first and its last step show the output of the run, and each step has fewer failures', async () => {
  const steps = tutorialSteps();
  expect(steps.map(({ shown }) => failedIn(shown))).toEqual([12, 11, 8, 5, 4, 3, 2, 0, 0]);
  await Promise.all([...steps.slice(0, 1), ...steps.slice(-1)].map(playStep));
});
