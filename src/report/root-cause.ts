import type { Culprit, Outcome, RequirementResult } from '../run/outcome.ts';
import { stepText } from './failure-text.ts';

/** A requirement fails only for this earlier request; null: not, or not only. */
export const culpritOf = ({ failures }: RequirementResult): Culprit | null => {
  const [first] = failures;
  return failures.every(({ causedBy }) => causedBy !== undefined) ? (first?.causedBy ?? null) : null;
};

/** The request that most requirements fail for, with those requirements; null: none is known. */
export const rootCause = ({
  requirements,
}: Pick<Outcome, 'requirements'>): { readonly culprit: Culprit; readonly ids: readonly string[] } | null => {
  const consequences = requirements.flatMap(({ id, verdict, failures }) =>
    verdict === 'failed'
      ? failures.flatMap(({ causedBy }) => causedBy ?? []).map((culprit) => ({ id, culprit }))
      : [],
  );
  const groups = [...Map.groupBy(consequences, ({ culprit }) => culprit.exchange).values()];
  const [group] = groups.toSorted((a, b) => b.length - a.length);
  const [first] = group ?? [];
  if (group === undefined || first === undefined) return null;
  return { culprit: first.culprit, ids: [...new Set(group.map(({ id }) => id))] };
};

const listed = new Intl.ListFormat('en');

/** The root cause in a sentence; null: none is known. */
export const rootCauseLine = (outcome: Pick<Outcome, 'requirements'>): string | null => {
  const found = rootCause(outcome);
  if (found === null) return null;
  const { culprit, ids } = found;
  return `Root cause: ${stepText(culprit)}. Lists succeed before this request and fail after it: ${listed.format(ids)}.`;
};
