import { isMap, isSeq } from 'yaml';
import { readText } from './read-text.ts';
import { entryProblems } from './refusals.ts';
import { canonicalId } from './selection.ts';
import type { OrProblems } from './values.ts';
import { parseYaml, scalarOf, type YamlFile } from './yaml-file.ts';

/** A requirement that is known to fail, and why the failure is tolerated for now. */
export interface KnownFailure {
  readonly id: string;
  readonly reason: string;
  /** `file:line:column`. */
  readonly at: string;
}

export type KnownFailures = OrProblems<{ readonly entries: readonly KnownFailure[] }>;

/** The id and the reason of each entry, as nodes. */
const pairsOf = (file: YamlFile): readonly (readonly [unknown, unknown, unknown])[] | null => {
  const { root } = file;
  if (isMap(root)) return root.items.map(({ key, value }) => [key, value, key]);
  if (!isSeq(root)) return null;
  return root.items.map((given) => {
    const item = file.resolve(given);
    return isMap(item)
      ? [item.get('id', true), item.get('reason', true), given]
      : [undefined, undefined, given];
  });
};

/** Parses known failures from YAML or JSON. Every entry needs a reason; an id may be listed once. */
export const parseKnownFailures = (path: string, text: string): KnownFailures => {
  const parsed = parseYaml(path, text);
  if (!parsed.ok) return parsed;
  const { file } = parsed;
  if (file.root === null || scalarOf(file.root) === null) return { ok: true, entries: [] };
  const pairs = pairsOf(file);
  if (pairs === null)
    return { ok: false, problems: [`${file.at(file.root)}: ${entryProblems.notKnownFailures}`] };
  const entries: KnownFailure[] = [];
  const problems: string[] = [];
  for (const [idNode, reasonNode, node] of pairs) {
    const at = file.at(node);
    const given = scalarOf(file.resolve(idNode));
    const id = typeof given === 'string' ? canonicalId(given) : given;
    const reason = scalarOf(file.resolve(reasonNode));
    if (typeof id !== 'string') problems.push(`${at}: ${entryProblems.notKnownFailures}`);
    else if (typeof reason !== 'string' || reason.trim() === '')
      problems.push(`${at}: ${entryProblems.noReason(id)}`);
    else if (entries.some((entry) => entry.id === id))
      problems.push(`${at}: ${entryProblems.listedTwice(id)}`);
    else entries.push({ id, reason: reason.trim(), at });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, entries };
};

/**
 * Reads the file of `--known-failures`: YAML or JSON, a list of `{id, reason}` or a map of ids to reasons.
 * Problems name the file, and the line if one is known. The caller checks whether the ids exist.
 */
export const loadKnownFailures = async (path: string): Promise<KnownFailures> => {
  const file = await readText(path);
  return file.ok
    ? parseKnownFailures(path, file.text)
    : { ok: false, problems: [`--known-failures ${path}: ${file.problem}`] };
};
