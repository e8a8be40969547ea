import { describe, expect, test } from 'vitest';
import { costOf } from '../../src/check/check.ts';
import { type Tier, tierOf } from '../../src/check/tiers.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import { checks } from '../../suites/animal-store/index.ts';
import { runContextOf } from '../support/build.ts';
import { faultNamed } from '../support/faults.ts';
import { outcomeWith, resultOf } from '../support/run-in-words.ts';

describe('one requirement', () => {
  /** Faults that only appear in a store with many animals. */
  const inLongLists = [
    'no-default-limit',
    'default-limit-lost-with-status',
    'limit-of-one-hundred-one-too-many',
    'limit-without-maximum',
    'pages-cut-at-fifty',
    'batches-overlap-by-one',
  ];

  test.each(inLongLists.map(faultNamed))('$name -> $requirement fails', async ({ name, requirement }) => {
    const { requirements } = await outcomeWith([name], { only: [requirement] });
    expect(requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([
      requirement,
    ]);
  });

  /** The number of animals created to test LIST-2 on a store of 12, and the verdict. */
  const createdFor = async (settings: Partial<RunSettings>) => {
    const outcome = await outcomeWith(['no-default-limit'], { only: ['LIST-2'], ...settings });
    return [outcome.traffic.created, resultOf(outcome, 'LIST-2')?.verdict];
  };

  test('--max-creates too small -> not started; large enough -> tested', async () => {
    expect(await createdFor({ maxCreates: 8 })).toEqual([0, 'inconclusive']);
    // With 9 more, the store has more animals than a page, but not of each status.
    expect(await createdFor({ maxCreates: 30 })).toEqual([9, 'failed']);
  });

  test('--budget -> at most a tenth is used to fill the store', async () => {
    expect(await createdFor({ budget: 80 })).toEqual([0, 'inconclusive']);
    expect(await createdFor({ budget: 90 })).toEqual([9, 'failed']);
  });

  test('key accepted in a wrong place -> reported with its place', async () => {
    const outcome = await outcomeWith(['key-in-x-api-key-for-orders'], { only: ['AUTH-3'], runs: 0 });
    expect(resultOf(outcome, 'AUTH-3')?.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^GET \/store\/orders with the valid key in the header X-API-Key: expected 401 .*, got 200$/,
      ),
    ]);
  });
});

describe('--budget', () => {
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
          // A case that sends nothing may come last.
          if (example !== undefined && costOf(check, runContext).requests > 0) tiers.push(tierOf(example));
        },
      },
    );
    return tiers;
  };
  const smokeCases = (tiers: readonly Tier[]) => tiers.filter((tier) => tier === 'smoke').length;

  test('300 -> every smoke case first, then core cases', async () => {
    const tiers = await tiersSent(300);
    expect(smokeCases(tiers)).toBeGreaterThan(40);
    expect(tiers.slice(0, smokeCases(tiers))).not.toContain('core');
    expect(tiers.indexOf('core')).toBeLessThan(tiers.indexOf('full'));
  });

  test('60 -> every smoke case', async () => {
    expect(smokeCases(await tiersSent(60))).toBe(smokeCases(await tiersSent(300)));
  });
});
