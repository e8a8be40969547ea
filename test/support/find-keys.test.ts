import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { brokenOutcome, failure, outcomeOf } from '../../src/report/testing.ts';
import { writeReports } from '../../src/report/write.ts';
import { findKeys, findKeysIn } from './find-keys.ts';
import { temporaryFolder } from './folder.ts';

const key = 'canary-5f3e9ad1c7';
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

test.each([
  ['in plain sight', `x ${key} y`],
  ['as JSON escapes', `"${[...key].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"`],
  ['as HTML entities', [...key].map((c) => `&#${c.charCodeAt(0)};`).join('')],
  ['percent-encoded', [...key].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
  ['in base64', `Basic ${base64(key)}`],
  ['in base64 after a user name', `Basic ${base64(`u:${key}`)}`],
  ['in base64 that begins in mid-word', `token_a${base64(`u:${key}`)}`],
  ['in the URL form of base64', base64(`???>>>${key}`).replaceAll('+', '-').replaceAll('/', '_')],
  ['zipped in base64', base64(gzipSync(`x ${key}`))],
  [
    'in base64, zipped, in base64',
    `<script>${base64(gzipSync(`data="${base64(`{"a":"${key}"}`)}"`))}</script>`,
  ],
])('key %s -> found', (_, content) => {
  expect(findKeysIn(Buffer.from(content), [key]).map((found) => found.key)).toContain(key);
});

test('zipped file -> unzipped', () => {
  expect(findKeysIn(gzipSync(key), [key])).toEqual([{ key, under: 'gzip' }]);
});

test('beginning of a key, as in reports -> not found', () => {
  expect(
    findKeysIn(Buffer.from(`Bearer ${key.slice(0, 4)}… ${base64('nothing to see here')}`), [key]),
  ).toEqual([]);
});

const dir = temporaryFolder();

test('key in an outcome -> found in every report that shows it', async () => {
  const leaking = failure({ message: `Refused ${key}.`, exchange: 1, curl: `curl ${key}`, response: null });
  const results = { 'GEN-1': { verdict: 'failed', failures: [leaking] } } as const;
  await writeReports(outcomeOf({ results }), { dir, env: {} });
  const found = await findKeys(dir, [key]);
  const files = new Set(found.map(({ file }) => file));
  for (const name of ['conformance.json', 'index.html', 'junit.xml', 'summary.md'])
    expect(files).toContain(name);
  await writeReports(brokenOutcome(), { dir, env: {} });
  expect(await findKeys(dir, [key])).toEqual([]);
});
