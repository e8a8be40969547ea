// test/docs/ has the first step of docs/tutorial.md, and the last.
import { test } from 'vitest';
import { playStep, tutorialSteps } from '../support/tutorial.ts';

test('the steps of the tutorial between its first and its last -> each shows the output of the run', async () => {
  await Promise.all(tutorialSteps().slice(1, -1).map(playStep));
});
