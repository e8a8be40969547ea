/**
 * Measures how long runs take on servers with a fault, in virtual time. Each request takes 4 ms, as on a server nearby. The first
 * argument N picks every Nth fault.
 */
import { resolveSettings } from '../src/config/resolve.ts';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { faults } from '../src/reference/faults/index.ts';
import { runConformance } from '../src/run/run.ts';
import { type ServerSetup, serve, setupFor } from '../src/selftest/server.ts';
import { suite } from '../suites/index.ts';

const seed = 1;
/** The highest ratio of the median red run to the green run. */
const maxRatio = 2;
const every = Number(process.argv[2] ?? 1);

const requirements = loadCatalogue().filter(({ subject }) => subject === 'server');
const resolved = resolveSettings({ flags: { seed: String(seed) }, env: {}, file: [], requirements });
if (!resolved.ok) throw new Error(resolved.problems.join('; '));
const { settings } = resolved;

const msOf = async (setup: ServerSetup): Promise<number> => {
  const { target, clock } = serve(setup, seed);
  const from = clock.now();
  const signal = new AbortController().signal;
  const run = {
    clock,
    signal,
    suite,
    target,
    watch: () => undefined,
    random: () => 0.5,
    isReported: false,
  } as const;
  await runConformance(settings, run);
  return clock.now() - from;
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const green = await msOf(setupFor({ kind: 'dialect', names: [] }));
const measured: { readonly name: string; readonly ms: number }[] = [];
const testable = faults.filter(({ needs, requirement }) => needs === undefined && requirement !== 'VER-1');
for (const { name } of testable.filter((_, index) => index % every === 0))
  measured.push({ name, ms: await msOf(setupFor({ kind: 'fault', names: [name] })) });
measured.sort((a, b) => b.ms - a.ms);
const median = measured[measured.length >> 1]?.ms ?? Number.NaN;
const slow = measured.filter(({ ms }) => ms > maxRatio * green);
console.log(`${measured.length} faults: green ${seconds(green)}, median ${seconds(median)}`);
console.log(`${slow.length} take more than ${maxRatio} times as long as green; the slowest:`);
for (const { name, ms } of measured.slice(0, 5)) console.log(`  ${seconds(ms)}  ${name}`);
process.exitCode = median <= maxRatio * green ? 0 : 1;
