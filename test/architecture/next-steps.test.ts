import { expect, test } from 'vitest';
import { nextSteps } from '../../scripts/new.ts';

test('what npm run new has written is filled in', () => {
  expect(nextSteps()).toEqual([]);
});
