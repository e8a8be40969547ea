import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/openapi/package-root.ts';

/** The highest median ratio of the wall time of `npm run conformance` to that of `run`. Both write their reports. */
const maxRatio = 1.5;
const pairs = Number(process.argv[2] ?? 7);

const root = packageRoot();
const reportDir = mkdtempSync(join(tmpdir(), 'bench-'));
const commands = {
  run: ['bin/animal-store-conformance.js', 'run', '--reference', '--seed', '1', '--report-dir', reportDir],
  vitest: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'conformance'],
};

const secondsOf = async (args: readonly string[]): Promise<number> => {
  const env = { ...process.env, ANIMAL_STORE_SEED: '1', CI: '' };
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return (performance.now() - startedAt) / 1_000;
};

const ratios: number[] = [];
for (let pair = 1; pair <= pairs; pair += 1) {
  const run = await secondsOf(commands.run);
  const vitest = await secondsOf(commands.vitest);
  ratios.push(vitest / run);
  console.log(
    `  pair ${pair}: run ${run.toFixed(2)} s, conformance ${vitest.toFixed(2)} s, ratio ${(vitest / run).toFixed(2)}`,
  );
}
rmSync(reportDir, { recursive: true, force: true });
const median = ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? Number.NaN;
console.log(`median ratio ${median.toFixed(2)}, expected at most ${maxRatio.toFixed(2)}`);
process.exitCode = median <= maxRatio ? 0 : 1;
