import type { FailureDetail, TransportFailure } from '../../http/exchange.ts';

/** A problem with a wrong status. Each wrong status is a separate cause. */
export interface WrongStatus {
  readonly wrongStatus: number;
}

/** A wrong status, or no response. */
export type StatusProblem =
  | ({
      readonly rule: 'status';
      readonly allowed: readonly (number | '4xx')[];
      readonly because: string;
    } & WrongStatus)
  | ({ readonly rule: 'server-error' } & WrongStatus)
  | ({
      readonly rule: 'undocumented-status';
      readonly operation: string;
      readonly documented: readonly string[];
    } & WrongStatus)
  | {
      readonly rule: 'no-response';
      readonly failure: TransportFailure['kind'];
      readonly detail: FailureDetail;
    }
  /** A limit at its bounds is rejected, although the same filter succeeds without it. */
  | ({
      readonly rule: 'limit-rejected';
      readonly limit: number | undefined;
      readonly filter: string;
    } & WrongStatus)
  | ({ readonly rule: 'scheme-case-sensitive' } & WrongStatus)
  | ({ readonly rule: 'operation-missing' } & WrongStatus)
  /** `statuses`: the statuses for existing ids; absent: one response already says that the operation is removed. */
  | ({ readonly rule: 'removed-too-early'; readonly statuses?: readonly number[] } & WrongStatus)
  | ({
      readonly rule: 'not-served';
      readonly id: bigint;
      /** `own`: the run created it some time ago. `requested`: its id was requested before it was created. */
      readonly known: 'own' | 'created' | 'listed' | 'requested';
      /** The input of its creation, in words. */
      readonly input?: string;
    } & WrongStatus)
  /** The connection of a rejected request no longer works, because the server left this part of the request unread. */
  | ({
      readonly rule: 'body-left-unread' | 'head-left-unread';
      /** The rejected request, in words. */
      readonly rejected: string;
      readonly rejectedWith: number;
    } & WrongStatus);
