import type { EndReason } from '../finding/reason.ts';
import type { CoverageCell, Outcome, Traffic } from './outcome.ts';

/** The traffic of a run. */
interface Seen extends Pick<Outcome, 'coverage'> {
  readonly traffic: Pick<Traffic, 'byOperation'>;
}

/**
 * The operations that were requested, and that the run knows nothing of: no response came to its end, or each success was cut. What other
 * responses of such an operation show is only how it refuses.
 */
export const unreadOperations = (
  operations: Iterable<string>,
  { traffic, coverage }: Seen,
): readonly string[] =>
  [...new Set(operations)].filter((operation) => {
    if ((traffic.byOperation[operation] ?? 0) === 0) return false;
    const cells = coverage.filter((cell) => cell.operation === operation && cell.seen > 0);
    const successes = cells.filter(({ status }) => status.startsWith('2'));
    const isUnread = ({ seen, cut = 0 }: CoverageCell) => seen === cut;
    return cells.every(isUnread) || (successes.length > 0 && successes.every(isUnread));
  });

/** The operations whose responses are all 429, although other requests were sent: the run does not know what else they do. */
export const limitedOperations = (coverage: readonly CoverageCell[]): readonly string[] => {
  const seen = Map.groupBy(
    coverage.filter((cell) => cell.seen > 0),
    ({ operation }) => operation,
  );
  return [...seen].flatMap(([operation, cells]) =>
    cells.every(({ status, seen: all, expected = 0 }) => status === '429' && all > expected)
      ? [operation]
      : [],
  );
};

/** Why nothing is known of operations that were requested; null: something is known of all. `countsLimited`: a 429 tells nothing. */
export const whyUnread = (
  operations: Iterable<string>,
  seen: Seen,
  { countsLimited }: { readonly countsLimited: boolean },
): EndReason | null => {
  const { coverage } = seen;
  const unread = unreadOperations(operations, seen);
  const isCut = coverage.some(({ operation, cut = 0 }) => cut > 0 && unread.includes(operation));
  if (unread.length > 0) return { code: 'no-response', detail: 'operations', operations: unread, isCut };
  const limited = countsLimited ? limitedOperations(coverage) : [];
  return limited.length === 0 ? null : { code: 'no-response', detail: 'limited', operations: limited };
};
