import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { toJson } from '../json/json.ts';

/**
 * Reads a YAML or JSON file (JSON is YAML) with its whole numbers as bigints.
 * @throws Error of one line, with the file and the problem
 */
export function readSource(file: string): unknown {
  return parseSource(readText(file), file);
}

/** Reads YAML or JSON text with its whole numbers as bigints; `file` is for the error. */
export function parseSource(text: string, file: string): unknown {
  try {
    return toJson(parse(text, { intAsBigInt: true, merge: true, prettyErrors: true }));
  } catch (error) {
    throw new Error(`${file}: ${firstLine(error)}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: cannot be read (${errorCode(error)})`);
  }
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : firstLine(error);

/** The message of an error, in one line. */
export const firstLine = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '')
    .replace(/:$/, '')
    .replace('; please use YAML.parseAllDocuments()', ', expected one')
    .replace('Maximum call stack size exceeded', 'nested too deeply, or a $ref that leads back to itself');
};
