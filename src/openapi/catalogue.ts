import { join } from 'node:path';
import { isSchemaObject } from '../json-schema/schema.ts';
import { packageRoot } from './package-root.ts';
import { parseSource, readSource } from './read-source.ts';
import type { Requirement } from './requirement.ts';

/** Read once, and never changed. */
let catalogue: readonly Requirement[] | null = null;

/**
 * The requirements of `spec/requirements.yaml`, in its order.
 * @throws Error of one line if the file is unreadable or an entry is malformed
 */
export function loadCatalogue(): readonly Requirement[] {
  const file = join(packageRoot(), 'spec', 'requirements.yaml');
  catalogue ??= toCatalogue(readSource(file), file);
  return catalogue;
}

/** Reads a catalogue from YAML text; `file` is for errors. */
export const parseCatalogue = (text: string, file: string): readonly Requirement[] =>
  toCatalogue(parseSource(text, file), file);

function toCatalogue(source: unknown, file: string): readonly Requirement[] {
  if (!Array.isArray(source)) throw new Error(`${file}: expected a list of requirements`);
  const catalogue = source.map((entry, index) => toRequirement(entry, file, index + 1));
  const ids = new Set<string>();
  for (const { id } of catalogue) {
    if (ids.has(id)) throw new Error(`${file}: ${id} is there twice`);
    ids.add(id);
  }
  for (const { id, dependsOn } of catalogue)
    for (const other of dependsOn)
      if (!ids.has(other) || other === id)
        throw new Error(`${file}: ${id} depends on "${other}", which is not another requirement`);
  return catalogue;
}

function toRequirement(entry: unknown, file: string, number: number): Requirement {
  const place = `${file}: entry ${number}`;
  if (!isSchemaObject(entry)) throw new Error(`${place}: expected a requirement`);
  const id = text(entry, 'id', place);
  if (!/^[A-Z]+-[1-9]\d*$/.test(id)) throw new Error(`${place}: "${id}" is not of the form GROUP-N`);
  const named = `${file}: ${id}`;
  return {
    id,
    level: oneOf(entry, 'level', ['MUST', 'SHOULD', 'OPEN'], named),
    statement: text(entry, 'statement', named),
    section: text(entry, 'section', named),
    subject: oneOf(entry, 'subject', ['server', 'client', 'domain'], named),
    dependsOn: texts(entry, 'dependsOn', named),
  };
}

type Entry = Readonly<Record<string, unknown>>;

function text(entry: Entry, field: string, place: string): string {
  const value = entry[field];
  if (typeof value !== 'string' || value === '') throw new Error(`${place}: ${field} must be text`);
  return value;
}

function texts(entry: Entry, field: string, place: string): readonly string[] {
  const value = entry[field];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new Error(`${place}: ${field} must be a list of requirement ids`);
  return value;
}

function oneOf<Choice extends string>(
  entry: Entry,
  field: string,
  choices: readonly Choice[],
  place: string,
): Choice {
  const found = choices.find((choice) => choice === entry[field]);
  if (found === undefined) throw new Error(`${place}: ${field} must be one of ${choices.join(', ')}`);
  return found;
}
