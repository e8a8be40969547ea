/**
 * Tests every fault on a server with one to four drawn dialects, and prints the faults that survive. A survivor is a question, not a
 * failure: a dialect may replace or permit what the fault breaks. The first argument is the seed (default: a fresh one).
 */
import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import { combination } from '../src/reference/dialects/combinations.ts';
import { faults } from '../src/reference/faults/index.ts';
import { isKilled, judge } from '../src/selftest/judge.ts';
import type { Task } from '../src/selftest/tasks.ts';
import { testServers } from '../src/selftest/workers.ts';
import { systemClock } from '../src/time/clock.ts';
import { hashOf } from '../src/util/hash.ts';
import { drawSeed } from '../src/util/random.ts';

const seed = Number(process.argv[2] ?? drawSeed(Math.random));
if (!Number.isInteger(seed)) {
  console.error('error: the seed is an integer');
  process.exit(2);
}

/** After the removal of getPet, or without a category that the lists show, few faults have an effect. */
const bases = combination()
  .map((base) =>
    base.slice(0, 4).filter(({ choice, name }) => choice !== 'removal' && !/only-category/.test(name)),
  )
  .filter((base) => base.length > 0);
const drawn = fc.sample(bases, { seed, numRuns: faults.length });
const tasks = faults.map(({ name }, index): Task => {
  const base = (drawn[index] ?? []).map((dialect) => dialect.name);
  const common = { kind: 'fault', only: [], budget: null, thorough: true } as const;
  return { ...common, names: [name], base, seed: hashOf(name, seed) | 0 };
});

const servers = await testServers(tasks, {
  jobs: availableParallelism(),
  signal: new AbortController().signal,
  clock: systemClock,
  onTested: () => {},
});
const judged = servers.map(judge);
for (const [index, server] of judged.entries()) {
  if (server.kind !== 'fault' || isKilled(server)) continue;
  console.log(`${server.name} on ${tasks[index]?.base?.join(' + ')}`);
  const { requirement, finding, broken } = server;
  console.log(`  ${requirement} ${finding?.verdict}. ${broken ?? finding?.reason ?? ''}`);
}
console.log(`\n${judged.filter(isKilled).length} of ${judged.length} faults killed, seed ${seed}`);
