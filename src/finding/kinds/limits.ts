import { defineProblem, type ProblemText, type WrongStatus } from '../define-problem.ts';

const [remainingName, resetName] = ['X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

type RefusedAfterWait =
  | { times: number; retryAfter: string }
  | (WrongStatus & {
      waited: string;
      /** Null: the status is not 429. */
      retryAfter: string | null;
    });

const refusedAfterWait = (facts: RefusedAfterWait): ProblemText => {
  if ('times' in facts)
    return {
      message: `After Retry-After (+1 s) the next request got 429 again, ${facts.times} of ${facts.times} times`,
      expected: 'the request served',
      actual: `status 429, Retry-After: ${facts.retryAfter}`,
    };
  const { waited, retryAfter, wrongStatus } = facts;
  return {
    message: `After Retry-After (${waited}, +1 s) the next request got ${wrongStatus} again`,
    expected: 'a successful response',
    actual: `status ${wrongStatus}${retryAfter === null ? '' : `, Retry-After: ${retryAfter}`}`,
  };
};

type NotEnforced =
  | {
      in: 'every operation';
      allowed: number;
      served: readonly { readonly operation: string; readonly count: number }[];
    }
  | { in: 'window'; limit: number; allowed: number; served: number }
  | { in: 'Remaining 0'; served: number }
  | { in: 'minute'; limit: number; served: number; seconds: number };

const notEnforced = (facts: NotEnforced): ProblemText => {
  switch (facts.in) {
    case 'every operation':
      return {
        message: `Requests over the limit: expected 429 after at most ${facts.allowed} requests of one operation, got none on any operation`,
        expected: `429 after at most ${facts.allowed} requests of one operation, refill included`,
        actual: facts.served
          .map(({ operation, count }) => `${operation}: ${count} successful requests`)
          .join(', '),
      };
    case 'window':
      return {
        message: `Requests in one window: expected 429 over the limit of ${facts.limit}, got ${facts.served} successful requests`,
        expected: `429 after at most ${facts.allowed} requests, refill included`,
        actual: `${facts.served} successful requests`,
      };
    case 'Remaining 0':
      return {
        message: `Requests after ${remainingName}: 0: expected 429, got ${facts.served} successful requests in the same window`,
        expected: `429 after ${remainingName}: 0, except for refilled requests`,
        actual: `${facts.served} successful requests`,
      };
    case 'minute':
      return {
        message: `Requests within a minute: expected at most twice the limit of ${facts.limit}, got ${facts.served} successful requests`,
        expected: `429 until a minute has passed, or at most ${2 * facts.limit} requests across two windows`,
        actual: `${facts.served} successful requests in ${facts.seconds} s`,
      };
  }
};

const notEnforcedVariants: Readonly<Record<NotEnforced['in'], string | undefined>> = {
  'every operation': 'every operation',
  window: undefined,
  'Remaining 0': 'Remaining 0',
  minute: 'window too short',
};

/** Problems with how requests are limited. */
export const limitKinds = {
  'refused-after-wait': defineProblem<RefusedAfterWait>({
    example: { waited: '30 s', retryAfter: '30', wrongStatus: 429 },
    text: refusedAfterWait,
  }),
  /** `shown`: the headers of the 429. */
  'refused-after-reset': defineProblem<{
    limit: number;
    reset: number;
    shown: { readonly reset: string; readonly date: string };
  }>({
    example: {
      limit: 60,
      reset: 1_800_000_060,
      shown: { reset: '1800000120', date: 'Fri, 15 Jan 2027 08:01:01 GMT' },
    },
    text: ({ limit, reset, shown }) => ({
      message: `After ${resetName} (${reset}, +1 s) the next request got 429 again`,
      expected: `the request served: the limit of ${limit} has reset at ${reset}`,
      actual: `status 429, ${resetName}: ${shown.reset || 'absent'}, Date: ${shown.date}`,
    }),
  }),
  'limit-not-enforced': defineProblem<NotEnforced>({
    example: { in: 'window', limit: 60, allowed: 66, served: 70 },
    saysBothSides: true,
    text: notEnforced,
    variant: (facts) => notEnforcedVariants[facts.in],
  }),
  'daily-limit-not-enforced': defineProblem<{ limit: number; served: number }>({
    example: { limit: 1_000, served: 1_010 },
    saysBothSides: true,
    text: ({ limit, served }) => ({
      message: `Requests in one day: expected 429 after ${limit}, got ${served} successful requests`,
      expected: `429 after ${limit} requests`,
      actual: `${served} successful requests`,
    }),
  }),
  /** `wrongStatus` null: no response came. */
  'wrong-status-over-limit': defineProblem<(WrongStatus & { dailyLimit?: number }) | { wrongStatus: null }>({
    example: { wrongStatus: 503 },
    saysBothSides: true,
    text: (facts) => {
      if (facts.wrongStatus === null)
        return {
          message: 'Request over the limit: expected 429, got no response',
          expected: 'status 429',
          actual: 'no response (the previous request is shown)',
        };
      const { dailyLimit, wrongStatus } = facts;
      const limit = dailyLimit === undefined ? 'limit' : `daily limit of ${dailyLimit}`;
      return {
        message: `Request over the ${limit}: expected 429, got ${wrongStatus}`,
        expected: dailyLimit === undefined ? 'status 429' : `429 after ${dailyLimit} requests`,
        actual: `status ${wrongStatus}`,
      };
    },
  }),
  'reset-too-early': defineProblem<{
    /** Seconds before the announced time. */
    seconds: number;
    reset: number;
    remaining: number;
    limit: number;
  }>({
    example: { seconds: 20, reset: 1_800_000_060, remaining: 60, limit: 60 },
    saysBothSides: true,
    text: ({ seconds, reset, remaining, limit }) => ({
      message: `Request after Retry-After: expected the limit to reset at ${resetName}, got a full limit ${seconds} s before it`,
      expected: `the limit resets at ${resetName} of the 429: ${reset} (${seconds} s later)`,
      actual: `${remainingName}: ${remaining} of ${limit}`,
    }),
  }),
};
