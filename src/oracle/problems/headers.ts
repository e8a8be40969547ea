import type { Demand } from './body.ts';

/** What is wrong with header fields. Times are Unix timestamps in seconds. */
export type HeaderProblem =
  | { readonly rule: 'header-missing'; readonly of: 'challenge' | 'Retry-After' }
  | { readonly rule: 'header-missing'; readonly of: 'document'; readonly name: string }
  | {
      readonly rule: 'header-missing';
      readonly of: 'rate limit';
      readonly missing: readonly string[];
      readonly wanted: readonly string[];
      /** Names of headers that seem to have the same meaning. */
      readonly misnamed: readonly string[];
      readonly status: number;
    }
  /** The challenge has no scheme, or a scheme that is not for bearer tokens. */
  | {
      readonly rule: 'header-malformed';
      readonly of: 'challenge';
      readonly value: string;
      readonly hasScheme: boolean;
    }
  | { readonly rule: 'header-malformed'; readonly of: 'Retry-After'; readonly value: string }
  | {
      readonly rule: 'header-malformed';
      readonly of: 'X-RateLimit-Limit' | 'X-RateLimit-Remaining' | 'X-RateLimit-Reset';
      readonly value: string;
      /** The document is not the animal store's. */
      readonly isOtherApi?: true;
    }
  | {
      readonly rule: 'header-invalid';
      readonly name: string;
      readonly value: string;
      readonly demands: readonly Demand[];
    }
  | { readonly rule: 'header-form'; readonly form: string; readonly value: string }
  | { readonly rule: 'limit-zero'; readonly limit: string }
  | { readonly rule: 'remaining-above-limit'; readonly limit: string; readonly remaining: string }
  | {
      readonly rule: 'reset-beyond-window';
      readonly plan: string;
      readonly limit: string;
      readonly reset: string;
      readonly now: number;
    }
  | { readonly rule: 'reset-unit'; readonly reset: string }
  | {
      readonly rule: 'reset-past';
      readonly reset: string;
      /** By the server's clock; null: another API, which may mean seconds from now. */
      readonly now: number | null;
    }
  | { readonly rule: 'reset-far'; readonly reset: string; readonly now: number }
  | {
      readonly rule: 'wrong-plan-limit';
      readonly plan: string;
      readonly allowed: readonly (number | null)[];
      readonly limit: string;
    }
  | { readonly rule: 'remaining-on-429'; readonly remaining: string }
  | {
      readonly rule: 'retry-after-beyond-reset';
      readonly retryAfter: string;
      readonly reset: string;
      readonly date: string;
    }
  | { readonly rule: 'deprecation-malformed'; readonly deprecation: string }
  | {
      readonly rule: 'sunset-before-deprecation' | 'not-deprecated';
      readonly deprecation: string;
      readonly sunset: string;
    }
  | { readonly rule: 'sunset-malformed'; readonly sunset: string }
  | { readonly rule: 'sunset-weekday'; readonly sunset: string; readonly weekday: string }
  /** `day`: the start of the day in the document, in milliseconds. */
  | { readonly rule: 'sunset-date'; readonly sunset: string; readonly day: number };
