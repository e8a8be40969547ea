import type { Outcome, RequirementResult } from '../../run/outcome.ts';
import { rootCauses } from '../root-causes.ts';
import { blockedBy } from '../sort-failures.ts';
import { type RootCause, rootCauseText } from '../text/root-causes.ts';
import { withVerdict } from '../verdicts.ts';

/** A likely bug: what shows it, and what fixing it clears. */
export interface Cause {
  readonly message: string;
  /** Null: the message says it all. */
  readonly sides: { readonly expected: string; readonly actual: string } | null;
  /** Requirements that fail because of it. */
  readonly ids: readonly string[];
  /** Requirements that could not be tested because of it. */
  readonly blocks: readonly string[];
}

const idsOf = (cause: RootCause): readonly string[] => [
  ...new Set([
    ...(cause.kind === 'failure' ? [cause.requirement] : []),
    ...cause.explains.map(({ requirement }) => requirement),
  ]),
];

const ofRoot = (cause: RootCause): Cause => ({
  message: rootCauseText(cause),
  sides: cause.kind === 'failure' ? cause.failure : null,
  ids: idsOf(cause),
  blocks: cause.blocks,
});

const ofItself =
  (all: readonly RequirementResult[]) =>
  ({ id, failures: [failure] }: RequirementResult): Cause => ({
    message: failure?.message ?? id,
    sides: failure ?? null,
    ids: [id],
    blocks: blockedBy(id, all),
  });

/** The likely bugs: root causes of several failures first, then each failed requirement that none of them explains. */
export const causesOf = (outcome: Pick<Outcome, 'requirements' | 'exchanges'>): readonly Cause[] => {
  const roots = rootCauses(outcome).map(ofRoot);
  const explained = new Set(roots.flatMap(({ ids }) => ids));
  const others = withVerdict(outcome.requirements, 'failed')
    .filter(({ id }) => !explained.has(id))
    .map(ofItself(outcome.requirements))
    .toSorted((a, b) => b.blocks.length - a.blocks.length);
  return [...roots, ...others];
};
