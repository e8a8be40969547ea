/** Runs the thorough self-test on fresh seeds and prints them. The first argument is the number of seeds (default 20). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../src/openapi/package-root.ts';
import { drawSeed } from '../src/util/random.ts';

const bin = join(packageRoot(), 'bin/animal-store-conformance.js');
const count = Number(process.argv[2] ?? 20);
if (!Number.isInteger(count) || count < 1) {
  console.error('error: the number of seeds is a whole number from 1');
  process.exit(2);
}

const failed: number[] = [];
for (let round = 1; round <= count; round += 1) {
  const seed = drawSeed(Math.random);
  console.log(`\n${round} of ${count}: seed ${seed}`);
  const argv = [
    bin,
    'selftest',
    '--thorough',
    '--no-budgets',
    '--seed',
    String(seed),
    '--report-dir',
    join('reports', `selftest-${seed}`),
  ];
  const [code] = await once(spawn(process.execPath, argv, { stdio: 'inherit' }), 'exit');
  if (code !== 0) failed.push(seed);
}
console.log(`\n${count - failed.length} of ${count} seeds passed`);
if (failed.length > 0) {
  console.log(`failed: ${failed.map((seed) => `--seed=${seed}`).join(' ')}`);
  process.exitCode = 1;
}
