import { expect, test } from 'vitest';
import { compose } from '../../src/reference/patch-kit/core.ts';
import { faultNamed } from '../support/faults.ts';
import { judgeOn } from '../support/paced-run.ts';

/** Servers that store what they should refuse, and servers whose failures are sent again often. */
const servers = [
  ['name-optional', 'category-optional', 'fraction-stored', 'null-category-is-zero'],
  ['limit-one-too-many', 'ids-as-strings', 'name-optional'],
  ['stored-before-validated', 'list-wrapped-in-data'],
  ['errors-without-code', 'wrong-types-are-422', 'status-filter-ignored'],
] as const;

test.each(servers.flatMap((names) => [200, 130, 60].map((most) => [names.join(', '), most, names] as const)))(
  '%s, --max-creates %i -> no case lacked creations, unless all were used',
  async (_, most, names) => {
    const patch = compose(...names.map((name) => faultNamed(name).patch));
    const { outcome } = await judgeOn({ keys: ['business'], patch, plansKnown: true }, { maxCreates: most });
    const lost = outcome.requirements.filter(({ evidence }) => evidence?.lost['max-creates'] !== undefined);
    expect(outcome.traffic.created).toBeLessThanOrEqual(most);
    if (outcome.traffic.created < most) expect(lost.map(({ id }) => id)).toEqual([]);
  },
);

test.each([200, 190])(
  'failures that are sent again, --max-creates %i -> GET-1 and GET-4 have one verdict in each run',
  async (maxCreates) => {
    const patch = compose(
      ...['names-cut-at-fifty', 'category-text-made-number'].map((name) => faultNamed(name).patch),
    );
    const verdicts = new Set<string>();
    for (const latencyMs of [1, 5, 20]) {
      const { outcome } = await judgeOn(
        { keys: ['business'], patch, plansKnown: true },
        { maxCreates },
        { latencyMs },
      );
      const shown = outcome.requirements.filter(({ id }) => ['GET-1', 'GET-4'].includes(id));
      verdicts.add(shown.map(({ verdict }) => verdict).join(' '));
    }
    expect([...verdicts]).toEqual(['passed passed']);
  },
);
