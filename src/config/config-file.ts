import { join } from 'node:path';
import { isMap, isSeq } from 'yaml';
import { readText } from './read-text.ts';
import { entryProblems, settingsProblems, valueProblems } from './refusals.ts';
import type { OrProblems, Raw } from './values.ts';
import { parseYaml, scalarOf, type YamlFile } from './yaml-file.ts';

export interface ConfigEntry {
  readonly name: string;
  readonly value: Raw;
  /** `file:line:column`. */
  readonly at: string;
}

/** The settings of a configuration file as written. Names and values are not checked yet. */
export type ParsedConfig = OrProblems<{ readonly entries: readonly ConfigEntry[] }>;

const rawOf = (file: YamlFile, value: unknown): Raw | null | undefined => {
  const node = file.resolve(value);
  if (!isSeq(node)) return scalarOf(node);
  const items = node.items.map((item) => scalarOf(file.resolve(item)));
  return items.every((item) => typeof item === 'string') ? items : undefined;
};

/** Parses a configuration file: a map of names to values or lists of values. A null value means not given. */
export const parseConfig = (path: string, text: string): ParsedConfig => {
  const parsed = parseYaml(path, text);
  if (!parsed.ok) return parsed;
  const { file } = parsed;
  const { root } = file;
  if (root === null || scalarOf(root) === null) return { ok: true, entries: [] };
  if (!isMap(root)) return { ok: false, problems: [`${file.at(root)}: ${entryProblems.notSettings}`] };
  const entries: ConfigEntry[] = [];
  const problems: string[] = [];
  for (const { key, value: node } of root.items) {
    const name = String(scalarOf(file.resolve(key)) ?? '');
    const value = rawOf(file, node);
    const at = file.at(key);
    if (value === undefined) problems.push(`${at}: ${entryProblems.notValue(name)}`);
    else if (value !== null) entries.push({ name, value, at });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, entries };
};

/** Names under which a run finds a configuration file in its working directory. */
export const configFileNames = [
  'conformance.config.yaml',
  'conformance.config.yml',
  'conformance.config.json',
];

/**
 * Reads the named configuration file, or the one in the working directory, if any. Two files there are a problem, because it is
 * unclear which one counts.
 */
export const loadConfig = async (named: string | null, directory: string): Promise<ParsedConfig> => {
  if (named === '') return { ok: false, problems: [`--config: ${valueProblems.empty}`] };
  if (named !== null) {
    const file = await readText(named);
    return file.ok
      ? parseConfig(named, file.text)
      : { ok: false, problems: [`--config ${named}: ${file.problem}`] };
  }
  const files = await Promise.all(
    configFileNames.map(async (name) => ({ name, ...(await readText(join(directory, name))) })),
  );
  const [first, second] = files.filter((file) => file.ok || !file.missing);
  if (first === undefined) return { ok: true, entries: [] };
  if (second !== undefined)
    return { ok: false, problems: [settingsProblems.twoConfigFiles(first.name, second.name)] };
  return first.ok
    ? parseConfig(first.name, first.text)
    : { ok: false, problems: [`${first.name}: ${first.problem}`] };
};
