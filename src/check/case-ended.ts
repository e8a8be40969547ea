import type { ParsedResponse } from '../http/parsed-response.ts';
import type { LossCode, Reason } from '../oracle/reason.ts';

/** Ends a case: what it needs did not come. */
export class CaseEnded extends Error {
  readonly reason: Reason;
  /** What the case was lost to; null: to nothing, the server gave no chance to decide. */
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
