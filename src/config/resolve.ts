import { loadCatalogue } from '../openapi/catalogue.ts';
import type { Requirement } from '../openapi/requirement.ts';
import type { ConfigEntry } from './config-file.ts';
import { entryProblems, settingsProblems } from './refusals.ts';
import { problemsBetween, problemsOfIds } from './rules.ts';
import { createRefusalRedactor, keysIn } from './secrets.ts';
import type { Setting } from './setting.ts';
import type { RunSettings } from './settings.ts';
import { everyFlag, nameOf, type SettingName, settingList, settingTable } from './table.ts';
import type { OrProblems, Parsed, Raw } from './values.ts';

export interface SettingSources {
  /** Values by the flag's name in camelCase, as commander returns them; absent or undefined: not given. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The entries of the configuration file; empty without a file. */
  readonly file: readonly ConfigEntry[];
  /** The catalogue, for the ids in --only and --skip. */
  readonly requirements: readonly Requirement[];
}

export type Resolved = OrProblems<{ readonly settings: RunSettings }>;

/** A value and its source: a flag, a variable, or a place in the file. */
interface Given {
  readonly raw: Raw;
  readonly source: string;
}

/** CI systems set `CI`; people switch it off with an empty value, `0`, or `false`. */
const isCi = ({ CI = '' }: SettingSources['env']): boolean => !['', '0', 'false'].includes(CI);

const flagNames = settingList.map(([, { flag }]) => nameOf(flag));

/** Settings whose values are paths. Those of `checks` are read before. */
const pathSettings: readonly string[] = ['spec', 'knownFailures', 'reportDir', 'clientCert', 'clientKey'];

/** Replaces a leading `~` by the home folder, as a shell does on the command line. */
const expandHome = (raw: Raw, home: string | undefined): Raw => {
  if (typeof raw === 'boolean' || home === undefined || home === '') return raw;
  const expand = (path: string): string => path.replace(/^~(?=\/|$)/, () => home);
  return typeof raw === 'string' ? expand(raw) : raw.map(expand);
};

const camelCase = (name: string): string => nameOf(`--${name}`);

/** Returns the values of the file by camelCase name. Unknown and repeated names are problems. */
const readFile = (entries: readonly ConfigEntry[], home: string | undefined) => {
  const given = new Map<string, Given>();
  const problems: string[] = [];
  for (const { name, value, at } of entries) {
    const known = camelCase(name);
    if (!flagNames.includes(known)) {
      problems.push(`${at}: ${entryProblems.notSetting(name, flagNames)}`);
    } else if (given.has(known)) problems.push(`${at}: ${entryProblems.setTwice(known)}`);
    else {
      const raw = pathSettings.includes(known) ? expandHome(value, home) : value;
      given.set(known, { raw, source: `${at}: ${name}` });
    }
  }
  return { given, problems };
};

const isRaw = (value: unknown): value is Raw =>
  typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value);

/** Returns a flag that was given in place of a value, because the value was forgotten. */
const flagInPlaceOfValue = (raw: Raw): string | undefined =>
  [raw].flat().find((item): item is string => typeof item === 'string' && everyFlag.has(item));

const givenFor = (
  { flag, environment, refusesEmptyVariable }: Setting<unknown>,
  { flags, env }: SettingSources,
  file: ReadonlyMap<string, Given>,
): Given | undefined => {
  const raw = flags[nameOf(flag)];
  if (isRaw(raw)) return { raw, source: flag };
  const fromEnvironment = environment === null ? undefined : env[environment];
  if (environment !== null && fromEnvironment) return { raw: fromEnvironment, source: environment };
  // CI sets an empty variable for a secret that a job may not read: no key is given. With an empty base URL, the wrong server would be tested.
  const isLost = fromEnvironment === '' && refusesEmptyVariable;
  return (
    file.get(nameOf(flag)) ?? (environment !== null && isLost ? { raw: '', source: environment } : undefined)
  );
};

const problemsIn = ({ raw, source }: Given, read: Parsed<unknown>): readonly string[] => {
  const flag = flagInPlaceOfValue(raw);
  if (flag !== undefined) return [settingsProblems.noValue(source, flag)];
  return read.ok ? [] : [`${source}: ${read.problem}`];
};

const prefix = 'ANIMAL_STORE_';
const variables = [
  ...settingList.flatMap(([, { environment }]) => (environment === null ? [] : [environment])),
  `${prefix}DEBUG`,
];

/**
 * Whether Kubernetes or Docker may have set the variable, for a Service or container whose name begins with `animal-store`. A longer name is
 * recognized by its whole form.
 */
