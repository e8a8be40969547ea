import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Check } from '../../src/check/index.ts';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { parseSource } from '../../src/openapi/read-source.ts';
import type { Requirement } from '../../src/openapi/requirement.ts';
import type { Dialect, Fault, Patch } from '../../src/reference/patch.ts';
import { serve, setupFor } from '../../src/selftest/server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { resultOf, runInWords } from '../support/run-in-words.ts';

const folder = temporaryFolder();

const text = readFileSync(join(packageRoot(), 'CONTRIBUTING.md'), 'utf8');

/** The blocks of the example: a row, a check, faults, a dialect. */
const blocks = [...text.matchAll(/```(?:yaml|ts)\n([\s\S]*?)```/g)].map(([, block = '']) => block);

const imports = `
import { defineCheck, fc, listPets, smoke } from '${packageRoot()}/src/check/index.ts';
import { idOf, listedPets } from '${packageRoot()}/src/check/pets.ts';
import { independent } from '${packageRoot()}/src/reference/dialects/choices.ts';
import { family } from '${packageRoot()}/src/reference/faults/family.ts';
import { replace } from '${packageRoot()}/src/reference/patch-kit/core.ts';
`;

const [row = '', ...code] = blocks;
const requirements = parseSource(row, 'CONTRIBUTING.md') as unknown as readonly Requirement[];
writeFileSync(
  join(folder, 'example.ts'),
  `${imports}${code.join('\n')}\nexport const example = { check: highestIdFirst, faults, dialects };\n`,
);
const { example }: { example: { check: Check; faults: readonly Fault[]; dialects: readonly Dialect[] } } =
  await import(join(folder, 'example.ts'));

const verdictWith = async (patches: readonly Patch[]) => {
  const setup = { ...setupFor({ kind: 'fault', names: [] }), patches };
  const { outcome } = await runInWords(
    { only: ['LIST-11'] },
    { ...serve(setup, 1), extra: { requirements, checks: [example.check] } },
  );
  return resultOf(outcome, 'LIST-11')?.verdict;
};

test('the example of CONTRIBUTING: its check passes on the reference server and on its dialect', async () => {
  expect(await verdictWith([])).toBe('passed');
  for (const { patch } of example.dialects) expect(await verdictWith([patch])).toBe('passed');
});

test('the example of CONTRIBUTING: its check fails on each of its faults', async () => {
  expect(example.faults).toHaveLength(2);
  for (const { name, patch } of example.faults) expect(await verdictWith([patch]), name).toBe('failed');
});
