import type { Requirement } from '../openapi/requirement.ts';
import { loadConfig } from './config-file.ts';
import { type KnownFailures, loadKnownFailures } from './known-failures.ts';
import { readText } from './read-text.ts';
import { resolveSettings } from './resolve.ts';
import { problemOfId } from './selection.ts';
import type { RunSettings } from './settings.ts';
import { checkFilesOf } from './table.ts';
import type { OrProblems } from './values.ts';

export interface Invocation {
  /** The options as commander returns them, `config` included. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that may contain `conformance.config.*`; null: no configuration file is read. */
  readonly directory: string | null;
  readonly requirements: readonly Requirement[];
  /** Reads the requirements of the modules of --checks; absent: they are not read. */
  readonly readOwn?: (files: readonly string[]) => Promise<OwnRequirements>;
}

export type OwnRequirements = OrProblems<{ readonly requirements: readonly Requirement[] }>;

/** The settings, and the known failures of the file that they name. */
export type Loaded = OrProblems<{
  readonly settings: RunSettings;
  /** Why requirements are known to fail, by id. */
  readonly known: ReadonlyMap<string, string>;
}>;

const noKnownFailures: KnownFailures = { ok: true, entries: [] };

const noOwnRequirements = async (): Promise<OwnRequirements> => ({ ok: true, requirements: [] });

const readKnown = async (
  path: string | null,
  requirements: readonly Requirement[],
): Promise<KnownFailures> => {
  const known = path === null ? noKnownFailures : await loadKnownFailures(path);
  if (!known.ok) return known;
  const problems = known.entries.flatMap(({ id, at }) => {
    const problem = problemOfId(id, requirements, { groups: false });
    return problem === null ? [] : [`${at}: ${problem}`];
  });
  return problems.length === 0 ? known : { ok: false, problems };
};

const problemsOfSpec = async (spec: string | null): Promise<readonly string[]> => {
  const document = spec === null ? null : await readText(spec);
  return document === null || document.ok ? [] : [`--spec ${spec}: ${document.problem}`];
};

/** Reads the settings of `run` from flags, environment, and files: see {@link resolveSettings}. */
export const loadSettings = async (invocation: Invocation): Promise<Loaded> => {
  const { flags, env, directory, readOwn = noOwnRequirements } = invocation;
  const named = typeof flags.config === 'string' ? flags.config : null;
  const config =
    directory === null ? ({ ok: true, entries: [] } as const) : await loadConfig(named, directory);
  if (!config.ok) return config;
  const own = await readOwn(
    checkFilesOf(flags.checks ?? config.entries.find(({ name }) => name === 'checks')?.value),
  );
  if (!own.ok) return own;
  const requirements = [...invocation.requirements, ...own.requirements];
  const resolved = resolveSettings({ flags, env, file: config.entries, requirements });
  if (!resolved.ok) return resolved;
  const { settings } = resolved;
  const unreadable = await problemsOfSpec(settings.spec);
  const known = await readKnown(settings.knownFailures, requirements);
  if (!known.ok) return { ok: false, problems: [...unreadable, ...known.problems] };
  if (unreadable.length > 0) return { ok: false, problems: unreadable };
  return { ok: true, settings, known: new Map(known.entries.map(({ id, reason }) => [id, reason])) };
};
