import { expect, test } from 'vitest';
import { compareWithRecorded, howToRecord, recorded } from '../golden/compare.ts';
import { kindsOfRow, servers, withRequests } from '../golden/golden.ts';

test('recorded servers: only those of the sample', () => {
  const names = kindsOfRow.flatMap((kind) => [...recorded[kind].keys()]);
  expect(
    names.filter((name) => !servers.has(name)),
    howToRecord,
  ).toEqual([]);
});

compareWithRecorded([...servers].filter(([name]) => !withRequests.has(name)));
