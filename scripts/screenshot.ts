/** Writes `docs/report.png`: the first screen of the HTML report on the reference server with 3 faults. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings } from '../src/config/resolve.ts';
import { loadCatalogue } from '../src/openapi/catalogue.ts';
import { packageRoot } from '../src/openapi/package-root.ts';
import { page } from '../src/report/html/page.ts';
import type { Outcome } from '../src/run/outcome.ts';
import { serve, setupFor } from '../src/selftest/server.ts';
import { launch, open } from '../test/browser/browser.ts';
import { runInWords } from '../test/support/run-in-words.ts';

const faults = ['limit-one-too-many', 'category-through-a-double', 'key-as-password-of-basic'];
const seed = 1;

const testReference = async (): Promise<Outcome> => {
  const flags = { seed: String(seed), maxCreates: '1000' };
  const resolved = resolveSettings({ flags, env: {}, file: [], requirements: loadCatalogue() });
  if (!resolved.ok) throw new Error(resolved.problems.join('; '));
  const { target, clock } = serve(setupFor({ kind: 'fault', names: faults }), seed);
  const { outcome } = await runInWords(resolved.settings, {
    clock,
    watch: () => {},
    signal: new AbortController().signal,
    random: () => 0.5,
    target,
  });
  return outcome;
};

const folder = await mkdtemp(join(tmpdir(), 'screenshot-'));
const browser = await launch();
try {
  const file = join(folder, 'index.html');
  await writeFile(file, page(await testReference()));
  const opened = await open(browser, file, { colorScheme: 'light', viewport: { width: 1280, height: 860 } });
  await opened.page.screenshot({ path: join(packageRoot(), 'docs', 'report.png') });
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
