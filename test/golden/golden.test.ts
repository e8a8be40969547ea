import { beforeAll, expect, test } from 'vitest';
import { goldenLines, kindsOfRow, readGolden, runGolden, servers, usualRows } from './golden.ts';

const recorded = { verdicts: readGolden('verdicts'), requests: readGolden('requests') };
const howToRecord = 'If the difference is intended, run `npm run golden`, and say why in the commit message.';
let usual: ReadonlySet<string>;
beforeAll(async () => {
  usual = await usualRows();
});

test('recorded servers: only those of the sample', () => {
  const names = kindsOfRow.flatMap((kind) => [...recorded[kind].keys()]);
  expect(
    names.filter((name) => !servers.has(name)),
    howToRecord,
  ).toEqual([]);
});

test.each([...servers])('%s -> the recorded verdicts and requests', async (name, setup) => {
  const recording = await runGolden(name, setup, usual);
  for (const kind of kindsOfRow)
    expect(goldenLines(name, recording[kind]), howToRecord).toEqual(recorded[kind].get(name) ?? []);
});
