import type { KeySlot } from '../../http/exchange.ts';
import type { WrongStatus } from './status.ts';

/** What is wrong with how requests are counted and limited. */
export type LimitProblem =
  | {
      readonly rule: '429-while-remaining';
      readonly in: 'any response';
      readonly slot: KeySlot;
      readonly before: number;
      readonly sentSince: number;
      readonly remaining: string;
      /** The first 429 with this key: the number of its request, and its time since the start of the run. */
      readonly first: { readonly request: number; readonly afterMs: number };
    }
  | {
      readonly rule: '429-while-remaining';
      readonly in: 'window';
      readonly shownAt: 'start' | 'end';
      readonly shown: number | undefined;
      readonly succeeded: number | undefined;
    }
  /** `remaining`: three values in order. */
  | {
      readonly rule: 'counter-jumps';
      readonly remaining: readonly [number, number, number];
      readonly reset: number;
    }
  | { readonly rule: 'reset-moves-back'; readonly resets: readonly [number, number, number] }
  | {
      readonly rule: 'counter-stuck';
      readonly in: 'rate-limit key';
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly rule: 'counter-stuck';
      readonly in: 'every operation';
      readonly latest: readonly {
        readonly operation: string;
        readonly remaining: number;
        readonly limit: number;
      }[];
    }
  | { readonly rule: 'counter-rises'; readonly remaining: number; readonly limit: number }
  | { readonly rule: 'limit-shows-remaining'; readonly limits: readonly number[] }
  | { readonly rule: 'refused-after-wait'; readonly times: number; readonly retryAfter: string }
  | ({
      readonly rule: 'refused-after-wait';
      readonly waited: string;
      /** Null: the status is not 429. */
      readonly retryAfter: string | null;
    } & WrongStatus)
  | {
      readonly rule: 'refused-after-reset';
      readonly limit: number;
      readonly reset: number;
      /** The headers of the 429. */
      readonly shown: { readonly reset: string; readonly date: string };
    }
  | {
      readonly rule: 'limit-not-enforced';
      readonly in: 'every operation';
      readonly allowed: number;
      readonly served: readonly { readonly operation: string; readonly count: number }[];
    }
  | {
      readonly rule: 'limit-not-enforced';
      readonly in: 'window';
      readonly limit: number;
      readonly allowed: number;
      readonly served: number;
    }
  | { readonly rule: 'limit-not-enforced'; readonly in: 'Remaining 0'; readonly served: number }
  | {
      readonly rule: 'limit-not-enforced';
      readonly in: 'minute';
      readonly limit: number;
      readonly served: number;
      readonly seconds: number;
    }
  | { readonly rule: 'daily-limit-not-enforced'; readonly limit: number; readonly served: number }
  | ({ readonly rule: 'wrong-status-over-limit'; readonly dailyLimit?: number } & WrongStatus)
  | { readonly rule: 'wrong-status-over-limit'; readonly wrongStatus: null }
  | {
      readonly rule: 'reset-too-early';
      /** Seconds before the announced time. */
      readonly seconds: number;
      readonly reset: number;
      readonly remaining: number;
      readonly limit: number;
    }
  /** `left`: requests that remained for the key; null: not known. */
  | ({ readonly rule: 'limit-shared'; readonly left: number | null } & WrongStatus)
  /** This many requests with another key lowered Remaining by the same number. */
  | { readonly rule: 'limit-shared'; readonly requests: number };
