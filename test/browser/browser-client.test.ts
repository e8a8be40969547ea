// A page in a browser is the client: `judge --listen`, and `judge --har` with its recorded session.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { key } from '../support/command.ts';
import { command, folder, startCommand } from '../support/processes.ts';
import { launch } from './browser.ts';

const har = join(folder, 'session.har');
const withoutKeys = join(folder, 'without-keys.har');

/** Statuses of two requests, the second with a limit that is not documented. */
const use = (page: Page, baseUrl: string): Promise<readonly number[]> =>
  page.evaluate(
    async ([base, token]) => {
      const headers = { Authorization: `Bearer ${token}` };
      const responses = [
        await fetch(`${base}/pets?limit=5`, { headers }),
        await fetch(`${base}/pets?limit=500`, { headers }),
      ];
      await Promise.all(responses.map((response) => response.text()));
      return responses.map(({ status }) => status);
    },
    [baseUrl, key],
  );

/** Opens a page of another origin in a browser that records its session, and uses the API there. */
const record = async (baseUrl: string): Promise<readonly number[]> => {
  const site = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<title>Shop</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const browser = await launch();
  try {
    const context = await browser.newContext({ recordHar: { path: har, content: 'embed' } });
    const page = await context.newPage();
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    const statuses = await use(page, baseUrl);
    await context.close();
    return statuses;
  } finally {
    await browser.close();
    site.close();
  }
};

/** As the developer tools of Chromium export a session by default. */
const leaveOutKeys = (): void => {
  const session = JSON.parse(readFileSync(har, 'utf8'));
  for (const { request } of session.log.entries)
    request.headers = request.headers.filter(({ name }: { name: string }) => !/^authorization$/i.test(name));
  writeFileSync(withoutKeys, JSON.stringify(session));
};

const reportIn = (dir: string) => {
  const text = readFileSync(join(dir, 'conformance.json'), 'utf8');
  expect(text).not.toContain(key);
  const { requirements } = JSON.parse(text);
  const verdictOf = (id: string) => requirements.find((each: { id: string }) => each.id === id)?.verdict;
  return { text, verdicts: ['CLIENT-1', 'CLIENT-5', 'CLIENT-6'].map(verdictOf) };
};

test('a page is judged live, and by its recording, with keys and without', async () => {
  const live = join(folder, 'live');
  const { child, ended } = startCommand([
    'judge',
    '--listen',
    '--port',
    '0',
    '--key',
    key,
    '--report-dir',
    live,
  ]);
  let out = '';
  while (!/http:\S+\/v1/.test(out)) out += String((await once(child.stdout, 'data'))[0]);
  expect(await record(/http:\S+\/v1/.exec(out)?.[0] ?? '')).toEqual([200, 400]);
  child.kill('SIGINT');
  expect((await ended).code).toBe(1);
  expect(reportIn(live).verdicts).toEqual(['passed', 'failed', 'passed']);

  const recorded = join(folder, 'recorded');
  expect((await command('judge', '--har', har, '--report-dir', recorded)).code).toBe(1);
  const { text, verdicts } = reportIn(recorded);
  expect(verdicts).toEqual(['passed', 'failed', 'passed']);
  // The curl line can be pasted: its key is a variable.
  expect(text).toMatch(/authorization: Bearer \$ANIMAL_STORE_API_KEY/i);

  leaveOutKeys();
  const bare = join(folder, 'bare');
  await command('judge', '--har', withoutKeys, '--report-dir', bare);
  expect(reportIn(bare).verdicts).toEqual(['skipped', 'failed', 'passed']);
});
