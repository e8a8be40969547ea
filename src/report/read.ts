import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import schema from '../../spec/report.schema.json' with { type: 'json' };
import type { RecordedExchange } from '../run/outcome.ts';
import type { Report } from './conformance.ts';
import { fromHar } from './har.ts';
import { reportProblems } from './text/report-files.ts';

/** A report that cannot be read; the message is one line that names the file. */
export class UnreadableReport extends Error {
  override name = 'UnreadableReport';
}

const validator = () => new Ajv2020({ strict: true, allowUnionTypes: true }).compile<Report>(schema);

/** Parses a report. Throws UnreadableReport if the text is not a report of this schema version. */
export const parseReport = (text: string, file: string): Report => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableReport(reportProblems.notJson(file));
  }
  const validate = validator();
  if (validate(value)) return value;
  const [first] = validate.errors ?? [];
  throw new UnreadableReport(reportProblems.notReport(file, first?.instancePath ?? '', first?.message));
};

/** Reads a `conformance.json`, or the one in a report folder. Throws UnreadableReport. */
export const readReport = async (path: string): Promise<Report> => {
  const attempt = async (file: string) => parseReport(await readFile(file, 'utf8'), file);
  try {
    return await attempt(path);
  } catch (error) {
    if (error instanceof UnreadableReport) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EISDIR') return readReport(join(path, 'conformance.json'));
    throw new UnreadableReport(
      code === 'ENOENT' ? reportProblems.missing(path) : reportProblems.unreadable(path, String(code)),
    );
  }
};

/** Returns the exchanges in the `traffic.har` beside a report; empty: there is no such file. */
export const readExchanges = async (path: string): Promise<readonly RecordedExchange[]> => {
  for (const folder of [path, dirname(path)]) {
    try {
      return fromHar(await readFile(join(folder, 'traffic.har'), 'utf8'));
    } catch {
      // The file is missing, or another program wrote it: the report has no exchanges.
    }
  }
  return [];
};