const isServiceLink = (name: string, value: string): boolean =>
  /^ANIMAL_STORE_(SERVICE_.+|PORT(_.+)?)$/.test(name) ||
  /^ANIMAL_STORE_\w+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/.test(
    name,
  ) ||
  (/_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value));

/** A misspelled variable would have no effect, unnoticed. */
const problemsOfVariables = (env: SettingSources['env']): readonly string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] !== undefined && !variables.includes(name))
    .filter((name) => !isServiceLink(name, env[name] ?? ''))
    .map((name) => settingsProblems.unknownVariable(name, variables));

/** Problems with the choice of a server. A job that lost its base URL must not pass by testing the built-in server. */
const problemsOfServer = (
  { baseUrl, reference, apiKey, rateLimitKey }: RunSettings,
  { flags, env }: SettingSources,
  file: ReadonlyMap<string, Given>,
): readonly string[] => {
  if (isRaw(flags.baseUrl)) return [];
  if (reference && baseUrl !== null) {
    const from = env.ANIMAL_STORE_BASE_URL ? 'ANIMAL_STORE_BASE_URL' : (file.get('baseUrl')?.source ?? '');
    return [settingsProblems.twoServers(from)];
  }
  if (reference || baseUrl !== null) return [];
  if (apiKey !== null || rateLimitKey !== null) return [settingsProblems.keyWithoutServer];
  return isCi(env) ? [settingsProblems.ciWithoutServer] : [];
};

/** The requirements that settings may name: of the animal store, or of any API with --spec. */
export const requirementsFor = (
  { spec }: Pick<RunSettings, 'spec'>,
  ofStore: readonly Requirement[],
): readonly Requirement[] => (spec === null ? ofStore : loadCatalogue(spec));

/** Seconds that a server may need if the same CI job starts it. */
const waitInCi = 10;

/** A variable of the environment in the value of a header. */
const variable = /\$\{(\w+)\}/g;

const problemsOfHeaders = ({ headers }: RunSettings): readonly string[] =>
  headers.flatMap(({ name, value }) =>
    [...value.matchAll(variable)].map(([, missing = '']) => settingsProblems.noVariable(name, missing)),
  );

/** Applies the default that depends on CI, and the rule that --base-url wins over --reference. */
const applyContext = (
  settings: RunSettings,
  { flags, env }: Pick<SettingSources, 'flags' | 'env'>,
): RunSettings => ({
  ...settings,
  headers: settings.headers.map((header) => ({
    ...header,
    value: header.value.replace(variable, (whole, name: string) => env[name] ?? whole),
  })),
  reference: settings.reference && !isRaw(flags.baseUrl),
  waitForTarget: settings.waitForTarget ?? (isCi(env) ? waitInCi : 0),
});

const table: { readonly [Name in SettingName]: Setting<RunSettings[Name]> } = settingTable;

type Values = { -readonly [Name in SettingName]: RunSettings[Name] };

/** Reads the value of a setting. One that cannot be read changes nothing. */
const readInto = <Name extends SettingName>(values: Values, name: Name, raw: Raw): Parsed<unknown> => {
  const read = table[name].read(raw);
  if (read.ok) values[name] = read.value;
  return read;
};

const fallbacks = Object.fromEntries(settingList.map(([name, { fallback }]) => [name, fallback])) as Values;

/**
 * Returns the settings of `run`. Flags win over the environment, and the environment over the file. Every problem is one line that
 * names the source of the value and shows no key.
 */
export const resolveSettings = (sources: SettingSources): Resolved => {
  const file = readFile(sources.file, sources.env.HOME);
  const given = settingList.map(([name, setting]) => ({
    name,
    setting,
    value: givenFor(setting, sources, file.given),
  }));
  const problems = [...problemsOfVariables(sources.env), ...file.problems];
  const settings: Values = { ...fallbacks };
  for (const { name, value } of given) {
    if (value) problems.push(...problemsIn(value, readInto(settings, name, value.raw)));
  }
  const resolved = applyContext(settings, sources);
  const requirements = requirementsFor(resolved, sources.requirements);
  problems.push(
    ...(problems.length === 0
      ? [
          ...problemsOfHeaders(resolved),
          ...problemsOfServer(resolved, sources, file.given),
          ...problemsBetween(resolved, requirements),
        ]
      : problemsOfIds(resolved, requirements)),
  );
  return problems.length === 0
    ? { ok: true, settings: resolved }
    : { ok: false, problems: problems.map(createRefusalRedactor(keysIn(sources))) };
};

/** The settings without flags, environment, and file. */
export const defaultSettings = applyContext(fallbacks, { flags: {}, env: {} });
