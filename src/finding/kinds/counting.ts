import type { KeySlot } from '../../http/exchange.ts';
import { defineProblem, type ProblemText, type WrongStatus } from '../define-problem.ts';

const [limitName, remainingName, resetName] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

const sameAccount =
  'Another explanation: both keys belong to one account (--rate-limit-key must belong to another account than --api-key).';

type RejectedTooEarly =
  | {
      in: 'any response';
      slot: KeySlot;
      before: number;
      sentSince: number;
      remaining: string;
      /** The first 429 with this key: the number of its request, and its time since the start of the run. */
      first: { readonly request: number; readonly afterMs: number };
    }
  | {
      in: 'window';
      shownAt: 'start' | 'end';
      shown: number | undefined;
      succeeded: number | undefined;
    };

const rejectedTooEarly = (facts: RejectedTooEarly): ProblemText => {
  if (facts.in === 'window') {
    const shown = `${facts.shown} at the ${facts.shownAt}`;
    return {
      message: `Requests with ${remainingName} ${shown}: expected that many to succeed, got 429 after ${facts.succeeded}`,
      expected: `as many successful requests as ${remainingName} showed: ${shown}`,
      actual: `429 after ${facts.succeeded} of them`,
    };
  }
  const { slot, before, sentSince, remaining, first } = facts;
  const seconds = (first.afterMs / 1000).toFixed(1);
  const advice = slot === 'main' ? '. If others use the key too, set --shared-key' : '';
  return {
    message: `Got 429 while ${remainingName} was ${before}: the first 429 with this key came to request ${first.request} of the run, ${seconds} s after it began${advice}`,
    expected: `the request served: ${remainingName} was ${before}, and at most ${sentSince} requests were sent since`,
    actual: `status 429, ${remainingName}: ${remaining || 'absent'}`,
  };
};

type CounterStuck =
  | { in: 'rate-limit key'; before: number; after: number }
  | {
      in: 'every operation';
      latest: readonly {
        readonly operation: string;
        readonly remaining: number;
        readonly limit: number;
      }[];
    };

const counterStuck = (facts: CounterStuck): ProblemText => {
  if (facts.in === 'rate-limit key') {
    const { before, after } = facts;
    return {
      message: `GET /pets with the rate-limit key: expected ${remainingName} to decrease as with the other key, got ${after} after ${before}`,
      expected: `${remainingName} below ${before} after several requests in the same window`,
      actual: `${remainingName}: ${after}`,
    };
  }
  const shown = facts.latest.map(
    ({ remaining, limit, operation }) => `${remaining} of ${limit} after requests of ${operation}`,
  );
  return {
    message: `Several requests in one window: expected ${remainingName} to decrease, got ${facts.latest[0]?.remaining} throughout`,
    expected: `a lower ${remainingName} after several requests`,
    actual: `${remainingName}: ${shown.join(', ')}, not lower than before`,
  };
};

/** Problems with how requests are counted. */
export const countingKinds = {
  '429-while-remaining': defineProblem<RejectedTooEarly>({
    example: { in: 'window', shownAt: 'start', shown: 60, succeeded: 40 },
    saysBothSides: true,
    text: rejectedTooEarly,
  }),
  /** `remaining`: three values in order. */
  'counter-jumps': defineProblem<{ remaining: readonly [number, number, number]; reset: number }>({
    example: { remaining: [50, 20, 49], reset: 1_800_000_060 },
    text: ({ remaining, reset }) => ({
      message: `${remainingName} rises and falls in one window, by more than refills or was sent`,
      expected: `${remainingName} that falls from ${remaining[0]} on, while ${resetName} stays ${reset}`,
      actual: `${remainingName}: ${remaining.join(', then ')}`,
    }),
  }),
  'reset-moves-back': defineProblem<{ resets: readonly [number, number, number] }>({
    example: { resets: [60, 59, 58] },
    text: ({ resets }) => ({
      message: `${resetName} falls from response to response: it is not the time at which the limit resets.`,
      expected: `${resetName}: a Unix timestamp in seconds, which stays ${resets[0]} until the window has ended, or moves on`,
      actual: `${resetName}: ${resets.join(', then ')}`,
    }),
  }),
  'counter-stuck': defineProblem<CounterStuck>({
    example: { in: 'rate-limit key', before: 60, after: 60 },
    saysBothSides: true,
    text: counterStuck,
    variant: (facts) => (facts.in === 'rate-limit key' ? facts.in : undefined),
  }),
  'counter-rises': defineProblem<{ remaining: number; limit: number }>({
    example: { remaining: 3, limit: 60 },
    saysBothSides: true,
    text: ({ remaining, limit }) => ({
      message: `${remainingName} rises by 1 with each request: expected the requests that remain, got the requests made`,
      expected: `${remainingName} decreases from ${limit}`,
      actual: `${remainingName}: ${remaining} of ${limit}, one more than before`,
    }),
  }),
  'limit-shows-remaining': defineProblem<{ limits: readonly number[] }>({
    example: { limits: [60, 59, 58] },
    saysBothSides: true,
    text: ({ limits }, { exchange: { request } }) => ({
      message: `${request.method} ${request.path}: expected a constant ${limitName}, got one that always equals ${remainingName}`,
      expected: `a constant ${limitName} while ${remainingName} decreases`,
      actual: `${limitName} and ${remainingName} both: ${limits.join(', ')}`,
    }),
  }),
  /** With a status: another request with another key got it. With a number: so many requests lowered Remaining of another key by as many. */
  'limit-shared': defineProblem<
    | (WrongStatus & {
        /** Requests that remained for the key; null: not known. */
        left: number | null;
      })
    | { requests: number }
  >({
    example: { left: 12, wrongStatus: 429 },
    saysBothSides: true,
    text: (facts) => {
      if ('requests' in facts) {
        const { requests } = facts;
        return {
          message: `Two keys share one rate limit: ${requests} requests with one key lowered ${remainingName} of the other by ${requests}. ${sameAccount}`,
          expected: `${remainingName} decreases only by requests with its own key`,
          actual: `it decreased by ${requests} more when ${requests} requests were sent with the other key`,
        };
      }
      const { left, wrongStatus } = facts;
      return {
        message: `GET /pets with another key while one key is rate-limited: expected 200, got ${wrongStatus}. ${sameAccount}`,
        expected: `status 200: the key had ${left ?? 'enough'} requests left`,
        actual: `status ${wrongStatus}`,
      };
    },
    variant: (facts) => ('requests' in facts ? 'counted together' : undefined),
  }),
};
