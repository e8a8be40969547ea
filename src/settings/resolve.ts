import { createRedactor } from '../client/redact.ts';
import type { Requirement } from '../document/requirement.ts';
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
        `${at}: ${quoted(name)} is no setting${didYouMean(name, flagNames) || ': run --help lists them'}`,
      );
    } else if (given.has(known)) problems.push(`${at}: ${known} stands in this file twice`);
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
  { flag, environment, secret }: Setting<unknown>,
  { flags, env }: SettingSources,
  file: ReadonlyMap<string, Given>,
): Given | undefined => {
  const raw = flags[nameOf(flag)];
  if (isRaw(raw)) return { raw, where: flag };
  const fromEnvironment = environment === null ? undefined : env[environment];
  if (environment !== null && fromEnvironment) return { raw: fromEnvironment, where: environment };
  // A secret that a job is not given is an empty variable, and means none. A target that got lost does not: another would be judged.
  const isLost = fromEnvironment === '' && !secret;
  return (
    file.get(nameOf(flag)) ?? (environment !== null && isLost ? { raw: '', where: environment } : undefined)
  );
};

const problemsIn = ({ raw, where }: Given, read: Parsed<unknown>): readonly string[] => {
  const flag = swallowed(raw);
  if (flag !== undefined) return [`${where} has no value: the next word is the flag ${flag}`];
  return read.ok ? [] : [`${where}: ${read.problem}`];
};

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
  const problems = [...file.problems];
  const settings: Record<string, unknown> = {};
  for (const { name, setting, value } of given) {
    const read = value && setting.read(value.raw);
    settings[name] = read?.ok ? read.value : setting.fallback;
    if (value && read) problems.push(...problemsIn(value, read));
  }
  // The table has every field of RunSettings, each with a reader and a fallback of its type.
  const settled = settings as unknown as RunSettings;
  problems.push(
    ...(problems.length === 0
      ? problemsBetween(settled, sources.requirements)
      : problemsOfIds(settled, sources.requirements)),
  );
  return problems.length === 0
    ? { ok: true, settings: settled }
    : { ok: false, problems: problems.map(createRedactor(keys)) };
};
