import { type LossCode, type ReasonCode, settingsFor } from '../finding/reason.ts';
import { losses } from '../finding/reasons/cases.ts';
import type { Outcome, RequirementResult } from '../run/outcome.ts';
import { oneLine, shorten } from './text/escape.ts';
import { foldRows } from './text/id-ranges.ts';
import { neededBy, summaryWords as words } from './text/summary.ts';
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

const longestReason = 100;

/** Why a requirement has no result, in a few words: without the number of cases, so that several have the same reason. */
const shortReason = ({ reason, evidence }: RequirementResult): string => {
  const lost = Object.keys(evidence?.lost ?? {}) as LossCode[];
  return lost.length === 0
    ? shorten(oneLine(reason ?? words.noReason), longestReason)
    : words.lostCases(lost.map((code) => losses[code]));
};

/** `LIST-2 to LIST-5 (cases not run: --max-creates), CREATE-8 (Blocked: CREATE-1 failed)`. */
export const withShortReasons = (
  members: readonly RequirementResult[],
  all: readonly RequirementResult[],
): string =>
  [...Map.groupBy(members, shortReason)]
    .map(([reason, same]) => `${idsOf(same, all)} (${reason})`)
    .join(', ');

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
