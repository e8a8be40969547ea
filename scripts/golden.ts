/**
 * Records runs against a sample of the servers of the self-test in `test/golden/`. With a folder as argument it writes the whole
 * outcomes there instead, to compare them before and after a change: `diff -r BEFORE AFTER`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  goldenFiles,
  goldenLines,
  kindsOfRow,
  runGolden,
  servers,
  usualRows,
} from '../test/golden/golden.ts';

const folder = process.argv[2];
const usual = await usualRows();
const lines = { verdicts: [] as string[], requests: [] as string[] };
if (folder !== undefined) mkdirSync(folder, { recursive: true });
for (const [name, setup] of servers) {
  const recording = await runGolden(name, setup, usual);
  for (const kind of kindsOfRow) lines[kind].push(...goldenLines(name, recording[kind]));
  if (folder === undefined) continue;
  const withoutTimes = (key: string, value: unknown) => (key === 'durationMs' ? undefined : value);
  writeFileSync(
    join(folder, `${name.replaceAll(' ', '-')}.json`),
    JSON.stringify(recording.outcome, withoutTimes, 2),
  );
}
if (folder === undefined)
  for (const kind of kindsOfRow) writeFileSync(goldenFiles[kind], `${lines[kind].join('\n')}\n`);
console.log(
  folder === undefined
    ? `${servers.size} servers recorded in ${Object.values(goldenFiles).join(' and ')}`
    : `${servers.size} outcomes written to ${folder}`,
);
