import { excerpt } from '../../json/excerpt.ts';
import { defineProblem, ofResponse, type ProblemText, type Seen } from '../define-problem.ts';
import { type Demand, expectedBySchema } from '../words/schema.ts';

const [limitName, remainingName, resetName] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

const retryAfterForms = 'Retry-After: whole seconds, or an HTTP-date (RFC 9110, 10.2.3)';
const challengeName = 'WWW-Authenticate';
const challenge = `${challengeName}: Bearer`;
const resetForm = `${resetName}: Unix time in seconds at which the limit resets`;

type Missing =
  | { of: 'challenge' | 'Retry-After' }
  | { of: 'document'; name: string }
  | {
      of: 'rate limit';
      missing: readonly string[];
      wanted: readonly string[];
      /** Names of headers that seem to have the same meaning. */
      misnamed: readonly string[];
      status: number;
    };

const missing = (facts: Missing, seen: Seen): ProblemText => {
  switch (facts.of) {
    case 'challenge':
      return ofResponse(seen, `no ${challengeName} header`, challenge, `no ${challengeName}`);
    case 'Retry-After':
      return ofResponse(seen, 'no Retry-After', retryAfterForms, 'no Retry-After');
    case 'document': {
      const { name } = facts;
      return { message: `Missing on ${seen.response}: ${name}`, expected: name, actual: `no ${name}` };
    }
    case 'rate limit': {
      const names = facts.missing.join(', ');
      const instead = facts.misnamed.length === 0 ? '' : `, but ${facts.misnamed.join(', ')}`;
      return {
        message: `Missing on ${seen.response}: ${names}`,
        expected: facts.wanted.join(', '),
        actual: `no ${names}${instead}`,
      };
    }
  }
};

const missingVariant = (facts: Missing, statusText: (status: number) => string): string | undefined => {
  if (facts.of === 'rate limit') return `${facts.missing.join(', ')} on ${statusText(facts.status)}`;
  return facts.of === 'document' ? facts.name : undefined;
};

const missingNames = (facts: Missing): readonly string[] => {
  if (facts.of === 'rate limit') return facts.missing;
  if (facts.of === 'document') return [facts.name];
  return [facts.of === 'challenge' ? challengeName : facts.of];
};

type Malformed = { value: string } & (
  | {
      of: 'challenge';
      /** The challenge has a scheme, but none for bearer tokens. */
      hasScheme: boolean;
    }
  | { of: 'Retry-After' }
  | {
      of: typeof limitName | typeof remainingName | typeof resetName;
      /** The document is not the animal store's. */
      isOtherApi?: true;
    }
);

const malformedCount = (name: string, value: string, seen: Seen): ProblemText =>
  ofResponse(
    seen,
    `${name} is ${/^-\d+$/.test(value) ? 'negative' : 'not a whole number'}`,
    `${name}: a whole number, at least ${name === limitName ? 1 : 0}`,
    `${name}: ${value}`,
  );

const malformed = (facts: Malformed, seen: Seen): ProblemText => {
  const { value } = facts;
  switch (facts.of) {
    case 'challenge': {
      const wrong = facts.hasScheme ? ', although the key is a bearer token' : ' without a scheme';
      const shown = `${challengeName}: ${excerpt(value)}${wrong}`;
      return ofResponse(seen, shown, challenge, `${challengeName}: ${value}`);
    }
    case 'Retry-After':
      return ofResponse(seen, 'Retry-After gives no time', retryAfterForms, `Retry-After: ${value}`);
    case resetName: {
      const actual = `${resetName}: ${value}`;
      if (facts.isOtherApi)
        return ofResponse(seen, `${resetName} is not a whole number`, `${resetName}: whole seconds`, actual);
      const wrong = /^\d+[.,]\d+$/.test(value) ? 'not a whole number of seconds' : 'not a Unix timestamp';
      return ofResponse(seen, `${resetName} is ${wrong}`, resetForm, actual);
    }
    default:
      return malformedCount(facts.of, value, seen);
  }
};

const atDate = (reset: string, now: number): string => `${resetName}: ${reset}, with Date at ${now}`;

const smallUnits = [
  ['milliseconds', 1e3],
  ['microseconds', 1e6],
  ['nanoseconds', 1e9],
] as const;
const day = 86_400;

/** The unit in which a timestamp is within a day of now; null: none. */
const unitOf = (reset: number, now: number): string | null =>
  smallUnits.find(([, perSecond]) => Math.abs(reset / perSecond - now) <= day)?.[0] ?? null;

