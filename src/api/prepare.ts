import { loadOwn, noExtra, readExtra } from '../check/own-checks.ts';
import { permissionsOf, type RunPermissions } from '../check/permissions.ts';
import { ownCheckProblems } from '../check/refusals.ts';
import { type Invocation, type LoadedFiles, loadSettings } from '../config/load.ts';
import { settingsProblems } from '../config/refusals.ts';
import { createRefusalRedactor } from '../config/secrets.ts';
import { selected } from '../config/selection.ts';
import type { RunSettings } from '../config/settings.ts';
import type { OrProblems } from '../config/values.ts';
import type { Header } from '../http/exchange.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import type { ApiDocument } from '../openapi/document.ts';
import { namesOf, unmatched } from '../openapi/operation-choice.ts';
import { problemsOfFolder } from '../report/files.ts';
import type { RunDeps } from '../run/run-deps.ts';
import { drawSeed } from '../util/random.ts';

/** The settings of a run, and what was read for it, before anything is sent. */
export interface PreparedRun {
  readonly settings: RunSettings & { readonly seed: number };
  readonly read: Pick<RunDeps, 'document'> & LoadedFiles & Required<Pick<RunDeps, 'extra'>>;
}

export type Preparation = OrProblems<PreparedRun>;

/** The sources of a run: settings from all places, and checks that are given as values. */
export interface RunSources extends Omit<Invocation, 'requirements' | 'readOwn'> {
  /** Results of defineRequirement and defineCheck. */
  readonly own?: readonly unknown[];
  /** False: no reports will be written. */
  readonly writesReports: boolean;
  /** Called before --spec is read, because its values may take long. */
  readonly onSpec?: ((spec: string) => void) | undefined;
}

type Extra = PreparedRun['read']['extra'];

const permissionsAt = (settings: RunSettings): RunPermissions => {
  const { baseUrl, apiKey } = settings;
  // The reference server runs on this machine, and has a key.
  const target =
    baseUrl === null
      ? { baseUrl: 'http://localhost/v1', hasKey: true }
      : { baseUrl, hasKey: apiKey !== null };
  const headers = settings.headers.map(({ name, value }): Header => [name, value]);
  return permissionsOf(settings, { ...target, headers });
};

/** Returns the error for a --path that matches no case. */
export const replayPathError = ({ path, only }: Pick<RunSettings, 'path' | 'only'>): string =>
  settingsProblems.noCaseForPath(path, only);

/** The problem of the first name of --operation or --skip-operation that no operation has; null: each has one. */
const problemOfChoice = (
  { operations, skipOperations }: RunSettings,
  document: ApiDocument,
): string | null => {
  const known = document.operations.flatMap(namesOf);
  const problems = (
    [
      ['--operation', operations],
      ['--skip-operation', skipOperations],
    ] as const
  ).flatMap(([flag, patterns]) =>
    unmatched(patterns, document.operations).map((pattern) =>
      settingsProblems.noOperation(flag, pattern, known),
    ),
  );
  return problems[0] ?? null;
};

/** Returns the document of --spec, or its problem: it cannot be read, or the run could send nothing. */
const openDocument = async (
  spec: string,
  text: string | null,
  settings: RunSettings,
): Promise<ApiDocument | string> => {
  const { loadDocument } = await import('../openapi/load.ts');
  const { suite } = await import('../../suites/index.ts');
  const document = await loadDocument(spec, text ?? undefined).catch(({ message }: Error) => message);
  if (typeof document === 'string') return document;
  const unknown = problemOfChoice(settings, document);
  if (unknown !== null) return unknown;
  const permissions = permissionsAt(settings);
  const reason = suite.whyNothingCanBeSent(document, permissions);
  if (reason === null) {
    // Values of large schemas take long. They are made now, while a signal still ends the process at once.
    suite.general(document, document.operations, permissions);
    return document;
  }
  const { reasonText } = await import('../finding/reason.ts');
  return `${spec}: ${reasonText(reason)}`;
};

/** Whether a check can have the case of --path, on any target. */
const hasCaseForPath = async (settings: RunSettings, path: string, document: ApiDocument, extra: Extra) => {
  const { suite } = await import('../../suites/index.ts');
  const { checksForPath, suiteChecks } = await import('../run/plan.ts');
  const checks = [...suiteChecks(suite, document, permissionsAt(settings)), ...extra.checks];
  const requirements = [...loadCatalogue(settings.spec), ...extra.requirements];
  const chosen = new Set(selected(requirements, settings).map(({ id }) => id));
  return checksForPath(checks, path, (id) => chosen.has(id)).length > 0;
};

const problemsOfPath = async (settings: RunSettings, document: ApiDocument | null, extra: Extra) => {
  const { path } = settings;
  if (path === null) return [];
  const { loadDocument } = await import('../openapi/load.ts');
  const exists = await hasCaseForPath(settings, path, document ?? (await loadDocument()), extra);
  return exists ? [] : [replayPathError(settings)];
};

/** Returns the document of --spec, or the problems that would prevent tests or reports. Sends nothing. */
const checkBeforeSending = async (
  settings: RunSettings,
  extra: Extra,
  {
    writesReports,
    onSpec,
    specText,
  }: Pick<RunSources, 'writesReports' | 'onSpec'> & Pick<LoadedFiles, 'specText'>,
): Promise<ApiDocument | null | readonly string[]> => {
  const { reportDir, spec } = settings;
  const problems = [
    ...(spec !== null && extra.requirements.length > 0 ? [ownCheckProblems.needStore] : []),
    ...(writesReports ? await problemsOfFolder(reportDir) : []),
  ];
  if (spec !== null) onSpec?.(spec);
  const document = spec === null ? null : await openDocument(spec, specText, settings);
  if (typeof document === 'string') return [...problems, `--spec: ${document}`];
  const all = [...problems, ...(await problemsOfPath(settings, document, extra))];
  return all.length > 0 ? all : document;
};

const isProblems = (value: ApiDocument | null | readonly string[]): value is readonly string[] =>
  Array.isArray(value);

/**
 * Resolves the settings of a run, and reads the files that they name. Draws the seed if none is given, so that it is known before
 * anything is sent.
 */
export const prepareRun = async ({
  own = [],
  writesReports,
  onSpec,
  ...invocation
}: RunSources): Promise<Preparation> => {
  const catalogue = loadCatalogue();
  let extra: Extra = noExtra;
  const loaded = await loadSettings({
    ...invocation,
    requirements: catalogue,
    readOwn: async (files) => {
      const values = await loadOwn(files, invocation.directory ?? '.');
      const read = values.ok ? readExtra([...own, ...values.values], catalogue) : values;
      if (!read.ok) return read;
      extra = read.extra;
      return { ok: true, requirements: extra.requirements };
    },
  });
  if (!loaded.ok) return loaded;
  const { settings, known, certificate, specText, keys } = loaded;
  const documentOrProblems = await checkBeforeSending(settings, extra, { writesReports, onSpec, specText });
  if (isProblems(documentOrProblems)) {
    return { ok: false, problems: documentOrProblems.map(createRefusalRedactor(keys)) };
  }
  return {
    ok: true,
    settings: { ...settings, seed: settings.seed ?? drawSeed(Math.random) },
    read: {
      known,
      extra,
      certificate,
      specText,
      ...(documentOrProblems === null ? {} : { document: documentOrProblems }),
    },
  };
};
