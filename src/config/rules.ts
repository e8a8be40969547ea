import type { Plan } from '../openapi/plans.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { isLoopback } from './loopback.ts';
import { idProblems, needs, settingsProblems } from './refusals.ts';
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
  if (id === 'VER-1' && settings.allowAnyPath) return needs.versionedUrl;
  if (baseUrl === null) return null;
  if (id === 'RATE-3' && !hasFigures(plan) && !hasFigures(rateLimitPlan)) return needs.plan;
  if (!needsSecondKey.includes(id)) return null;
  if (rateLimitKey === null) return needs.secondKey;
  return id === 'RATE-11' && !exhaustDaily ? needs.exhaustDaily : null;
};

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
    ? idProblems.severalInOne(flag, ids)
    : null;
};

const nothingToTest: Rule = (settings, requirements) => {
  const left = selected(requirements, settings);
  if (left.length === 0) return settingsProblems.noneSelected;
  const missing = left.map(({ id }) => missingFor(id, settings));
  return when(!missing.includes(null), settingsProblems.noneTestable(`${left[0]?.id}`, `${missing[0]}`));
};

/** Whether the path of the base URL ends in the version (VER-1). */
export const hasVersion = (baseUrl: string): boolean => new URL(baseUrl).pathname.endsWith('/v1');

const rules: readonly Rule[] = [
  ({ baseUrl, allowAnyPath, spec }) =>
    when(
      baseUrl !== null && spec === null && !allowAnyPath && !hasVersion(baseUrl),
      settingsProblems.noVersion,
    ),
  ({ baseUrl, apiKey, spec }) =>
    when(baseUrl !== null && spec === null && apiKey === null, settingsProblems.noKey),
  ({ headers, spec, apiKey }) => {
    if (!headers.some(({ name }) => name.toLowerCase() === 'authorization')) return null;
    if (spec === null) return settingsProblems.authorizationOfStore;
    return when(apiKey !== null, settingsProblems.twoAuthorizations);
  },
  ({ apiKey, rateLimitKey }) =>
    when(rateLimitKey !== null && rateLimitKey === apiKey, settingsProblems.sameKey),
  ({ exhaustDaily, rateLimitKey }) =>
    when(exhaustDaily && rateLimitKey === null, settingsProblems.needsSecondKey('--exhaust-daily')),
  ({ allowBan, rateLimitKey }) =>
    when(allowBan && rateLimitKey === null, settingsProblems.needsSecondKey('--allow-ban')),
  ({ rateLimitPlan, rateLimitKey }) =>
    when(
      rateLimitPlan !== null && rateLimitKey === null,
      settingsProblems.needsSecondKey('--rate-limit-plan'),
    ),
  ({ clientCert, clientKey }) =>
    when(
      clientCert !== null && clientKey === null,
      settingsProblems.keyNeedsCertificate('--client-cert', '--client-key'),
    ),
  ({ clientCert, clientKey }) =>
    when(
      clientKey !== null && clientCert === null,
      settingsProblems.keyNeedsCertificate('--client-key', '--client-cert'),
    ),
  ({ keepSecrets, baseUrl }) =>
    when(keepSecrets && baseUrl !== null && !isLoopback(baseUrl), settingsProblems.keepSecrets),
  ({ spec, operations, skipOperations }) =>
    when(
      spec === null && operations.length + skipOperations.length > 0,
      settingsProblems.needsSpec(operations.length > 0 ? '--operation' : '--skip-operation'),
    ),
  ({ path, only, seed }) =>
    when(path !== null && (only.length === 0 || seed === null), settingsProblems.pathAlone),
  ({ workers, path, shard, budget }) => {
    if (workers === 1) return null;
    if (shard.of > 1) return settingsProblems.workersInShard;
    if (budget !== null) return settingsProblems.workersOnBudget;
    return when(path !== null, settingsProblems.pathInWorkers);
  },
  ({ path, shard }) => when(path !== null && shard.of > 1, settingsProblems.pathInShard),
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
