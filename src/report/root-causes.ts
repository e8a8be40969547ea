import { groupOf } from '../openapi/requirement.ts';
import {
  type Culprit,
  isOfServer,
  type RecordedExchange,
  type RequirementResult,
  type ServerFailure,
} from '../run/outcome.ts';
import { explainedBy, mayHaveSeveralCauses, sameServerError } from './explanations.ts';
import type { Node } from './failure-node.ts';
import { type FailureOf, type LikelyBug, likelyBug, type Run } from './likely-bugs.ts';
import { blockedBy } from './sort-failures.ts';
import { foldRows } from './text/id-ranges.ts';
import { seenText, stepText } from './text/steps.ts';
import { summaryText } from './text/summary-line.ts';
import { counted } from './text/units.ts';
import { withVerdict } from './verdicts.ts';

type Source =
  | ({
      readonly kind: 'failure';
      /** Null: none is recognized. */
      readonly bug: LikelyBug | null;
    } & FailureOf)
  /** A successful request after which others fail. */
  | { readonly kind: 'request'; readonly culprit: Culprit };

/** What to fix first, and what that clears. */
export type RootCause = Source & {
  /** Further failures that this one explains. */
  readonly explains: readonly FailureOf[];
  /** Server errors with the same response, which does not show whether they have the same cause. */
  readonly sameBody: readonly FailureOf[];
  /** Failures that may have further causes. Its own may be one of them. */
  readonly partly: readonly ServerFailure[];
  /** Requirements that fail only because of this root cause. Its own requirement may be one of them. */
  readonly clears: readonly string[];
  /** Requirements that could not be tested because of this root cause. */
  readonly blocks: readonly string[];
};

const mostRootCauses = 5;

/** Names are unique, so a creation is recognized by its body. */
const originOf = ({ before = [] }: ServerFailure, { exchanges }: Run): number | null => {
  const creation = before.find(({ request }) => request.method === 'POST');
  return (
    exchanges.find(({ request }) => creation !== undefined && request.body === creation.request.body)?.id ??
    null
  );
};

const nodesOf = (run: Run): readonly Node[] =>
  withVerdict(run.requirements, 'failed').flatMap((result) =>
    result.failures.filter(isOfServer).map((failure) => {
      const { id } = result;
      const comparable = run.exchanges.filter(
        ({ operation, response }) =>
          operation === failure.operation && response?.status === failure.response?.status,
      );
      const isBreach = ({ id: exchange, breaches }: RecordedExchange) =>
        exchange === failure.exchange || breaches.includes(id);
      return {
        requirement: id,
        failure,
        bug: likelyBug(result, failure, run),
        exchanges: comparable.filter(isBreach),
        origin: originOf(failure, run),
        passing: comparable.filter((exchange) => !isBreach(exchange)),
      };
    }),
  );

/** A possible root cause. */
interface Candidate {
  readonly source: Source;
  /** The failure itself; null: the cause is a request. */
  readonly node: Node | null;
  /** The failures that it explains, and that no root cause explains yet. */
  readonly nodes: ReadonlySet<Node>;
  readonly blocks: readonly string[];
}

/** Animals that an earlier run left are no bug of this server: such failures have no cause, and are none. */
const candidatesOf = (nodes: readonly Node[], { requirements }: Run): readonly Candidate[] => [
  ...[...Map.groupBy(nodes, ({ failure }) => failure.causedBy?.exchange).values()].flatMap((members) => {
    const culprit = members[0]?.failure.causedBy;
    if (culprit === undefined) return [];
    return [
      { source: { kind: 'request' as const, culprit }, node: null, nodes: new Set(members), blocks: [] },
    ];
  }),
  ...nodes.map((node) => {
    const { requirement, failure, bug } = node;
    return {
      source: { kind: 'failure' as const, requirement, failure, bug },
      node,
      nodes: explainedBy(node, nodes),
      blocks: blockedBy(requirement, requirements),
    };
  }),
];

/** The order of failures that explain each other: the Error body and the default of status, a likely bug, requirements on the operation, general requirements. */
const generality = ({ source }: Candidate): number => {
  if (source.kind === 'request' || ['ERR-1', 'CREATE-4'].includes(source.requirement)) return 0;
  if (source.requirement.startsWith('GEN-')) return 3;
  return source.bug === null ? 2 : 1;
};

const hasTimedOut = ({ failure: { problem } }: Node): boolean =>
  problem.rule === 'no-response' && problem.failure === 'timeout';

/** The run ended early because of time-outs, which hide everything that was not tested. */
const endsRun = ({ node }: Candidate, { endedCode }: Run): boolean =>
  endedCode === 'run-ended' && node !== null && hasTimedOut(node);

const weightOf = ({ nodes, blocks }: Candidate): number => nodes.size + blocks.length;

const failureOf = ({ requirement, failure }: Node): FailureOf => ({ requirement, failure });

const rootCauseOf = (
  { source, node, nodes, blocks }: Candidate,
  sameBody: readonly Node[],
  all: readonly Node[],
): RootCause => {
  const explained = [...nodes];
  const partly = explained.filter(mayHaveSeveralCauses);
  const isLeft = (each: Node): boolean => !nodes.has(each) || partly.includes(each);
  const unexplained = new Set(all.filter(isLeft).map(({ requirement }) => requirement));
  const cleared = new Set(explained.map(({ requirement }) => requirement));
  return {
    ...source,
    explains: explained.filter((each) => each !== node).map(failureOf),
    sameBody: sameBody.map(failureOf),
    partly: partly.map(({ failure }) => failure),
    clears: [...cleared].filter((id) => !unexplained.has(id)),
    blocks,
  };
};

