import type { RunSettings } from '../../config/settings.ts';
import { settingList } from '../../config/table.ts';
import type { FoundFailure, ReportContext } from '../../run/outcome.ts';
import { quoteIfNeeded } from './shell.ts';

/**
 * The command that repeats this case; without a path, the run for the requirement alone. Keys come from the environment, and its
 * reports get a folder of their own.
 */
export const replayOf = (
  { breach, checkRequirement, path }: Pick<FoundFailure, 'breach' | 'checkRequirement' | 'path'>,
  { settings, target, seed, redact, command = 'animal-store-conformance run' }: ReportContext,
): string => {
  const ids = [...new Set([checkRequirement, breach.requirement])];
  const words = [
    command,
    target.reference ? '--reference' : `--base-url ${quoteIfNeeded(redact(target.baseUrl))}`,
    ...wordsOf(path === null ? [...carried, ...choosing] : carried, settings),
    ...ids.map((id) => `--only ${id}`),
    `--seed ${seed}`,
    ...(path === null ? [] : [`--path ${path}`]),
    `--report-dir ${quoteIfNeeded(redact(`${homeOf(settings.reportDir)}/replay-${breach.requirement}`))}`,
  ];
  return words.join(' ');
};

/** The settings without which the case would be another, or more be done to the target than it was. */
const carried: readonly (keyof RunSettings)[] = [
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
  'timeout',
  'concurrency',
  'risky',
  'now',
  'allowAnyPath',
  'checks',
];

/** Those that say which cases a run is made of. */
const choosing: readonly (keyof RunSettings)[] = ['budget', 'runs', 'shard'];

/** The folder of the reports; of a replay, the one beside which its own stands. */
const homeOf = (reportDir: string): string =>
  reportDir.replace(/\/+$/, '').replace(/\/replay-[A-Z]+-\d+$/, '');

/** Settings as they stand on the command line; nothing of those that are as usual. */
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
