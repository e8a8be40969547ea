import type { ParsedResponse } from '../http/parsed-response.ts';
import type { LossCode, Reason } from '../oracle/reason.ts';

/** Thrown to end a case: something that it needs is not there. */
export class CaseEnded extends Error {
  readonly reason: Reason;
  /** The limit of the run that the case was lost to; null: none, the server gave no chance to decide. */
  readonly lostTo: LossCode | null;
  /** The 429 after which nothing more is sent; null: that is not why. */
  readonly refused: ParsedResponse | null;

  constructor(
    reason: Reason,
    { lostTo = null, refused = null }: Partial<Pick<CaseEnded, 'lostTo' | 'refused'>> = {},
  ) {
    super(reason.code);
    this.reason = reason;
    this.lostTo = lostTo;
    this.refused = refused;
  }
}

/** Returns the result, or null if the case ended before there was one. Any other error is an error of the suite, and is thrown. */
export const nullIfEnded = async <Result>(work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CaseEnded) return null;
    throw error;
  }
};
