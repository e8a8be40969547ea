import { type Failure, isOfServer, type RequirementResult } from '../../run/outcome.ts';
import { hasSeveralInputs } from '../explanations.ts';
import { groupFailures } from '../group-failures.ts';
import { likelyBug, type Run } from '../likely-bugs.ts';
import { affectedBy, type RootCause, rootCauses, rootCauseText, sameBodyText } from '../root-causes.ts';
import { blockedBy } from '../sort-failures.ts';
import { shorten } from '../text/escape.ts';
import { summaryText } from '../text/summary-line.ts';
import { withVerdict } from '../verdicts.ts';

/** A likely bug: what shows it, and what fixing it clears. */
export interface Cause {
  /** From 1, in the order in which they should be fixed. */
  readonly number: number;
  readonly message: string;
  /** Null: the message already contains them. */
  readonly sides: { readonly expected: string; readonly actual: string } | null;
  /** Requirements that fail only because of this bug. */
  readonly clears: readonly string[];
  /** Requirements that also have other failures. */
  readonly partly: readonly string[];
  /** Requirements that could not be tested because of this bug. */
  readonly blocks: readonly string[];
}

const LONGEST_MESSAGE = 160;

type Unnumbered = Omit<Cause, 'number'>;

const fromRootCause = (cause: RootCause): Unnumbered => ({
  message: [rootCauseText(cause), sameBodyText(cause)].filter((text) => text !== null).join('; '),
  sides: cause.kind === 'failure' && cause.bug === null ? cause.failure : null,
  clears: cause.clears,
  partly: affectedBy(cause).filter((id) => !cause.clears.includes(id)),
  blocks: cause.blocks,
});

/** A likely bug from the failures of a requirement that no root cause explains. */
const fromOtherFailures =
  (explained: ReadonlySet<Failure>, run: Run) =>
  (result: RequirementResult): Unnumbered => {
    const { id, failures } = result;
    const unexplained = failures.filter((each) => !explained.has(each));
    const [failure] = unexplained;
    const others = groupFailures(unexplained).length - 1;
    const bug = failure === undefined ? null : likelyBug(result, failure, run);
    const isPart = failures.some((each) => isOfServer(each) && hasSeveralInputs({ bug, failure: each }));
    const isWhole = groupFailures(failures).length === 1 && !isPart;
    return {
      message: `${id} ${summaryText({ message: bug?.text ?? shorten(failure?.message ?? '', LONGEST_MESSAGE), operations: [], others })}`,
      sides: bug === null ? (failure ?? null) : null,
      clears: isWhole ? [id] : [],
      partly: isWhole ? [] : [id],
      blocks: blockedBy(id, run.requirements),
    };
  };

const failuresOf = (cause: RootCause): readonly Failure[] => [
  ...(cause.kind === 'failure' ? [cause.failure] : []),
  ...[...cause.explains, ...cause.sameBody].map(({ failure }) => failure),
];

/** The likely bugs: root causes of several failures first, then each requirement with a failure that none of them explains. */
export const causesOf = (outcome: Run): readonly Cause[] => {
  const roots = rootCauses(outcome);
  const explained = new Set(roots.flatMap(failuresOf));
  const others = withVerdict(outcome.requirements, 'failed')
    .filter(({ failures }) => !failures.every((failure) => explained.has(failure)))
    .map(fromOtherFailures(explained, outcome))
    .toSorted((a, b) => b.blocks.length - a.blocks.length);
  return [...roots.map(fromRootCause), ...others].map((cause, index) => ({ ...cause, number: index + 1 }));
};
