import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unwritable } from './files.ts';

/** The reports of a run, in the order of writing. */
const reportNames = ['conformance.json', 'junit.xml', 'summary.md', 'traffic.har', 'index.html'] as const;

/** The beginnings of reports name the tool that wrote them. */
const isOurs = (text: string): boolean => text.slice(0, 400).includes('"animal-store-conformance"');

const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

/**
 * Removes the reports that an earlier run left in a folder, so that a run which ends without reports leaves none that look like its own.
 * Other files stay.
 *
 * @throws UnwritableReports if one cannot be removed: it could not be replaced, either
 * @returns the text of the earlier `conformance.json`; null: there is none
 */
export const removeEarlierReports = async (dir: string): Promise<string | null> => {
  const [report, junit] = await Promise.all(
    ['conformance.json', 'junit.xml'].map((name) => textOf(join(dir, name))),
  );
  const [json = null] = [report].filter((text) => typeof text === 'string' && isOurs(text));
  if (json === null && !isOurs(junit ?? '')) return null;
  const bodies = (await readdir(dir)).filter((name) => /^body-\d+\.bin$/.test(name));
  await Promise.all([...reportNames, ...bodies].map((name) => rm(join(dir, name), { force: true }))).catch(
    (error: unknown) => {
      throw unwritable(dir, error);
    },
  );
  return json;
};
