/** Tests a sample of the servers of the self-test, and records the digests of the runs in `test/golden/runs.json`. */
import { writeFileSync } from 'node:fs';
import { type Digests, goldenFile, goldenText, runGolden, servers } from '../test/golden/golden.ts';

const golden: Record<string, Digests> = {};
for (const [name, recipe] of servers) golden[name] = await runGolden(recipe);
writeFileSync(goldenFile, goldenText(golden));
console.log(`${servers.size} servers recorded in ${goldenFile}`);
