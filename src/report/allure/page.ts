import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AllureReport, resolveConfig } from '@allurereport/core';
import Awesome from '@allurereport/plugin-awesome';
import { type OfflinePage, offline } from './offline.ts';
import { categories } from './results.ts';

/** Runs that Allure's history keeps. */
const HISTORY_LIMIT = 50;

/**
 * Allure's own page of a results folder, as one HTML text that needs no network. Adds the run to the history file
 * (JSON lines), from which the page tells what changed since earlier runs.
 */
export const allurePage = async (resultsDir: string, historyPath: string): Promise<OfflinePage> => {
  const output = await mkdtemp(join(tmpdir(), 'conformance-allure-'));
  try {
    const options = { singleFile: true, groupBy: ['parentSuite'], reportLanguage: 'en' };
    const config = await resolveConfig(
      {
        name: 'Animal store conformance',
        output,
        historyPath,
        historyLimit: HISTORY_LIMIT,
        categories: [...categories],
      },
      { plugins: {} },
    );
    const plugins = [{ id: 'awesome', enabled: true, options, plugin: new Awesome(options) }];
    const report = new AllureReport({ ...config, plugins });
    await report.start();
    await report.readDirectory(resultsDir);
    await report.done();
    return offline(await readFile(join(output, 'index.html'), 'utf8'));
  } finally {
    await rm(output, { recursive: true, force: true });
  }
};
