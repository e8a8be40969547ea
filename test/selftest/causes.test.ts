import { expect, test } from 'vitest';
import { figuresOf, roundsOf } from '../../bench/causes/figures.ts';
import { measure } from '../../bench/causes/measure.ts';
import { outcomesIn } from '../../bench/causes/outcomes.ts';
import type { Repair } from '../../bench/causes/repair.ts';

/** A small sample of `npm run causes`, whose goals are for 200 servers. */
const servers = 4;

test('root causes of drawn servers -> most promises are kept, and no bug is named that is not there', async () => {
  const repairOf = measure(outcomesIn(null));
  const repairs: Repair[] = [];
  for (let seed = 1; seed <= servers; seed += 1) repairs.push(await repairOf(seed));
  const { promised, kept, gone, wrongBugs, unknown } = figuresOf(repairs);

  expect(promised).toBeGreaterThan(servers);
  expect(kept / promised).toBeGreaterThan(0.85);
  expect(kept / gone).toBeGreaterThan(0.7);
  expect({ wrongBugs, unknown }).toEqual({ wrongBugs: 0, unknown: 0 });
  for (const repair of repairs) expect(roundsOf(repair)).toBeLessThanOrEqual(repair.server.faults.length + 1);
});
