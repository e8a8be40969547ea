import { createRedactor } from '../http/redact.ts';
import type { Requirement } from '../openapi/requirement.ts';
import type { ConfigEntry } from './config-file.ts';
import { problemsBetween, problemsOfIds } from './rules.ts';
import type { RunSettings } from './settings.ts';
import { didYouMean } from './suggest.ts';
import type { Setting } from './table.ts';
import { nameOf, settingList } from './table.ts';
import type { Parsed, Raw } from './values.ts';
import { quoted } from './values.ts';

export interface SettingSources {
  /** By the flag's name in camelCase, as commander has them; absent or undefined: not given. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The entries of the configuration file; none where there is no file. */
  readonly file: readonly ConfigEntry[];
  /** The catalogue, for the ids in --only and --skip. */
  readonly requirements: readonly Requirement[];
}

export type Resolved =
  | { readonly ok: true; readonly settings: RunSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A value and where it was given. */
interface Given {
  readonly raw: Raw;
  readonly where: string;
}

/** CI systems set `CI`; people switch it off with an empty value, `0`, or `false`. */
const isCi = ({ CI = '' }: SettingSources['env']): boolean => !['', '0', 'false'].includes(CI);

const flagNames = settingList.map(([, { flag }]) => nameOf(flag));
const everyFlag = new Set(settingList.flatMap(([, { flag }]) => [flag, `--no-${flag.slice(2)}`]));

const camelCase = (name: string): string => nameOf(`--${name}`);

/** What the file says, by camelCase name; names that mean nothing, or stand twice, are problems. */
const readFile = (entries: readonly ConfigEntry[]) => {
  const given = new Map<string, Given>();
  const problems: string[] = [];
  for (const { name, value, at } of entries) {
    const known = camelCase(name);
    if (!flagNames.includes(known)) {
      problems.push(
        `${at}: ${quoted(name)} is not a setting${didYouMean(name, flagNames) || ': run --help lists them'}`,
      );
    } else if (given.has(known)) problems.push(`${at}: ${known} is set twice`);
    else given.set(known, { raw: value, where: `${at}: ${name}` });
  }
  return { given, problems };
};

const isRaw = (value: unknown): value is Raw =>
  typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value);

/** A flag's value that is itself a flag: the value was forgotten. */
const swallowed = (raw: Raw): string | undefined =>
  [raw].flat().find((item): item is string => typeof item === 'string' && everyFlag.has(item));

const givenFor = (
  { flag, environment, refusesEmptyVariable }: Setting<unknown>,
  { flags, env }: SettingSources,
  file: ReadonlyMap<string, Given>,
): Given | undefined => {
  const raw = flags[nameOf(flag)];
  if (isRaw(raw)) return { raw, where: flag };
  const fromEnvironment = environment === null ? undefined : env[environment];
  if (environment !== null && fromEnvironment) return { raw: fromEnvironment, where: environment };
  // A key or a seed that a job is not given is an empty variable, and means none. A lost base URL does not: another server would be tested.
  const isLost = fromEnvironment === '' && refusesEmptyVariable;
  return (
    file.get(nameOf(flag)) ?? (environment !== null && isLost ? { raw: '', where: environment } : undefined)
  );
};

const problemsIn = ({ raw, where }: Given, read: Parsed<unknown>): readonly string[] => {
  const flag = swallowed(raw);
  if (flag !== undefined) return [`${where} has no value: the next word is the flag ${flag}`];
  return read.ok ? [] : [`${where}: ${read.problem}`];
};

const prefix = 'ANIMAL_STORE_';
const variables = [
  ...settingList.flatMap(([, { environment }]) => (environment === null ? [] : [environment])),
  `${prefix}DEBUG`,
];

/** A misspelled variable would have no effect, unnoticed. */
const problemsOfVariables = (env: SettingSources['env']): readonly string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(prefix) && env[name] !== undefined && !variables.includes(name))
    .map(
      (name) =>
        `${name} is not a known variable${didYouMean(name, variables) || `: they are ${variables.join(', ')}`}`,
    );

/** What is wrong with the choice of a server: a job that lost its base URL must not pass by testing the built-in one. */
const problemsOfServer = (
  { baseUrl, reference, apiKey, rateLimitKey }: RunSettings,
  { flags, env }: SettingSources,
  file: ReadonlyMap<string, Given>,
): readonly string[] => {
  if (isRaw(flags.baseUrl)) return [];
  if (reference && baseUrl !== null) {
    const from = env.ANIMAL_STORE_BASE_URL ? 'ANIMAL_STORE_BASE_URL' : (file.get('baseUrl')?.where ?? '');
    return [
      `--reference: ${from} names another server. Drop --reference, or unset the base URL; --base-url on the command line wins over both`,
    ];
  }
  if (reference || baseUrl !== null) return [];
  if (apiKey !== null || rateLimitKey !== null)
    return [
      '--base-url is missing: an API key is given. Set --base-url, or test the built-in server with --reference',
    ];
  return isCi(env)
    ? ['--base-url is missing: CI is set. Set --base-url, or test the built-in server with --reference']
    : [];
};

/** Seconds: what a server that CI starts beside the run may need. */
const waitInCi = 10;

/** A setting whose default depends on where the run takes place, and a flag that wins over another. */
const inPlace = (settings: RunSettings, { flags, env }: SettingSources): RunSettings => ({
  ...settings,
  reference: settings.reference && !isRaw(flags.baseUrl),
  waitForTarget: settings.waitForTarget ?? (isCi(env) ? waitInCi : 0),
});

/**
 * Settles the settings of `run`: flags over environment over file, an empty variable of a key being none. Every problem is one
 * line that names where the value was given; none shows a key.
 */
export const resolveSettings = (sources: SettingSources): Resolved => {
  const file = readFile(sources.file);
  const given = settingList.map(([name, setting]) => ({
    name,
    setting,
    value: givenFor(setting, sources, file.given),
  }));
  // A flag in the place of a key is none: the key was forgotten.
  const keys = given.flatMap(({ setting, value }) =>
    setting.secret
      ? [value?.raw].flat().filter((raw): raw is string => typeof raw === 'string' && !everyFlag.has(raw))
      : [],
  );
  const problems = [...problemsOfVariables(sources.env), ...file.problems];
  const settings: Record<string, unknown> = {};
  for (const { name, setting, value } of given) {
    const read = value && setting.read(value.raw);
    settings[name] = read?.ok ? read.value : setting.fallback;
    if (value && read) problems.push(...problemsIn(value, read));
  }
  // The table has every field of RunSettings, each with a reader and a fallback of its type.
  const settled = inPlace(settings as unknown as RunSettings, sources);
  problems.push(
    ...(problems.length === 0
      ? [...problemsOfServer(settled, sources, file.given), ...problemsBetween(settled, sources.requirements)]
      : problemsOfIds(settled, sources.requirements)),
  );
  return problems.length === 0
    ? { ok: true, settings: settled }
    : { ok: false, problems: problems.map(createRedactor(keys)) };
};
