import type { Requirement } from '../document/requirement.ts';
import { loadConfig } from './config-file.ts';
import { loadKnownFailures } from './known-failures.ts';
import { readText } from './read-text.ts';
import type { Resolved } from './resolve.ts';
import { resolveSettings } from './resolve.ts';
import { problemOfId } from './selection.ts';
import type { RunSettings } from './settings.ts';

export interface Invocation {
  /** As commander has them, `config` included. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `conformance.config.*` is looked for. */
  readonly directory: string;
  readonly requirements: readonly Requirement[];
}

const problemsOfFiles = async (
  { knownFailures, spec }: RunSettings,
  requirements: readonly Requirement[],
): Promise<readonly string[]> => {
  const document = spec === null ? null : await readText(spec);
  const known = knownFailures === null ? null : await loadKnownFailures(knownFailures);
  const unknown = known?.ok
    ? known.entries.flatMap(({ id, at }) => {
        const problem = problemOfId(id, requirements, { groups: false });
        return problem === null ? [] : [`${at}: ${problem}`];
      })
    : [];
  return [
    ...(document && !document.ok ? [`--spec ${spec}: ${document.problem}`] : []),
    ...(known && !known.ok ? known.problems : unknown),
  ];
};

/** Settles the settings of `run` from the flags, the environment and the files they name: see {@link resolveSettings}. */
export const loadSettings = async ({
  flags,
  env,
  directory,
  requirements,
}: Invocation): Promise<Resolved> => {
  const named = typeof flags.config === 'string' ? flags.config : null;
  const config = await loadConfig(named, directory);
  if (!config.ok) return config;
  const resolved = resolveSettings({ flags, env, file: config.entries, requirements });
  if (!resolved.ok) return resolved;
  const problems = await problemsOfFiles(resolved.settings, requirements);
  return problems.length === 0 ? resolved : { ok: false, problems };
};
