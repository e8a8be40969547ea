import type { CoverageCell, ServerFailure } from '../../run/outcome.ts';
import { frameworkOf } from '../frameworks.ts';
import { jsonIn } from '../json-text.ts';
import type { Lacking, PartlySent, Writer } from '../text/bugs.ts';
import { type Context, headerIn, type Run } from './context.ts';

/** Fewer failures may have different causes. */
const fewestEverywhere = 3;

const neverPasses = ({ passed = [] }: ServerFailure): boolean => passed.length === 0;

/** How many responses of a cell have all of these headers. */
const responsesWith = ({ headers }: CoverageCell, names: readonly string[]): number =>
  Math.min(...names.map((name) => headers[name.toLowerCase()] ?? 0));

/** Returns the headers or members that all failures have in common, or null if other rules or parts fail too, or other responses have them. */
export const commonParts = (
  { failure, failures, run }: Context,
  rule: string,
  part: 'headers' | 'members',
): readonly string[] | null => {
  const names = failure[part] ?? [];
  const isSame = failures.every(
    (each) => each.rule === rule && each[part]?.join() === names.join() && neverPasses(each),
  );
  const isSent = part === 'headers' && run.coverage.some((cell) => responsesWith(cell, names) > 0);
  return isSame && !isSent && names.length > 0 && failures.length >= fewestEverywhere ? names : null;
};

/** The Content-Type of a response if it is the problem, otherwise null. */
export const wrongContentType = ({ problem }: ServerFailure): string | null =>
  problem.rule === 'media-type' ? problem.contentType : null;

/** The Content-Type that responses of all kinds have. */
export const commonContentType = ({ requirement, failure, failures }: Context): string | null => {
  const contentType = wrongContentType(failure);
  const alike = failures.filter((each) => wrongContentType(each) === contentType);
  const isEverywhere = alike.length >= fewestEverywhere && alike.every(neverPasses);
  return requirement === 'GEN-2' && isEverywhere ? contentType : null;
};

const writerOf = (status: string, breaches: Run['exchanges']): Writer => {
  if (status === '401') return 'authentication';
  if (breaches.length === 0) return null;
  const isUnparsed = breaches.every(
    ({ operation, request }) => operation === 'createPet' && jsonIn(request.body) === undefined,
  );
  if (status === '400' && isUnparsed) return 'body parser';
  const isDefault = breaches.every(({ response }) => frameworkOf(response?.body) !== null);
  return status === '404' && isDefault ? 'router' : null;
};

/** Which responses lack rate limit headers that other responses have. Returns null if this is not known, or if no response has them. */
export const partlySent = ({ requirement, failure, failures, run }: Context): PartlySent | null => {
  const names = failure.headers ?? [];
  if (requirement !== 'RATE-1' || failure.rule !== 'header-missing' || names.length === 0) return null;
  const seen = run.coverage.filter((cell) => cell.seen > 0);
  const sent = seen.filter((cell) => responsesWith(cell, names) > 0);
  const failing = new Set(failures.map(({ response }) => String(response?.status)));
  const lacking = seen.filter((cell) => failing.has(cell.status) && responsesWith(cell, names) < cell.seen);
  if (sent.length === 0 || lacking.length === 0) return null;
  const lackingIn = [...Map.groupBy(lacking, ({ status }) => status)].map(([status, cells]): Lacking => {
    const others = seen.filter((cell) => cell.status === status && !cells.includes(cell));
    const breaches = run.exchanges.filter(
      (each) => String(each.response?.status) === status && each.breaches.includes(requirement),
    );
    const [only, ...further] = cells;
    return {
      status,
      isEvery: cells.every((cell) => responsesWith(cell, names) === 0),
      writer: writerOf(status, breaches),
      operation: others.length > 0 && further.length === 0 ? (only?.operation ?? null) : null,
    };
  });
  return { names, lacking: lackingIn, sentOn: [...new Set(sent.map(({ status }) => status))].toSorted() };
};

/** The Remaining that all responses have, if requests are not counted. */
export const stuckRemaining = ({ failure: { problem } }: Context): number | null =>
  problem.rule === 'counter-stuck' && problem.in === 'every operation'
    ? (problem.latest[0]?.remaining ?? null)
    : null;

/** The longest time to a reset: a day, and a minute for clocks that differ. */
const longestWindow = 86_460;

interface SentReset {
  readonly value: number;
  readonly at: number;
}

const resetsIn = ({ exchanges }: Run): readonly SentReset[] =>
  exchanges.flatMap(({ response, startedAt, breaches }) => {
    const value = headerIn(response?.headers ?? {}, 'x-ratelimit-reset');
    return value === null || !breaches.includes('RATE-2')
      ? []
      : [{ value: Number(value), at: startedAt / 1_000 }];
  });

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** A number of seconds never changes so many times faster than the clock, except by a new window of a minute. */
const fastest = 10;

/** The unit of a Reset that is the time left, by how fast it changes. Returns null for other values of Reset. */
export const timeLeft = ({ failure: { problem }, run }: Context): 'seconds' | 'milliseconds' | null => {
  if (problem.rule !== 'reset-past' || Number(problem.reset) > longestWindow * 1_000) return null;
  const resets = resetsIn(run);
  const elapsed = spread(resets.map(({ at }) => at));
  const changed = spread(resets.map(({ value }) => value));
  return changed > 60 + fastest * elapsed ? 'milliseconds' : 'seconds';
};

/** Whether a Reset is a timestamp in milliseconds. */
export const isInMilliseconds = ({ failure: { problem } }: Context): boolean =>
  problem.rule === 'reset-far' &&
  Math.abs(Number(problem.reset) / 1_000 - Number(problem.now)) <= longestWindow;
