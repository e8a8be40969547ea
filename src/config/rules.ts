import type { Plan } from '../openapi/plans.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { problemOfId, selected } from './selection.ts';
import type { RunSettings } from './settings.ts';

/** What must hold between settings that are each well formed: each rule says what is wrong, or null. */
type Rule = (settings: RunSettings, requirements: readonly Requirement[]) => string | null;

const when = (wrong: boolean, problem: string): string | null => (wrong ? problem : null);

/** RATE-7, RATE-10 and RATE-14 are tested on any 429, but only that key is sent over its limit: alone, they would be left to chance. */
const needsSecondKey: readonly string[] = [5, 6, 7, 8, 9, 10, 11, 13, 14].map((number) => `RATE-${number}`);

const hasFigures = (plan: Plan | null): boolean => plan !== null && plan !== 'enterprise';

/** What a requirement needs that cannot be judged with these settings, whatever the target does. */
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

const needsRateLimitKey = (flag: string) => `${flag} needs --rate-limit-key`;

const unknownIds = (
  flag: '--only' | '--skip',
  words: readonly string[],
  requirements: readonly Requirement[],
) =>
  words
    .map((word) => ({ word, problem: problemOfId(word, requirements, { groups: true }) }))
    .filter(({ problem }) => problem !== null)
    .map(({ word, problem }) => `${flag}: ${listedIn(flag, word) ?? problem}`);

/** What is said of several ids in one word; null: it holds one. */
const listedIn = (flag: string, word: string): string | null => {
  const ids = word.split(',').map((id) => id.trim());
  return ids.length > 1 && ids.every((id) => /^\w+(-\d+)?$/.test(id))
    ? `takes one requirement or group, and is given again for each: ${ids.map((id) => `${flag} ${id}`).join(' ')}`
    : null;
};

const nothingToJudge: Rule = (settings, requirements) => {
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

/** VER-1: the path of the base URL ends in the version. */
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
    when(exhaustDaily && rateLimitKey === null, needsRateLimitKey('--exhaust-daily')),
  ({ allowBan, rateLimitKey }) => when(allowBan && rateLimitKey === null, needsRateLimitKey('--allow-ban')),
  ({ rateLimitPlan, rateLimitKey }) =>
    when(rateLimitPlan !== null && rateLimitKey === null, needsRateLimitKey('--rate-limit-plan')),
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

/** What is wrong with the ids of --only and --skip, one sentence each. */
export const problemsOfIds = (
  { only, skip }: Pick<RunSettings, 'only' | 'skip'>,
  requirements: readonly Requirement[],
): readonly string[] => [
  ...unknownIds('--only', only, requirements),
  ...unknownIds('--skip', skip, requirements),
];

/** What is wrong between settings, one sentence each; what is only a consequence of another problem is left out. */
export const problemsBetween = (
  settings: RunSettings,
  requirements: readonly Requirement[],
): readonly string[] => {
  const ids = problemsOfIds(settings, requirements);
  const others = rules.map((rule) => rule(settings, requirements)).filter((problem) => problem !== null);
  if (ids.length > 0 || others.length > 0) return [...others, ...ids];
  const nothing = nothingToJudge(settings, requirements);
  return nothing === null ? [] : [nothing];
};
