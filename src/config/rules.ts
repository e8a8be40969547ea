import type { Plan } from '../openapi/plans.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { needsOwnKey, needsRefusal, problemOfId, selected } from './selection.ts';
import type { RunSettings } from './settings.ts';

/** A rule between settings that are each valid. Returns the problem, or null. */
type Rule = (settings: RunSettings, requirements: readonly Requirement[]) => string | null;

const when = (isWrong: boolean, problem: string): string | null => (isWrong ? problem : null);

const needsSecondKey: readonly string[] = [...needsOwnKey, ...needsRefusal, 'RATE-11'];

const hasFigures = (plan: Plan | null): boolean => plan !== null && plan !== 'enterprise';

/** Returns what a requirement needs if these settings cannot test it on any target; otherwise null. */
const missingFor = (id: string, settings: RunSettings): string | null => {
  const { baseUrl, plan, rateLimitPlan, rateLimitKey, exhaustDaily } = settings;
  if (id === 'VER-1' && settings.allowAnyPath) return 'a base URL that is not waived by --allow-any-path';
  if (baseUrl === null) return null;
  if (id === 'RATE-3' && !hasFigures(plan) && !hasFigures(rateLimitPlan))
    return '--plan (a plan with documented limits)';
  if (!needsSecondKey.includes(id)) return null;
  if (rateLimitKey === null) return '--rate-limit-key (a second key whose limit may be used up)';
  return id === 'RATE-11' && !exhaustDaily ? '--exhaust-daily (uses up the daily limit)' : null;
};

const problemWithoutKey = (flag: string) => `${flag} needs --rate-limit-key`;

const unknownIds = (
  flag: '--only' | '--skip',
  words: readonly string[],
  requirements: readonly Requirement[],
) =>
  words
    .map((word) => ({ word, problem: problemOfId(word, requirements, { groups: true }) }))
    .filter(({ problem }) => problem !== null)
    .map(({ word, problem }) => `${flag}: ${problemOfList(flag, word) ?? problem}`);

/** Returns the problem of several ids in one value; null if the value has one id. */
const problemOfList = (flag: string, word: string): string | null => {
  const ids = word.split(',').map((id) => id.trim());
  return ids.length > 1 && ids.every((id) => /^\w+(-\d+)?$/.test(id))
    ? `takes one requirement or group, and is given again for each: ${ids.map((id) => `${flag} ${id}`).join(' ')}`
    : null;
};

const nothingToTest: Rule = (settings, requirements) => {
  const left = selected(requirements, settings);
  if (left.length === 0) {
    return settings.spec === null
      ? '--only and --skip select no requirement: remove one of them'
      : '--only and --skip select no requirement: with --spec, only GEN, AUTH-1, AUTH-2, RATE-1, and RATE-2 are tested';
  }
  const missing = left.map(({ id }) => missingFor(id, settings));
  return when(
    !missing.includes(null),
    `--only selects nothing that can be tested: ${left[0]?.id} needs ${missing[0]}`,
  );
};

/** Whether the path of the base URL ends in the version (VER-1). */
export const hasVersion = (baseUrl: string): boolean => new URL(baseUrl).pathname.endsWith('/v1');

const rules: readonly Rule[] = [
  ({ baseUrl, allowAnyPath, spec }) =>
    when(
      baseUrl !== null && spec === null && !allowAnyPath && !hasVersion(baseUrl),
      '--base-url does not end in /v1 (VER-1): add it, or set --allow-any-path',
    ),
  ({ baseUrl, apiKey, spec }) =>
    when(
      baseUrl !== null && spec === null && apiKey === null,
      '--api-key is required with --base-url: set ANIMAL_STORE_API_KEY',
    ),
  ({ apiKey, rateLimitKey }) =>
    when(
      rateLimitKey !== null && rateLimitKey === apiKey,
      '--rate-limit-key is the same as --api-key: use a second key, whose limit may be used up',
    ),
  ({ exhaustDaily, rateLimitKey }) =>
    when(exhaustDaily && rateLimitKey === null, problemWithoutKey('--exhaust-daily')),
  ({ allowBan, rateLimitKey }) => when(allowBan && rateLimitKey === null, problemWithoutKey('--allow-ban')),
  ({ rateLimitPlan, rateLimitKey }) =>
    when(rateLimitPlan !== null && rateLimitKey === null, problemWithoutKey('--rate-limit-plan')),
  ({ path, only, seed }) =>
    when(
      path !== null && (only.length === 0 || seed === null),
      '--path also needs --seed and --only (copy the replay command)',
    ),
  ({ path, shard }) =>
    when(
      path !== null && shard.of > 1,
      '--path repeats one case, and --shard may leave it out: remove one of them',
    ),
];

/** Problems of the ids of --only and --skip, one sentence each. */
export const problemsOfIds = (
  { only, skip }: Pick<RunSettings, 'only' | 'skip'>,
  requirements: readonly Requirement[],
): readonly string[] => [
  ...unknownIds('--only', only, requirements),
  ...unknownIds('--skip', skip, requirements),
];

/** Problems between settings, one sentence each, without problems that only follow from another. */
export const problemsBetween = (
  settings: RunSettings,
  requirements: readonly Requirement[],
): readonly string[] => {
  const ids = problemsOfIds(settings, requirements);
  const others = rules.map((rule) => rule(settings, requirements)).filter((problem) => problem !== null);
  if (ids.length > 0 || others.length > 0) return [...others, ...ids];
  const nothing = nothingToTest(settings, requirements);
  return nothing === null ? [] : [nothing];
};
