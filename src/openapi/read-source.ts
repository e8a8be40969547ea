import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Json, toJson } from '../json/json.ts';
import { MAX_DEPTH, parseJson } from '../json/parse.ts';
import { documentProblems } from './refusals.ts';

/**
 * Reads a YAML or JSON file (JSON is YAML) with its whole numbers as bigints.
 * @throws Error of one line, with the file and the problem
 */
export function readSource(file: string): Json {
  return parseSource(readText(file), file);
}

/** Reads YAML or JSON text with its whole numbers as bigints; `file` is for the error. */
export function parseSource(text: string, file: string): Json {
  // The parser of YAML needs seconds for megabytes of JSON. It describes what is wrong with a text.
  const parsed = parseJson(text);
  if (parsed.ok && parsed.duplicates.length === 0 && !isDeep(parsed.value)) return parsed.value;
  try {
    return toJson(parse(text, { intAsBigInt: true, merge: true, prettyErrors: true }));
  } catch (error) {
    throw new Error(`${file}: ${firstLine(error)}`);
  }
}

/** Tells whether the JSON parser may have left out a part. */
const isDeep = (value: Json, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === MAX_DEPTH || Object.values(value).some((member) => isDeep(member, depth + 1)));

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file}: ${documentProblems.unreadable(errorCode(error))}`);
  }
}

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : firstLine(error);

/** The message of an error, in one line. */
export const firstLine = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n')[0] ?? '')
    .replace(/:$/, '')
    .replace('; please use YAML.parseAllDocuments()', documentProblems.severalDocuments)
    .replace('Maximum call stack size exceeded', documentProblems.tooDeep);
};
