import { expect, test } from 'vitest';
import { resolveSettings } from '../../src/config/resolve.ts';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { describeOutcome } from '../../src/report/text/failures.ts';
import type { ServerFailure } from '../../src/run/outcome.ts';
import { runConformance } from '../../src/run/run.ts';
import { serve, setupFor } from '../../src/selftest/server.ts';
import { suite } from '../../suites/index.ts';

const requirements = loadCatalogue().filter(({ subject }) => subject === 'server');

/** Runs the suite on a new server with a fault. */
const runOn = async (fault: string, flags: Readonly<Record<string, string | readonly string[]>>) => {
  const resolved = resolveSettings({ flags, env: {}, file: [], requirements });
  if (!resolved.ok) throw new Error(resolved.problems.join('; '));
  const { outcome, context } = await runConformance(resolved.settings, {
    ...serve(setupFor({ kind: 'fault', names: [fault] }), 1),
    ...{ signal: new AbortController().signal, suite },
    ...{ watch: () => undefined, random: () => 0.5 },
  });
  const described = describeOutcome(outcome, context);
  return described.requirements.flatMap(({ id, failures }) => failures.map((failure) => ({ id, failure })));
};

const valuesOf = (words: readonly string[], flag: string): readonly string[] =>
  words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []));

const repeat = (fault: string, { replay }: ServerFailure) => {
  const words = replay.split(' ');
  const [[seed = ''], [path]] = [valuesOf(words, '--seed'), valuesOf(words, '--path')];
  return runOn(fault, { seed, only: valuesOf(words, '--only'), ...(path === undefined ? {} : { path }) });
};

const keyOf = ({ id, failure }: Awaited<ReturnType<typeof runOn>>[number]): string =>
  [id, failure.rule, failure.variant, failure.operation].join(' | ');

/** Faults with several failures of one requirement, with failures of all responses, and with failures that other cases cause. */
test.each([
  'error-status-as-string',
  'last-chunk-left-on-the-connection',
  'creations-never-stored',
  'malformed-percent-crashes',
  'omitted-status-listed-as-null',
])('%s -> each replay command repeats its failure, and no other of another case', async (fault) => {
  const failures = await runOn(fault, { seed: '1' });
  expect(failures.length).toBeGreaterThan(1);
  for (const found of failures) {
    const again = await repeat(fault, found.failure);
    expect(again.map(keyOf)).toContain(keyOf(found));
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set([found.id]));
    if (found.failure.path !== null)
      expect(new Set(again.map(({ failure }) => failure.check))).toEqual(new Set([found.failure.check]));
  }
});

test('a list that shows an animal of another case -> the replay command repeats the failure on a new server', async () => {
  const fault = 'animals-without-status-listed-as-available';
  const [found, ...others] = await runOn(fault, { seed: '1' });
  expect(others).toEqual([]);
  if (found === undefined) throw new Error('no failure');
  expect((await repeat(fault, found.failure)).map(keyOf)).toEqual([keyOf(found)]);
});

test('two failures of one requirement -> two replay commands', async () => {
  const failures = await runOn('error-status-as-string', { seed: '1' });
  const commands = failures.map(({ failure }) => failure.replay);
  expect(new Set(commands).size).toBe(commands.length);
});
