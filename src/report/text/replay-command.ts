import type { RunSettings } from '../../config/settings.ts';
import { settingList } from '../../config/table.ts';
import type { Redact } from '../../http/redact.ts';
import type { FoundFailure, ReportContext } from '../../run/found-outcome.ts';
import type { Outcome, SettingValue } from '../../run/outcome.ts';
import { quoteIfNeeded } from './shell.ts';

/**
 * The command that repeats this case, for only this requirement; without a path, the run of its check's requirement. It takes keys from the environment, and writes
 * its reports to a separate folder.
 */
export const replayOf = (
  { breach, check, path }: Pick<FoundFailure, 'breach' | 'check' | 'path'>,
  { settings, target, seed, redact, judged, command = usualCommand }: ReportContext,
): string => {
  if (judged !== undefined) return redact(judged.replay({ breach }));
  const ids = new Set([...(path === null ? [check.requirement] : []), breach.requirement]);
  const words = [
    command,
    addressOf(target, redact),
    ...headersOf(settings, redact),
    ...wordsOf(path === null ? [...caseSettings, ...selectionSettings] : caseSettings, settings),
    ...[...ids].map((id) => `--only ${id}`),
    `--seed ${seed}`,
    ...(path === null ? [] : [`--path ${quoteIfNeeded(`${path}@${check.id}`)}`]),
    `--report-dir ${quoteIfNeeded(redact(`${homeOf(settings.reportDir)}/replay-${breach.requirement}`))}`,
  ];
  return words.join(' ');
};

/** The settings of a run that are not the default ones, and the command that repeats it. */
export const repeatOf = (context: ReportContext): Required<Pick<Outcome, 'command' | 'settings'>> => {
  const { settings, target, seed, redact, judged, command = usualCommand } = context;
  const given = settingList.filter(
    ([name, { secret, fallback }]) =>
      !secret &&
      !listedElsewhere.includes(name) &&
      settings[name] !== null &&
      !isSame(settings[name], fallback),
  );
  const words = wordsOf(
    given.map(([name]) => name),
    settings,
  );
  return {
    command:
      judged !== undefined
        ? redact(judged.command)
        : [
            command,
            addressOf(target, redact),
            ...headersOf(settings, redact),
            ...words.map(redact),
            `--seed ${seed}`,
          ].join(' '),
    settings: Object.fromEntries(given.map(([name]) => [name, settingValue(name, settings, redact)])),
  };
};

/** Settings that have their own place in the command, or that a repeated run does not need. */
const listedElsewhere: readonly (keyof RunSettings)[] = ['baseUrl', 'reference', 'seed', 'waitForTarget'];

const isSame = (value: unknown, fallback: unknown): boolean =>
  JSON.stringify(value, shownInteger) === JSON.stringify(fallback, shownInteger);

const shownInteger = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

const settingValue = (name: keyof RunSettings, settings: RunSettings, redact: Redact): SettingValue => {
  const value = settings[name];
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const written = writtenAs(name, settings).map(redact);
  return Array.isArray(value) ? written : (written[0] ?? '');
};

const addressOf = ({ reference, baseUrl }: ReportContext['target'], redact: Redact): string =>
  reference ? '--reference' : `--base-url ${quoteIfNeeded(redact(baseUrl))}`;

/** A value that the environment has is not shown; any other one is redacted. */
const headersOf = ({ headers }: RunSettings, redact: Redact): readonly string[] =>
  headers.map(({ written }) => `--header ${quoteIfNeeded(redact(written))}`);

const usualCommand = 'animal-store-conformance run';

/** The settings that change the case, or that limit what a run may do to the server. */
const caseSettings: readonly (keyof RunSettings)[] = [
  'plan',
  'rateLimitPlan',
  'exhaustDaily',
  'allowBan',
  'sharedKey',
  'categoryIds',
  'readOnly',
  'maxCreates',
  'maxWait',
  'spec',
  'operations',
  'skipOperations',
  'timeout',
  'maxBody',
  'concurrency',
  'risky',
  'now',
  'allowAnyPath',
  'checks',
];

/** The settings that select the cases of a run. */
const selectionSettings: readonly (keyof RunSettings)[] = ['budget', 'runs', 'shard'];

/** The report folder; for a replay, the report folder of the run that it repeats. */
const homeOf = (reportDir: string): string =>
  reportDir.replace(/\/+$/, '').replace(/\/replay-[A-Z]+-\d+$/, '');

/** Settings as flags, without the default ones. */
const wordsOf = (names: readonly (keyof RunSettings)[], settings: RunSettings): readonly string[] =>
  settingList
    .filter(([name]) => names.includes(name))
    .flatMap(([name, { flag, kind, fallback }]) => {
      const value = settings[name];
      if (value === null || value === fallback) return [];
      if (kind === 'switch') return [flag];
      if (kind === 'choice') return [value === true ? flag : `--no-${flag.slice(2)}`];
      return writtenAs(name, settings).map((each) => `${flag} ${quoteIfNeeded(each)}`);
    });

const writtenAs = (name: keyof RunSettings, settings: RunSettings): readonly string[] => {
  if (name === 'shard') return [`${settings.shard.index}/${settings.shard.of}`];
  if (name === 'now') return [new Date(Number(settings.now)).toISOString()];
  return [settings[name]].flat().map(String);
};
