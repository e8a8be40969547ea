import type { LossCode, Reason } from '../finding/reason.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';

/** Thrown to end a case because something that it needs is missing. */
export class CaseSkipped extends Error {
  readonly reason: Reason;
  /** The limit of the run that ended the case; null if the server gave no chance to decide. */
  readonly lostTo: LossCode | null;
  /** The 429 that ended the case; null if there was another reason. */
  readonly response429: ParsedResponse | null;

  constructor(
    reason: Reason,
    { lostTo = null, response429 = null }: Partial<Pick<CaseSkipped, 'lostTo' | 'response429'>> = {},
  ) {
    super(reason.code);
    this.reason = reason;
    this.lostTo = lostTo;
    this.response429 = response429;
  }
}

/** Returns the result, or null if the case ended early. Rethrows any other error, which is an error of the suite. */
export const nullIfEnded = async <Result>(work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CaseSkipped) return null;
    throw error;
  }
};
