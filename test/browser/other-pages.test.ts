// The pages of `judge`, `domains`, and `matrix`, made by the commands.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainFaults } from '../../src/reference/domains/faults.ts';
import { all, type WorldPatch } from '../../src/reference/domains/patches.ts';
import { rightWorld } from '../../src/reference/domains/world.ts';
import { brokenOutcome, outcomeOf } from '../../src/report/testing.ts';
import { writeReports } from '../../src/report/write.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { writeDomains } from '../domains/domains-file.ts';
import { serveWorld } from '../domains/serve-world.ts';
import { command, folder } from '../support/processes.ts';
import { accessibilityIssues, launch, open, picture } from './browser.ts';

const hasty = `
const send = () => fetch(process.env.ANIMAL_STORE_BASE_URL + '/pets?limit=500', {
  headers: { Authorization: 'Bearer ' + process.env.ANIMAL_STORE_API_KEY },
});
for (let tries = 0; tries < 4; tries += 1) await (await send()).text();
`;

const judgeHasty = async (): Promise<string> => {
  const dir = join(folder, 'client');
  const script = join(folder, 'hasty.mjs');
  writeFileSync(script, hasty);
  const scenario = ['--scenario', 'retry-after-seconds'];
  await command('judge', '--report-dir', dir, ...scenario, '--', process.execPath, script);
  return join(dir, 'index.html');
};

const testDomains = async (patch: WorldPatch): Promise<string> => {
  const { settings, close } = await serveWorld(patch(rightWorld(Date.now())));
  const own = mkdtempSync(join(folder, 'domains-'));
  const dir = join(own, 'reports');
  mkdirSync(dir);
  await command('domains', '--config', writeDomains(own, settings), '--report-dir', dir);
  await close();
  return join(dir, 'index.html');
};

/** A matrix of 30 implementations with long names, and what changed since one of other results. */
const compareThirty = async (): Promise<string> => {
  const dir = mkdtempSync(join(folder, 'matrix-'));
  const write = async (name: string, outcome: Outcome): Promise<string> => {
    await writeReports(outcome, { dir: join(dir, name), env: {} });
    return join(dir, name);
  };
  const [right, wrong] = [await write('right', outcomeOf()), await write('wrong', brokenOutcome())];
  const named = (isRight: (at: number) => boolean) =>
    Array.from({ length: 30 }, (_, at) => `animal-store-in-language-${at}=${isRight(at) ? right : wrong}`);
  await command('matrix', ...named((at) => at % 2 === 0), '--report-dir', join(dir, 'before'));
  const flags = ['--before', join(dir, 'before', 'matrix.json'), '--report-dir', join(dir, 'now')];
  await command('matrix', ...named((at) => at % 2 === 0 || at === 1), ...flags);
  return join(dir, 'now', 'matrix.html');
};

/** Several faults at once: a wrong CNAME, a redirect with another status, a removed domain that is served. */
const wrong = domainFaults.filter(({ name }) =>
  ['domain-cname-elsewhere', 'domain-redirect-302', 'domain-removed-served'].includes(name),
);

const makers = {
  client: { make: judgeHasty, heading: '2 of 7 requirements failed' },
  'right domains': { make: () => testDomains((world) => world), heading: 'No failures' },
  'wrong domains': {
    make: () => testDomains(all(...wrong.map(({ patch }) => patch))),
    heading: 'Failed: 3 of 9 requirements',
  },
  matrix: { make: compareThirty, heading: '16 of 30 implementations conform' },
} as const;
type Name = keyof typeof makers;

const paths: Partial<Record<Name, string>> = {};
let browser: Browser;

beforeAll(async () => {
  for (const [name, { make }] of Object.entries(makers)) paths[name as Name] = await make();
  browser = await launch();
});
afterAll(() => browser?.close());

const looks = (Object.keys(makers) as Name[]).flatMap((name) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [360, 1280].map((width) => ({ name, colorScheme, width })),
  ),
);

describe.each(looks)('$name, $colorScheme, $width pixels', ({ name, colorScheme, width }) => {
  test('the verdict comes first; no error, request, horizontal scroll bar, or accessibility issue', async () => {
    const { page, troubles } = await open(browser, paths[name] ?? '', {
      colorScheme,
      viewport: { width, height: 800 },
    });
    await picture(page, `${name}-${colorScheme}-${width}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(makers[name].heading);
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await accessibilityIssues(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.context().close();
  });
});

test('a matrix of 30 implementations loads within 1 s', async () => {
  const load = async (): Promise<number> => {
    const { page } = await open(browser, paths.matrix ?? '');
    const took: number = await page.evaluate("performance.getEntriesByType('navigation')[0].duration");
    await page.context().close();
    return took;
  };
  // The machine is shared with other processes, so the fastest of several loads counts.
  let fastest = await load();
  for (let again = 0; again < 29 && fastest >= 1_000; again += 1) fastest = Math.min(fastest, await load());
  expect(fastest).toBeLessThan(1_000);
});
