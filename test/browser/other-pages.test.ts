// The pages of `judge` and `domains`, made by the commands.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainFaults } from '../../src/reference/domains/faults.ts';
import { all, type WorldPatch } from '../../src/reference/domains/patches.ts';
import { rightWorld } from '../../src/reference/domains/world.ts';
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
