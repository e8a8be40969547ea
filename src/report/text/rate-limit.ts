import type { ProblemOf } from '../../oracle/problem.ts';
import type { LimitProblem } from '../../oracle/problems/limits.ts';
import type { Texts } from './texts.ts';
import type { ProblemText } from './words.ts';

const [limitName, remainingName, resetName] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

const sameAccount =
  'Another explanation: both keys belong to one account (--rate-limit-key must belong to another account than --api-key).';

const rejectedTooEarly = (problem: ProblemOf<'429-while-remaining'>): ProblemText => {
  if (problem.in === 'window') {
    const shown = `${problem.shown} at the ${problem.shownAt}`;
    return {
      message: `Requests with ${remainingName} ${shown}: expected that many to succeed, got 429 after ${problem.succeeded}`,
      expected: `as many successful requests as ${remainingName} showed: ${shown}`,
      actual: `429 after ${problem.succeeded} of them`,
    };
  }
  const { slot, before, sentSince, remaining, first } = problem;
  const seconds = (first.afterMs / 1000).toFixed(1);
  const advice = slot === 'main' ? '. If others use the key too, set --shared-key' : '';
  return {
    message: `Got 429 while ${remainingName} was ${before}: the first 429 with this key came to request ${first.request} of the run, ${seconds} s after it began${advice}`,
    expected: `the request served: ${remainingName} was ${before}, and at most ${sentSince} requests were sent since`,
    actual: `status 429, ${remainingName}: ${remaining || 'absent'}`,
  };
};

const counterStuck = (problem: ProblemOf<'counter-stuck'>): ProblemText => {
  if (problem.in === 'rate-limit key') {
    const { before, after } = problem;
    return {
      message: `GET /pets with the rate-limit key: expected ${remainingName} to decrease as with the other key, got ${after} after ${before}`,
      expected: `${remainingName} below ${before} after several requests in the same window`,
      actual: `${remainingName}: ${after}`,
    };
  }
  const shown = problem.latest.map(
    ({ remaining, limit, operation }) => `${remaining} of ${limit} after requests of ${operation}`,
  );
  return {
    message: `Several requests in one window: expected ${remainingName} to decrease, got ${problem.latest[0]?.remaining} throughout`,
    expected: `a lower ${remainingName} after several requests`,
    actual: `${remainingName}: ${shown.join(', ')}, not lower than before`,
  };
};

const rejectedAgain = (problem: ProblemOf<'refused-after-wait'>): ProblemText => {
  if ('times' in problem)
    return {
      message: `After Retry-After (+1 s) the next request got 429 again, ${problem.times} of ${problem.times} times`,
      expected: 'the request served',
      actual: `status 429, Retry-After: ${problem.retryAfter}`,
    };
  const { waited, retryAfter, wrongStatus } = problem;
  return {
    message: `After Retry-After (${waited}, +1 s) the next request got ${wrongStatus} again`,
    expected: 'a successful response',
    actual: `status ${wrongStatus}${retryAfter === null ? '' : `, Retry-After: ${retryAfter}`}`,
  };
};

const notEnforced = (problem: ProblemOf<'limit-not-enforced'>): ProblemText => {
  switch (problem.in) {
    case 'every operation':
      return {
        message: `Requests over the limit: expected 429 after at most ${problem.allowed} requests of one operation, got none on any operation`,
        expected: `429 after at most ${problem.allowed} requests of one operation, refill included`,
        actual: problem.served
          .map(({ operation, count }) => `${operation}: ${count} successful requests`)
          .join(', '),
      };
    case 'window':
      return {
        message: `Requests in one window: expected 429 over the limit of ${problem.limit}, got ${problem.served} successful requests`,
        expected: `429 after at most ${problem.allowed} requests, refill included`,
        actual: `${problem.served} successful requests`,
      };
    case 'Remaining 0':
      return {
        message: `Requests after ${remainingName}: 0: expected 429, got ${problem.served} successful requests in the same window`,
        expected: `429 after ${remainingName}: 0, except for refilled requests`,
        actual: `${problem.served} successful requests`,
      };
    case 'minute':
      return {
        message: `Requests within a minute: expected at most twice the limit of ${problem.limit}, got ${problem.served} successful requests`,
        expected: `429 until a minute has passed, or at most ${2 * problem.limit} requests across two windows`,
        actual: `${problem.served} successful requests in ${problem.seconds} s`,
      };
  }
};

