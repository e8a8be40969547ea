import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { resolveSettings } from '../../src/config/resolve.ts';
import { loadCatalogue } from '../../src/openapi/catalogue.ts';
import { describeOutcome } from '../../src/report/text/failures.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { runConformance } from '../../src/run/run.ts';
import { serve, setupFor } from '../../src/selftest/server.ts';
import { hashOf } from '../../src/util/hash.ts';
import { suite } from '../../suites/index.ts';

const requirements = loadCatalogue().filter(({ subject }) => subject === 'server');

/** As in the self-test: fewer generated cases than usual. */
const settingsWith = (seed: number) => {
  const flags = { seed: String(seed), runs: '10' };
  const resolved = resolveSettings({ flags, env: {}, file: [], requirements });
  if (!resolved.ok) throw new Error(resolved.problems.join('; '));
  return resolved.settings;
};

/** Runs the suite in this process, on a clock of its own. */
const run = async (faults: readonly string[], seed: number): Promise<Outcome> => {
  const { outcome, context } = await runConformance(settingsWith(seed), {
    ...serve(setupFor({ kind: 'fault', names: faults }), seed),
    ...{ signal: new AbortController().signal, suite },
    ...{ watch: () => undefined, random: () => 0.5 },
  });
  return describeOutcome(outcome, context);
};

/** The outcome of a run on a server with these faults. */
export type OutcomeWith = (faults: readonly string[], seed: number) => Promise<Outcome>;

/** Returns outcomes of runs. A folder keeps them, so that changed reports can be measured without new runs. */
export const outcomesIn = (folder: string | null): OutcomeWith => {
  const kept = async (faults: readonly string[], seed: number): Promise<Outcome> => {
    if (folder === null) return run(faults, seed);
    const file = join(
      folder,
      `${hashOf(faults.join(' '))}-${hashOf(faults.toReversed().join(' '), seed)}.gz`,
    );
    const found = await readFile(file).catch(() => null);
    if (found !== null) return JSON.parse(gunzipSync(found).toString());
    const outcome = await run(faults, seed);
    await mkdir(folder, { recursive: true });
    await writeFile(file, gzipSync(JSON.stringify(outcome), { level: 1 }));
    return outcome;
  };
  return kept;
};
