import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type Ended, run } from '../support/command.ts';
import { dayOneKey, startDayOne } from '../support/day-one.ts';

let ended: Ended;

beforeAll(async () => {
  ended = await run([
    '--base-url',
    await startDayOne(),
    '--api-key',
    dayOneKey,
    '--seed',
    '1',
    '--concurrency',
    '1',
  ]);
});
const summary = () => ended.out.slice(ended.out.indexOf('\nFailed: ') + 1).split('\n');

const firstFixes = [
  'RATE-1 Responses lack X-RateLimit',
  'ERR-1 Error bodies need',
  'CREATE-10 The server used the id',
];

test('terminal: at most 60 lines, with the 4 first lines of a run; the fix with the largest effect comes first', () => {
  expect(ended.code).toBe(1);
  expect(Number(/Failed: (\d+) of/.exec(ended.out)?.[1])).toBeGreaterThanOrEqual(16);
  expect(summary().length).toBeLessThanOrEqual(56);
  const fixes = ended.out.match(/^ {2}\d\. .*/gm) ?? [];
  expect(fixes.length).toBeGreaterThanOrEqual(firstFixes.length);
  for (const fix of firstFixes) expect(fixes.join('\n')).toContain(fix);
});

test('terminal: each failed requirement has a line, and the first three have curl and replay', () => {
  const failed = ended.report?.requirements.filter(({ verdict }) => verdict === 'failed') ?? [];
  const lines = summary().filter((line) => /^ {2}(✕|\d\.) /.test(line));
  for (const { id } of failed)
    expect(
      lines.some((line) => line.includes(` ${id} `)),
      id,
    ).toBe(true);
  expect(ended.out.match(/^ {2}replay /gm)).toHaveLength(3);
});

test('page: says how many bugs are likely, and which to fix first', () => {
  const markup = readFileSync(join(ended.reportDir, 'index.html'), 'utf8');
  const page = markup.replaceAll(/<span class="nb">(.*?)<\/span>/g, '$1');
  expect(page).toMatch(
    /<h1>\d+ of \d+ requirements failed<\/h1><p>.* Probably \d+ bugs: begin with the first/,
  );
  for (const fix of firstFixes) expect(page).toContain(`<h3>${fix}`);
});
