import type { Check } from '../check/check.ts';
import type { Execution } from './execution.ts';
import { generatedCases } from './run-check.ts';

/** How many requests checks send, and how many of these carry the key, as far as it is known before. */
export interface RequestEstimate {
  readonly requests: number;
  readonly keyed: number;
  /** How long checks wait that use up limits, in milliseconds. */
  readonly waitMs: number;
}

type Extent = Pick<Execution, 'examplesOf' | 'runs' | 'fixtures' | 'budget' | 'path' | 'covers'>;

const casesOf = async (
  check: Check<unknown>,
  { examplesOf, runs, path, covers }: Extent,
): Promise<number> => {
  if (path !== null) return 1;
  const examples = await examplesOf(check);
  const all = Array.from({ length: examples.length + generatedCases(check, runs) });
  return all.filter((_, index) => covers(check, index)).length;
};

const requestsOf = async (check: Check<unknown>, extent: Extent): Promise<RequestEstimate> => {
  const cases = await casesOf(check, extent);
  if (check.limitCost !== undefined) {
    const { requests, waitMs } = check.limitCost(extent.fixtures);
    // With a key of their own.
    return { requests: cases * requests, keyed: 0, waitMs: cases * waitMs };
  }
  const { cost = 1, keyless = 0, readOnlyCost = cost } = check;
  const each = extent.fixtures.readOnly ? readOnlyCost : cost;
  return { requests: cases * each, keyed: cases * Math.max(0, each - keyless), waitMs: 0 };
};

/** What is to be sent, where `sent` requests of a budget were before. */
export const estimateRequests = async (
  checks: readonly Check<unknown>[],
  extent: Extent,
  sent: number,
): Promise<RequestEstimate> => {
  const all = await Promise.all(checks.map((check) => requestsOf(check, extent)));
  const sum = (of: keyof RequestEstimate): number => all.reduce((total, each) => total + each[of], 0);
  const requests = Math.min(Math.round(sum('requests')), (extent.budget ?? Number.POSITIVE_INFINITY) - sent);
  const part = requests / Math.max(1, sum('requests'));
  return { requests, keyed: Math.round(part * sum('keyed')), waitMs: part * sum('waitMs') };
};
