import { excerpt } from '../../json/excerpt.ts';
import type { ProblemOf } from '../../oracle/problem.ts';
import type { HeaderProblem } from '../../oracle/problems/headers.ts';
import { expectedBySchema } from './schema.ts';
import { ofResponse, type Seen, type Texts } from './texts.ts';
import type { ProblemText } from './words.ts';

const [limitName, remainingName, resetName] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

const retryAfterForms = 'Retry-After: whole seconds, or an HTTP-date (RFC 9110, 10.2.3)';
const challenge = 'WWW-Authenticate: Bearer';
const resetForm = `${resetName}: Unix time in seconds at which the limit resets`;

const missing = (problem: ProblemOf<'header-missing'>, seen: Seen): ProblemText => {
  switch (problem.of) {
    case 'challenge':
      return ofResponse(seen, 'no WWW-Authenticate header', challenge, 'no WWW-Authenticate');
    case 'Retry-After':
      return ofResponse(seen, 'no Retry-After', retryAfterForms, 'no Retry-After');
    case 'document': {
      const { name } = problem;
      return { message: `Missing on ${seen.response}: ${name}`, expected: name, actual: `no ${name}` };
    }
    case 'rate limit': {
      const names = problem.missing.join(', ');
      const instead = problem.misnamed.length === 0 ? '' : `, but ${problem.misnamed.join(', ')}`;
      return {
        message: `Missing on ${seen.response}: ${names}`,
        expected: problem.wanted.join(', '),
        actual: `no ${names}${instead}`,
      };
    }
  }
};

const malformedCount = (name: string, value: string, seen: Seen): ProblemText =>
  ofResponse(
    seen,
    `${name} is ${/^-\d+$/.test(value) ? 'negative' : 'not a whole number'}`,
    `${name}: a whole number, at least ${name === limitName ? 1 : 0}`,
    `${name}: ${value}`,
  );

