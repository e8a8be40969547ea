import { access, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const arguments_ = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Launches Debian's Chromium, or the one in CHROMIUM_PATH. Throws an error of one line if there is none. */
export const launch = async (): Promise<Browser> => {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  await access(executablePath).catch(() => {
    throw new Error(
      `There is no browser at ${executablePath}: install Debian's package chromium, or set CHROMIUM_PATH to one.`,
    );
  });
  return chromium.launch({ executablePath, args: arguments_ });
};

/** A page with its problems: errors, console messages, and requests to the network. */
export interface Opened {
  readonly page: Page;
  readonly troubles: readonly string[];
}

export const open = async (
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<Opened> => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => troubles.push(`${message.type()}: ${message.text()}`));
  page.on('request', (request) => {
    const inside = /^(data|blob|about):/.test(request.url()) || request.url() === `file://${file}`;
    if (!inside) troubles.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  return { page, troubles };
};

/** With SCREENSHOTS=FOLDER, saves a picture of the page. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.screenshot({ path: join(folder, `${name}-whole.png`), fullPage: true });
};

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** The issues that axe finds, one line each. Includes target sizes, which are off by default. */
export const accessibilityIssues = async (page: Page): Promise<readonly string[]> => {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(source);
  const { violations }: AxeResult = await page.evaluate(
    "axe.run(document, { iframes: false, rules: { 'target-size': { enabled: true } } })",
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
};
