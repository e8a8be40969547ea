import type { RequirementResult } from '../../run/outcome.ts';
import { stepText } from '../failure-text.ts';
import { culpritOf } from '../root-cause.ts';
import { withStanding } from '../verdicts.ts';
import { hinderedBy } from '../weight.ts';

/** A likely bug: what shows it, and what fixing it clears. */
export interface Cause {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Requirements that fail because of it. */
  readonly ids: readonly string[];
  /** Requirements that could not be tested because of it. */
  readonly blocks: readonly string[];
}

/** Requirements that fail because of the same request have one cause. */
const exchangeOf = (result: RequirementResult): string =>
  String(culpritOf(result)?.exchange ?? result.failures[0]?.exchange ?? result.id);

const causeOf = (
  members: readonly RequirementResult[],
  all: readonly RequirementResult[],
): readonly Cause[] => {
  const [first] = members;
  const [failure] = first?.failures ?? [];
  if (first === undefined || failure === undefined) return [];
  const culprit = culpritOf(first);
  const ids = members.map(({ id }) => id);
  const message = culprit === null ? failure.message : `Lists fail after this request: ${stepText(culprit)}`;
  const blocks = ids.flatMap((id) => hinderedBy(id, all));
  return [{ message, expected: failure.expected, actual: failure.actual, ids, blocks }];
};

/** The likely bugs, those first that clear most. */
export const causesOf = (requirements: readonly RequirementResult[]): readonly Cause[] =>
  [...Map.groupBy(withStanding(requirements, 'failed'), exchangeOf).values()]
    .flatMap((members) => causeOf(members, requirements))
    .toSorted((a, b) => b.ids.length + b.blocks.length - a.ids.length - a.blocks.length);