/** Problems with header fields. Times are Unix timestamps in seconds. */
export const headerKinds = {
  'header-missing': defineProblem<Missing>({
    example: { of: 'document', name: 'X-Request-Id' },
    saysBothSides: true,
    text: missing,
    variant: missingVariant,
    headers: missingNames,
  }),
  'header-malformed': defineProblem<Malformed>({
    example: { of: 'Retry-After', value: 'soon' },
    text: malformed,
    variant: ({ of }) => (of.startsWith('X-') ? of : undefined),
    headers: ({ of }) => [of === 'challenge' ? challengeName : of],
  }),
  'header-invalid': defineProblem<{ name: string; value: string; demands: readonly Demand[] }>({
    example: { name: 'X-Total', value: 'many', demands: [{ keyword: 'type', wanted: ['integer'] }] },
    text: ({ name, value, demands }, seen) =>
      ofResponse(
        seen,
        `${name} has a value that the document excludes`,
        `${name}: ${demands.map(expectedBySchema).join('\n')}`,
        `${name}: ${value}`,
      ),
    variant: ({ name }) => name,
    headers: ({ name }) => [name],
  }),
  'header-form': defineProblem<{ form: string; value: string }>({
    example: { form: 'fraction', value: '1.5' },
    text: ({ form, value }, seen) =>
      ofResponse(
        seen,
        `Retry-After has a form that RFC 9110 does not define (${form})`,
        retryAfterForms,
        `Retry-After: ${value}`,
      ),
    variant: ({ form }) => form,
  }),
  'limit-zero': defineProblem<{ limit: string }>({
    example: { limit: '0' },
    text: ({ limit }, seen) =>
      ofResponse(seen, `${limitName} is 0`, `${limitName} above 0`, `${limitName}: ${limit}`),
    headers: () => [limitName],
  }),
  'remaining-above-limit': defineProblem<{ limit: string; remaining: string }>({
    example: { limit: '60', remaining: '61' },
    text: ({ limit, remaining }, seen) =>
      ofResponse(
        seen,
        `${remainingName} is above ${limitName}`,
        `${remainingName} at most ${limit}`,
        `${remainingName}: ${remaining}`,
      ),
    headers: () => [remainingName],
  }),
  'reset-beyond-window': defineProblem<{ plan: string; limit: string; reset: string; now: number }>({
    example: { plan: 'free', limit: '60', reset: '1800000120', now: 1_800_000_000 },
    text: ({ plan, limit, reset, now }, seen) =>
      ofResponse(
        seen,
        `${resetName} is more than a minute ahead, although ${limitName} is the limit per minute of the ${plan} plan`,
        `${resetName}: at most a minute ahead`,
        `${resetName}: ${reset}, with ${limitName} at ${limit} and Date at ${now}`,
      ),
    headers: () => [resetName],
  }),
  'reset-unit': defineProblem<{ reset: string }>({
    example: { reset: '60' },
    text: ({ reset }, seen) =>
      ofResponse(seen, `${resetName} is not Unix time in seconds`, resetForm, `${resetName}: ${reset}`),
    headers: () => [resetName],
  }),
  'reset-past': defineProblem<{
    reset: string;
    /** By the server's clock; null: another API, which may mean seconds from now. */
    now: number | null;
  }>({
    example: { reset: '1700000000', now: 1_800_000_000 },
    text: ({ reset, now }, seen) =>
      ofResponse(
        seen,
        `${resetName} is before the server's Date`,
        now === null ? `${resetName}: seconds, from now or since 1970-01-01` : resetForm,
        now === null ? `${resetName}: ${reset}` : atDate(reset, now),
      ),
    headers: () => [resetName],
  }),
  'reset-far': defineProblem<{ reset: string; now: number }>({
    example: { reset: '1800000060000', now: 1_800_000_000 },
    text: ({ reset, now }, seen) => {
      const unit = unitOf(Number(reset), now);
      const wrong = unit === null ? "more than a day after the server's Date" : `in ${unit}, not in seconds`;
      return ofResponse(seen, `${resetName} is ${wrong}`, resetForm, atDate(reset, now));
    },
    headers: () => [resetName],
  }),
  'wrong-plan-limit': defineProblem<{ plan: string; allowed: readonly (number | null)[]; limit: string }>({
    example: { plan: 'free', allowed: [60, 1_000], limit: '30' },
    text: ({ plan, allowed, limit }) => ({
      message: `${limitName} ${limit} is not a limit of the ${plan} plan (${allowed.join(' or ')})`,
      expected: `${limitName}: ${allowed.join(' or ')}`,
      actual: `${limitName}: ${limit}`,
    }),
    headers: () => [limitName],
  }),
  'remaining-on-429': defineProblem<{ remaining: string }>({
    example: { remaining: '3' },
    saysBothSides: true,
    text: ({ remaining }) => ({
      message: `429 with ${remainingName}: ${remaining}`,
      expected: `${remainingName}: 0`,
      actual: `${remainingName}: ${remaining}`,
    }),
    headers: () => [remainingName],
  }),
  'retry-after-beyond-reset': defineProblem<{ retryAfter: string; reset: string; date: string }>({
    example: { retryAfter: '300', reset: '1800000060', date: 'Fri, 15 Jan 2027 08:00:00 GMT' },
    text: ({ retryAfter, reset, date }) => ({
      message: `Retry-After of a 429 ends more than a minute after ${resetName}`,
      expected: `Retry-After that ends no later than ${resetName}`,
      actual: `Retry-After: ${retryAfter}, ${resetName}: ${reset}${date === '' ? '' : `, Date: ${date}`}`,
    }),
  }),
};
