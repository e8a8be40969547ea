import { expect, test } from 'vitest';
import { compose } from '../../src/reference/patch-kit/core.ts';
import { faultNamed } from '../support/faults.ts';
import { judgeOn } from '../support/paced-run.ts';

/** With the last ones, a requirement fails before another one on which it depends. */
test.each([
  [['limit-one-too-many', 'empty-list-as-null']],
  [['get-wraps-the-animal-in-an-array', 'pet-id-read-by-parse-int', 'unknown-id-fails']],
  [['created-with-200', 'name-optional', 'wrong-types-are-422']],
  [['list-wrapped-in-data', 'limit-ignored', 'unknown-status-fails']],
])(
  '%s -> at the end, the requirements that were reported while the run worked have failed, and no others',
  async (names) => {
    const patch = compose(...names.map((name) => faultNamed(name).patch));
    const { outcome, events } = await judgeOn({ keys: ['business'], patch, plansKnown: true });
    const failing = new Set<string>();
    for (const { event } of events) {
      if (event.kind === 'failed') failing.add(event.requirement);
      if (event.kind === 'blocked') failing.delete(event.requirement);
    }
    const failed = outcome.requirements.filter(({ verdict }) => ['failed', 'warned'].includes(verdict));
    expect([...failing].toSorted()).toEqual(failed.map(({ id }) => id).toSorted());
  },
);
