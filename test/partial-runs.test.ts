import { describe, expect, test } from 'vitest';
import { costOf } from '../src/check/check.ts';
import { type Tier, tierOf } from '../src/check/tiers.ts';
import type { RunSettings } from '../src/config/settings.ts';
import { faults } from '../src/reference/faults/index.ts';
import { checks } from '../suites/animal-store/index.ts';
import { runContextOf } from './support/build.ts';
import { faultNamed } from './support/faults.ts';
import { outcomeWith, verdictOf } from './support/run-in-words.ts';

/** RATE-1 to RATE-3 are tested on whatever is sent. */
const sample = faults
  .filter(({ needs, requirement }) => needs === undefined && !/^RATE-[123]$/.test(requirement))
  .filter((_, index) => index % 16 === 0);

test.each([
  ['--max-creates 20', { maxCreates: 20 }],
  ['--read-only', { readOnly: true }],
  ['--budget 100', { budget: 100 }],
] as const)('%s: a requirement that a full run fails -> never passed', async (_, limit) => {
  expect(sample.length).toBeGreaterThan(30);
  const passed = sample.map(async ({ name, requirement }) => {
    const outcome = await outcomeWith([name], { runs: 5, ...limit }, { isReported: false });
    return verdictOf(outcome, requirement)?.verdict === 'passed' ? [name] : [];
  });
  expect((await Promise.all(passed)).flat()).toEqual([]);
});

describe('one requirement alone', () => {
  /** They show only where there are more animals than in a store of a few. */
  const inLongLists = [
    'no-default-limit',
    'default-limit-lost-with-status',
    'limit-of-one-hundred-one-too-many',
    'limit-without-maximum',
    'pages-cut-at-fifty',
    'batches-overlap-by-one',
  ];

  test.each(inLongLists.map(faultNamed))('$name is found by $requirement', async ({ name, requirement }) => {
    const { requirements } = await outcomeWith([name], { only: [requirement] });
    expect(requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([
      requirement,
    ]);
  });

  /** How many animals are created to judge LIST-2 on a store of twelve, and what comes of it. */
  const createdFor = async (settings: Partial<RunSettings>) => {
    const outcome = await outcomeWith(['no-default-limit'], { only: ['LIST-2'], ...settings });
    return [outcome.traffic.created, verdictOf(outcome, 'LIST-2')?.verdict];
  };

  test('what --max-creates does not suffice for is not begun, and what it suffices for is judged', async () => {
    expect(await createdFor({ maxCreates: 8 })).toEqual([0, 'inconclusive']);
    // With nine more the store has more than a page, but not of each status.
    expect(await createdFor({ maxCreates: 30 })).toEqual([9, 'failed']);
  });

  test('of a budget no more than a tenth goes into filling the store', async () => {
    expect(await createdFor({ budget: 80 })).toEqual([0, 'inconclusive']);
    expect(await createdFor({ budget: 90 })).toEqual([9, 'failed']);
  });

  test('a key that is accepted in a wrong place is reported with its place', async () => {
    const outcome = await outcomeWith(['key-in-x-api-key-for-orders'], { only: ['AUTH-3'], runs: 0 });
    expect(verdictOf(outcome, 'AUTH-3')?.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^GET \/store\/orders with the valid key in the header X-API-Key: expected 401 .*, got 200$/,
      ),
    ]);
  });
});

describe('a run of few requests', () => {
  const runContext = runContextOf({ initialList: [{ id: 1n }] });

  /** The tiers of the systematic cases that are sent, in order. */
  const tiersSent = async (budget: number): Promise<readonly Tier[]> => {
    const examples = new Map(
      await Promise.all(checks.map(async (check) => [check.id, await check.inputs(runContext)] as const)),
    );
    const tiers: Tier[] = [];
    await outcomeWith(
      [],
      { budget },
      {
        onAttempt: (check, index) => {
          const example = examples.get(check.id)?.[index];
          // A case that sends nothing may be left to the end.
          if (example !== undefined && costOf(check, runContext).requests > 0) tiers.push(tierOf(example));
        },
      },
    );
    return tiers;
  };
  const smokeCases = (tiers: readonly Tier[]) => tiers.filter((tier) => tier === 'smoke').length;

  test('of 300 sends every smoke case first, then core cases', async () => {
    const tiers = await tiersSent(300);
    expect(smokeCases(tiers)).toBeGreaterThan(40);
    expect(tiers.slice(0, smokeCases(tiers))).not.toContain('core');
    expect(tiers.indexOf('core')).toBeLessThan(tiers.indexOf('full'));
  });

  test('of 60 sends every smoke case', async () => {
    expect(smokeCases(await tiersSent(60))).toBe(smokeCases(await tiersSent(300)));
  });
});
