import { expect, test } from 'vitest';
import { domainDialects } from '../reference/domains/dialects.ts';
import { domainFaults } from '../reference/domains/faults.ts';
import { isGood, judge } from './judge.ts';
import { patchOf, testWorld } from './test-world.ts';
import { taskOf } from './testing.ts';

const testOf = async (kind: 'fault' | 'dialect', name: string) => {
  const task = taskOf(kind, name);
  const patch = patchOf(task);
  if (patch === null) throw new Error(`no world ${name}`);
  return judge(await testWorld(task, patch));
};

test.each(domainFaults)('domain with a fault: $name -> only $requirement fails', async ({ name }) => {
  const judged = await testOf('fault', name);
  expect(judged.unexpectedFailures).toEqual([]);
  expect(judged.result).toBe('killed');
});

test.each(domainDialects)('domain that is right: $name -> accepted', async ({ name }) => {
  const judged = await testOf('dialect', name);
  expect(judged.unexpectedFailures).toEqual([]);
  expect(isGood(judged)).toBe(true);
});