const wrongStatusOverLimit = (problem: ProblemOf<'wrong-status-over-limit'>): ProblemText => {
  if (problem.wrongStatus === null)
    return {
      message: 'Request over the limit: expected 429, got no response',
      expected: 'status 429',
      actual: 'no response (the previous request is shown)',
    };
  const { dailyLimit, wrongStatus } = problem;
  const limit = dailyLimit === undefined ? 'limit' : `daily limit of ${dailyLimit}`;
  return {
    message: `Request over the ${limit}: expected 429, got ${wrongStatus}`,
    expected: dailyLimit === undefined ? 'status 429' : `429 after ${dailyLimit} requests`,
    actual: `status ${wrongStatus}`,
  };
};

const limitShared = (problem: ProblemOf<'limit-shared'>): ProblemText => {
  if ('requests' in problem) {
    const { requests } = problem;
    return {
      message: `Two keys share one rate limit: ${requests} requests with one key lowered ${remainingName} of the other by ${requests}. ${sameAccount}`,
      expected: `${remainingName} decreases only by requests with its own key`,
      actual: `it decreased by ${requests} more when ${requests} requests were sent with the other key`,
    };
  }
  const { left, wrongStatus } = problem;
  return {
    message: `GET /pets with another key while one key is rate-limited: expected 200, got ${wrongStatus}. ${sameAccount}`,
    expected: `status 200: the key had ${left ?? 'enough'} requests left`,
    actual: `status ${wrongStatus}`,
  };
};

/** The sentences about counting and limiting requests. */
export const limitTexts: Texts<LimitProblem> = {
  '429-while-remaining': rejectedTooEarly,
  'counter-jumps': ({ remaining, reset }) => ({
    message: `${remainingName} rises and falls in one window, by more than refills or was sent`,
    expected: `${remainingName} that falls from ${remaining[0]} on, while ${resetName} stays ${reset}`,
    actual: `${remainingName}: ${remaining.join(', then ')}`,
  }),
  'reset-moves-back': ({ resets }) => ({
    message: `${resetName} falls from response to response: it is not the time at which the limit resets.`,
    expected: `${resetName}: a Unix timestamp in seconds, which stays ${resets[0]} until the window has ended, or moves on`,
    actual: `${resetName}: ${resets.join(', then ')}`,
  }),
  'counter-stuck': counterStuck,
  'counter-rises': ({ remaining, limit }) => ({
    message: `${remainingName} rises by 1 with each request: expected the requests that remain, got the requests made`,
    expected: `${remainingName} decreases from ${limit}`,
    actual: `${remainingName}: ${remaining} of ${limit}, one more than before`,
  }),
  'limit-shows-remaining': ({ limits }, { exchange: { request } }) => ({
    message: `${request.method} ${request.path}: expected a constant ${limitName}, got one that always equals ${remainingName}`,
    expected: `a constant ${limitName} while ${remainingName} decreases`,
    actual: `${limitName} and ${remainingName} both: ${limits.join(', ')}`,
  }),
  'refused-after-wait': rejectedAgain,
  'refused-after-reset': ({ limit, reset, shown }) => ({
    message: `After ${resetName} (${reset}, +1 s) the next request got 429 again`,
    expected: `the request served: the limit of ${limit} has reset at ${reset}`,
    actual: `status 429, ${resetName}: ${shown.reset || 'absent'}, Date: ${shown.date}`,
  }),
  'limit-not-enforced': notEnforced,
  'daily-limit-not-enforced': ({ limit, served }) => ({
    message: `Requests in one day: expected 429 after ${limit}, got ${served} successful requests`,
    expected: `429 after ${limit} requests`,
    actual: `${served} successful requests`,
  }),
  'wrong-status-over-limit': wrongStatusOverLimit,
  'reset-too-early': ({ seconds, reset, remaining, limit }) => ({
    message: `Request after Retry-After: expected the limit to reset at ${resetName}, got a full limit ${seconds} s before it`,
    expected: `the limit resets at ${resetName} of the 429: ${reset} (${seconds} s later)`,
    actual: `${remainingName}: ${remaining} of ${limit}`,
  }),
  'limit-shared': limitShared,
};