/**
 * Returns at most five root causes, the largest first. Each explains failures that no earlier one explains. A failure that
 * explains no other failure, and blocks nothing, is not a root cause.
 */
export const rootCauses = (run: Run): readonly RootCause[] => {
  const nodes = nodesOf(run);
  let candidates = candidatesOf(
    nodes.filter(({ failure }) => failure.leftBy === undefined),
    run,
  );
  const chosen: RootCause[] = [];
  while (chosen.length < mostRootCauses) {
    const [best] = candidates
      .filter((candidate) => weightOf(candidate) > 1 || endsRun(candidate, run))
      .sort(
        (a, b) =>
          Number(endsRun(b, run)) - Number(endsRun(a, run)) ||
          weightOf(b) - weightOf(a) ||
          generality(a) - generality(b),
      );
    if (best === undefined) break;
    const open = new Set(
      candidates.flatMap((candidate) => [...candidate.nodes]).filter((node) => !best.nodes.has(node)),
    );
    const alike = [...open].filter((node) => best.node !== null && sameServerError(best.node, node));
    chosen.push(rootCauseOf(best, alike, nodes));
    for (const node of alike) open.delete(node);
    candidates = candidates
      .filter(({ source, node }) => source !== best.source && (node === null || open.has(node)))
      .map((candidate) => ({
        ...candidate,
        nodes: new Set([...candidate.nodes].filter((node) => open.has(node))),
      }));
  }
  return chosen;
};

/** The sort order of a requirement: with a root cause by its number, then not cleared by any, then cleared. */
const rankOf = ({ id }: RequirementResult, causes: readonly RootCause[]): number => {
  const leading = causes.findIndex((cause) => cause.kind === 'failure' && cause.requirement === id);
  if (leading >= 0) return leading;
  return causes.some(({ clears }) => clears.includes(id)) ? causes.length + 1 : causes.length;
};

/** Sorts requirements: first with a root cause, in the order of the causes, then not cleared by any cause, then cleared. */
export const byRootCause = (
  failed: readonly RequirementResult[],
  causes: readonly RootCause[],
): readonly RequirementResult[] => failed.toSorted((a, b) => rankOf(a, causes) - rankOf(b, causes));

/** The failure that represents a requirement: its root cause, otherwise its first failure. */
export const shownFailure = ({ id, failures }: RequirementResult, causes: readonly RootCause[]) =>
  causes.flatMap((cause) => (cause.kind === 'failure' && cause.requirement === id ? cause.failure : []))[0] ??
  failures[0];

/** Other operations on which the requirement fails in the same way. */
const alsoOn = ({ requirement, failure, explains }: RootCause & { readonly kind: 'failure' }) => {
  const same = explains.filter(
    (each) => each.requirement === requirement && each.failure.alike === failure.alike,
  );
  return [...new Set(same.map((each) => each.failure.operation))].filter(
    (each) => each !== failure.operation,
  );
};

/** What to fix, in a sentence. */
export const rootCauseText = (cause: RootCause): string => {
  if (cause.kind === 'request') return `Lists fail since this request: ${stepText(cause.culprit)}`;
  const { message } = cause.failure;
  const text = cause.bug?.text ?? summaryText({ message, operations: alsoOn(cause), others: 0 });
  const often = seenText(cause.failure);
  return `${cause.requirement} ${text}${often === null ? '' : ` (${often})`}`;
};

/** The requirements that have a failure of this root cause. */
export const affectedBy = (cause: RootCause): readonly string[] => [
  ...new Set([
    ...(cause.kind === 'failure' ? [cause.requirement] : []),
    ...cause.explains.map(({ requirement }) => requirement),
  ]),
];

/** `3 more failures of GEN-4, LIST-7 with the same error response: …`; null: there are none. */
export const sameBodyText = ({ sameBody }: RootCause): string | null => {
  const ids = new Set(sameBody.map(({ requirement }) => requirement));
  return ids.size === 0
    ? null
    : `${counted(sameBody.length, 'more failure')} of ${[...ids].join(', ')} with the same error response: one bug or several, log the exceptions to see`;
};

/** `clears 8 failures: all of LIST-8, CREATE-1, and some of GEN-3; blocks LIST-9`. */
export const effectText = (cause: RootCause): string => {
  const some = affectedBy(cause).filter((id) => !cause.clears.includes(id));
  const parts = [
    ...(cause.clears.length === 0 ? [] : [`all of ${cause.clears.join(', ')}`]),
    ...(some.length === 0 ? [] : [`some of ${some.join(', ')}`]),
  ];
  const failures = cause.explains.length + (cause.kind === 'failure' ? 1 : 0) - cause.partly.length;
  const blocked = [...Map.groupBy(cause.blocks, groupOf).values()].flatMap(foldRows);
  return [
    `clears ${failures === 0 ? '' : `${counted(failures, 'failure')}: `}${parts.join(', and ')}`,
    ...(blocked.length === 0 ? [] : [`blocks ${blocked.join(', ')}`]),
    ...[sameBodyText(cause)].filter((text) => text !== null),
  ].join('; ');
};
