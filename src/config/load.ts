import { createSecureContext } from 'node:tls';
import type { Requirement } from '../openapi/requirement.ts';
import { loadConfig } from './config-file.ts';
import { type KnownFailures, loadKnownFailures } from './known-failures.ts';
import { readText } from './read-text.ts';
import { settingsProblems } from './refusals.ts';
import { requirementsFor, resolveSettings } from './resolve.ts';
import { createRefusalRedactor, keysIn } from './secrets.ts';
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
  /** Whose requirements may be known failures; absent: the server's. */
  readonly subjects?: readonly Requirement['subject'][];
  /** Reads the requirements of the modules of --checks; absent: they are not read. */
  readonly readOwn?: (files: readonly string[]) => Promise<OwnRequirements>;
}

export type OwnRequirements = OrProblems<{ readonly requirements: readonly Requirement[] }>;

/** What the files contain that the settings name. */
export interface LoadedFiles {
  /** Why requirements are known to fail, by id. */
  readonly known: ReadonlyMap<string, string>;
  /** The client certificate and its key as PEM; null: none is given. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  /** The document of --spec; null: none is given. */
  readonly specText: string | null;
}

/** The settings, and the contents of files that they name. */
export type Loaded = OrProblems<
  LoadedFiles & {
    readonly settings: RunSettings;
    /** Every key in any source of settings: no refusal may show one. */
    readonly keys: readonly string[];
  }
>;

const noKnownFailures: KnownFailures = { ok: true, entries: [] };

const noOwnRequirements = async (): Promise<OwnRequirements> => ({ ok: true, requirements: [] });

const readKnown = async (
  path: string | null,
  requirements: readonly Requirement[],
  subjects: Invocation['subjects'] = ['server'],
): Promise<KnownFailures> => {
  const known = path === null ? noKnownFailures : await loadKnownFailures(path);
  if (!known.ok) return known;
  const problems = known.entries.flatMap(({ id, at }) => {
    const problem = problemOfId(id, requirements, { groups: false, subjects });
    return problem === null ? [] : [`${at}: ${problem}`];
  });
  return problems.length === 0 ? known : { ok: false, problems };
};

/** Reads the document of --spec, once: it may come through a pipe. */
const readSpec = async (spec: string | null): Promise<OrProblems<Pick<LoadedFiles, 'specText'>>> => {
  if (spec === null) return { ok: true, specText: null };
  const read = await readText(spec);
  return read.ok
    ? { ok: true, specText: read.text }
    : { ok: false, problems: [`--spec ${spec}: ${read.problem}`] };
};

/** Reads the client certificate and its key, and tests whether they fit together. */
const readCertificate = async ({
  clientCert,
  clientKey,
}: RunSettings): Promise<OrProblems<Pick<LoadedFiles, 'certificate'>>> => {
  if (clientCert === null || clientKey === null) return { ok: true, certificate: null };
  const [cert, key] = await Promise.all([readText(clientCert), readText(clientKey)]);
  if (!cert.ok || !key.ok) {
    const problems = [
      ...(cert.ok ? [] : [`--client-cert ${clientCert}: ${cert.problem}`]),
      ...(key.ok ? [] : [`--client-key ${clientKey}: ${key.problem}`]),
    ];
    return { ok: false, problems };
  }
  const certificate = { cert: cert.text, key: key.text };
  try {
    createSecureContext(certificate);
    return { ok: true, certificate };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { ok: false, problems: [settingsProblems.notCertificate(clientCert, clientKey, code)] };
  }
};

/** Reads the settings of `run` from flags, environment, and files: see {@link resolveSettings}. */
export const loadSettings = async (invocation: Invocation): Promise<Loaded> => {
  const { flags, env, directory, readOwn = noOwnRequirements } = invocation;
  const named = typeof flags.config === 'string' ? flags.config : null;
  const config =
    directory === null ? ({ ok: true, entries: [] } as const) : await loadConfig(named, directory);
  if (!config.ok) return config;
  const keys = keysIn({ flags, env, file: config.entries });
  const refused = (problems: readonly string[]): Loaded => ({
    ok: false,
    problems: problems.map(createRefusalRedactor(keys)),
  });
  const own = await readOwn(
    checkFilesOf(flags.checks ?? config.entries.find(({ name }) => name === 'checks')?.value),
  );
  if (!own.ok) return refused(own.problems);
  const requirements = [...invocation.requirements, ...own.requirements];
  const resolved = resolveSettings({ flags, env, file: config.entries, requirements });
  if (!resolved.ok) return resolved;
  const { settings } = resolved;
  const document = await readSpec(settings.spec);
  const mayFail = requirementsFor(settings, requirements);
  const known = await readKnown(settings.knownFailures, mayFail, invocation.subjects);
  const identity = await readCertificate(settings);
  const problems = [document, known, identity].flatMap((part) => (part.ok ? [] : part.problems));
  if (!known.ok || !identity.ok || !document.ok) return refused(problems);
  const { certificate } = identity;
  return {
    ok: true,
    settings,
    known: new Map(known.entries.map(({ id, reason }) => [id, reason])),
    certificate,
    specText: document.specText,
    keys,
  };
};
