import { type ReasonCode, settingsFor } from '../finding/reason.ts';
import type { Outcome, RequirementResult } from '../run/outcome.ts';
import { foldRows } from './text/id-ranges.ts';
import { neededBy } from './text/summary.ts';
import { counted } from './text/units.ts';
import { groups, limitedBySettings, mustsOf, notReached, withVerdict } from './verdicts.ts';

/** Ids as one text: a row of ids as a range, a whole group by its name. */
export const idsOf = (members: readonly RequirementResult[], all: readonly RequirementResult[]): string => {
  const sizes = new Map(groups(all).map(({ id, results }) => [id, results.length]));
  return groups(members)
    .flatMap(({ id, results }) =>
      results.length > 1 && results.length === sizes.get(id)
        ? [id]
        : foldRows(results.map((result) => result.id)),
    )
    .join(', ');
};

/** Reasons that a setting removes. */
const missingSettings: readonly (ReasonCode | null)[] = [
  'needs-rate-limit-key',
  'needs-exhaust-daily',
  'needs-risky',
  'unknown-plan',
];

/** The verb before a setting: the requirements need it, or it limited their tests. */
export const verbFor = (members: readonly RequirementResult[]): string => {
  if (!members.every(({ reasonCode }) => missingSettings.includes(reasonCode))) return neededBy.limited;
  return members.length === 1 ? neededBy.one : neededBy.several;
};

/** `RATE-3 (needs --plan)`, `RATE-5 to RATE-9 (need --rate-limit-key)`, `CREATE-1 (limited by --read-only)`. */
const bySettings = (missing: readonly RequirementResult[], all: readonly RequirementResult[]) =>
  [...Map.groupBy(missing, ({ reasonCode }) => settingsFor(reasonCode).join(', '))].map(
    ([settings, members]) => `${idsOf(members, all)} (${verbFor(members)} ${settings})`,
  );

/** What was not tested because of settings or an early end, as text; null: nothing. */
export const notTested = (outcome: Pick<Outcome, 'requirements' | 'ended' | 'usedUp'>): string | null => {
  const { requirements, ended, usedUp } = outcome;
  const lost = mustsOf(withVerdict(requirements, 'inconclusive')).filter(
    ({ reasonCode }) => reasonCode === 'rate-limit',
  );
  const unreached = notReached(outcome);
  const parts = [
    ...bySettings(limitedBySettings(outcome), requirements),
    ...(unreached.length === 0 ? [] : [`${idsOf(unreached, requirements)} (${ended})`]),
    ...(usedUp === undefined || lost.length === 0
      ? []
      : [`${idsOf(lost, requirements)} (${counted(lost.length, 'MUST')}, because ${usedUp})`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
};
