import { type Check, costOf } from '../check/check.ts';
import type { Execution } from './execution.ts';
import { generatedCases } from './run-check.ts';

/** How many requests checks send, and how many of these carry the key, as far as it is known before. */
export interface RequestEstimate {
  readonly requests: number;
  readonly keyed: number;
  /** How long checks wait that use up limits, in milliseconds. */
  readonly waitMs: number;
}

type Extent = Pick<Execution, 'inputsOf' | 'runs' | 'runContext' | 'budget' | 'path' | 'covers'>;

const casesOf = async (check: Check<unknown>, { inputsOf, runs, path, covers }: Extent): Promise<number> => {
  if (path !== null) return 1;
  const inputs = await inputsOf(check);
  const all = Array.from({ length: inputs.length + generatedCases(check, runs) });
  return all.filter((_, index) => covers(check, index)).length;
};

const requestsOf = async (check: Check<unknown>, extent: Extent): Promise<RequestEstimate> => {
  const cases = await casesOf(check, extent);
  const { requests, keyless, waitMs } = costOf(check, extent.runContext);
  return {
    requests: cases * requests,
    keyed: cases * Math.max(0, requests - keyless),
    waitMs: cases * waitMs,
  };
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
