import { beforeAll, expect, test } from 'vitest';
import type { ServerSetup } from '../../src/selftest/server.ts';
import { goldenLines, kindsOfRow, readGolden, runGolden, usualRows } from './golden.ts';

export const recorded = { verdicts: readGolden('verdicts'), requests: readGolden('requests') };
export const howToRecord =
  'If the difference is intended, run `npm run golden`, and say why in the commit message.';

/** Adds a test for each server: a run against it finds and sends what is recorded. */
export const compareWithRecorded = (chosen: readonly (readonly [string, ServerSetup])[]): void => {
  let usual: ReadonlySet<string>;
  beforeAll(async () => {
    usual = await usualRows();
  });

  test.each(chosen)('%s -> the recorded verdicts and requests', async (name, setup) => {
    const recording = await runGolden(name, setup, usual);
    for (const kind of kindsOfRow)
      expect(goldenLines(name, recording[kind]), howToRecord).toEqual(recorded[kind].get(name) ?? []);
  });
};