const malformed = (problem: ProblemOf<'header-malformed'>, seen: Seen): ProblemText => {
  const { value } = problem;
  switch (problem.of) {
    case 'challenge': {
      const wrong = problem.hasScheme ? ', although the key is a bearer token' : ' without a scheme';
      const shown = `WWW-Authenticate: ${excerpt(value)}${wrong}`;
      return ofResponse(seen, shown, challenge, `WWW-Authenticate: ${value}`);
    }
    case 'Retry-After':
      return ofResponse(seen, 'Retry-After gives no time', retryAfterForms, `Retry-After: ${value}`);
    case resetName: {
      const actual = `${resetName}: ${value}`;
      if (problem.isOtherApi)
        return ofResponse(seen, `${resetName} is not a whole number`, `${resetName}: whole seconds`, actual);
      const wrong = /^\d+[.,]\d+$/.test(value) ? 'not a whole number of seconds' : 'not a Unix timestamp';
      return ofResponse(seen, `${resetName} is ${wrong}`, resetForm, actual);
    }
    default:
      return malformedCount(problem.of, value, seen);
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

const pastReset = ({ reset, now }: ProblemOf<'reset-past'>, seen: Seen): ProblemText =>
  ofResponse(
    seen,
    `${resetName} is before the server's Date`,
    now === null ? `${resetName}: seconds, from now or since 1970-01-01` : resetForm,
    now === null ? `${resetName}: ${reset}` : atDate(reset, now),
  );

const notDeprecated = ({ deprecation, sunset }: ProblemOf<'not-deprecated'>, seen: Seen): ProblemText => {
  const shown = [
    ...(deprecation === '' ? [] : [`Deprecation: ${deprecation}`]),
    ...(sunset === '' ? [] : [`Sunset: ${sunset}`]),
  ].join(', ');
  const wrong = `${shown}, although the document does not deprecate the operation`;
  return ofResponse(seen, wrong, 'no Deprecation, no Sunset', shown);
};

/** The sentences about header fields. */
export const headerTexts: Texts<HeaderProblem> = {
  'header-missing': missing,
  'header-malformed': malformed,
  'header-invalid': ({ name, value, demands }, seen) =>
    ofResponse(
      seen,
      `${name} has a value that the document excludes`,
      `${name}: ${demands.map(expectedBySchema).join('\n')}`,
      `${name}: ${value}`,
    ),
  'header-form': ({ form, value }, seen) =>
    ofResponse(
      seen,
      `Retry-After has a form that RFC 9110 does not define (${form})`,
      retryAfterForms,
      `Retry-After: ${value}`,
    ),
  'limit-zero': ({ limit }, seen) =>
    ofResponse(seen, `${limitName} is 0`, `${limitName} above 0`, `${limitName}: ${limit}`),
  'remaining-above-limit': ({ limit, remaining }, seen) =>
    ofResponse(
      seen,
      `${remainingName} is above ${limitName}`,
      `${remainingName} at most ${limit}`,
      `${remainingName}: ${remaining}`,
    ),
  'reset-beyond-window': ({ plan, limit, reset, now }, seen) =>
    ofResponse(
      seen,
      `${resetName} is more than a minute ahead, although ${limitName} is the limit per minute of the ${plan} plan`,
      `${resetName}: at most a minute ahead`,
      `${resetName}: ${reset}, with ${limitName} at ${limit} and Date at ${now}`,
    ),
  'reset-unit': ({ reset }, seen) =>
    ofResponse(seen, `${resetName} is not Unix time in seconds`, resetForm, `${resetName}: ${reset}`),
  'reset-past': pastReset,
  'reset-far': ({ reset, now }, seen) => {
    const unit = unitOf(Number(reset), now);
    const wrong = unit === null ? "more than a day after the server's Date" : `in ${unit}, not in seconds`;
    return ofResponse(seen, `${resetName} is ${wrong}`, resetForm, atDate(reset, now));
  },
  'wrong-plan-limit': ({ plan, allowed, limit }) => ({
    message: `${limitName} ${limit} is not a limit of the ${plan} plan (${allowed.join(' or ')})`,
    expected: `${limitName}: ${allowed.join(' or ')}`,
    actual: `${limitName}: ${limit}`,
  }),
  'remaining-on-429': ({ remaining }) => ({
    message: `429 with ${remainingName}: ${remaining}`,
    expected: `${remainingName}: 0`,
    actual: `${remainingName}: ${remaining}`,
  }),
  'retry-after-beyond-reset': ({ retryAfter, reset, date }) => ({
    message: `Retry-After of a 429 ends more than a minute after ${resetName}`,
    expected: `Retry-After that ends no later than ${resetName}`,
    actual: `Retry-After: ${retryAfter}, ${resetName}: ${reset}${date === '' ? '' : `, Date: ${date}`}`,
  }),
  'deprecation-malformed': ({ deprecation }) => ({
    message: 'Deprecation is malformed',
    expected: 'Deprecation: @<Unix time>',
    actual: `Deprecation: ${deprecation}`,
  }),
  'sunset-before-deprecation': ({ deprecation, sunset }) => ({
    message: 'Sunset is before Deprecation',
    expected: 'Sunset not before Deprecation',
    actual: `${deprecation}, ${sunset}`,
  }),
  'not-deprecated': notDeprecated,
  'sunset-malformed': ({ sunset }) => ({
    message: 'Sunset is not an HTTP-date',
    expected: 'Sunset: an HTTP-date',
    actual: `Sunset: ${sunset}`,
  }),
  'sunset-weekday': ({ sunset, weekday }) => ({
    message: 'The weekday of Sunset does not match its date',
    expected: `Sunset: ${weekday}…`,
    actual: `Sunset: ${sunset}`,
  }),
  'sunset-date': ({ sunset, day }) => ({
    message: 'Sunset is not the day in the document',
    expected: `Sunset: ${new Date(day).toUTCString()}`,
    actual: `Sunset: ${sunset}`,
  }),
};
