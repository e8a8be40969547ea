import { lowerCaseBearer } from '../../client/credentials.ts';
import { isStandardForm, type RetryAfterForm } from '../../client/retry-after.ts';
import { planLimits } from '../../document/plans.ts';
import type { Finding } from '../finding.ts';
import type { HeaderProblem } from '../problem.ts';
import { type ReadBody, type Reading, serverTime } from '../reading.ts';
import type { Reason } from '../reason.ts';
import { retryAfterText, retryTime, retryWait } from '../retry-wait.ts';
import { breach, met, type Rule, type Subject } from '../rule.ts';

const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
const [limitName, remainingName, resetName] = names;

/** In lower case. */
export const rateLimitHeaders: readonly string[] = names.map((name) => name.toLowerCase());

/** The statuses on which the headers are judged: those that the API itself answers with. */
const judged: readonly number[] = [200, 201, 400, 401, 404, 429];

/** The document may give an operation further ones. */
const isJudged = ({ reading, operation }: Pick<Subject, 'reading' | 'operation'>): boolean =>
  judged.includes(reading.status) ||
  operation?.responses.some(({ status }) => status === String(reading.status)) === true;

const value = (reading: Reading, name: string): string => reading.header(name.toLowerCase()).join(', ');

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** Headers that mean the limit under another name, as `RateLimit-Limit` and `X-Rate-Limit-Limit` do. */
const misnamed = ({ exchange: { response } }: Reading): readonly string[] =>
  response.headers
    .map(([name]) => name)
    .filter(
      (name) => lettersOf(name).includes('ratelimit') && !rateLimitHeaders.includes(name.toLowerCase()),
    );

/** RATE-1: every response, errors too, carries the three headers. */
export const present: Rule = (subject) => {
  const { reading } = subject;
  if (!isJudged(subject)) return [];
  const missing = names.filter((name) => reading.header(name.toLowerCase()).length === 0);
  if (missing.length === 0) return [met('RATE-1')];
  return [
    breach(subject, 'RATE-1', {
      rule: 'header-missing',
      of: 'rate limit',
      missing,
      wanted: names,
      misnamed: misnamed(reading),
      status: reading.status,
    }),
  ];
};

const isWhole = (text: string): boolean => /^\d+$/.test(text);
const day = 24 * 3600;
const grace = 2;

/** RATE-2: whole numbers, 0 <= Remaining <= Limit, Limit > 0; Reset is a Unix timestamp in seconds. */
export const wellFormed: Rule = (subject) => {
  const { reading } = subject;
  if (!isJudged(subject)) return [];
  const shown = names.filter((name) => reading.header(name.toLowerCase()).length > 0);
  if (shown.length === 0) return [];
  const reset = resetProblems(reading);
  const problems = [...countProblems(reading), ...(reset.length > 0 ? reset : windowProblems(subject))];
  if (problems.length === 0) return [met('RATE-2')];
  return problems.map((problem) => breach(subject, 'RATE-2', problem));
};

/** Limit and Remaining, by themselves and against each other. */
export const countProblems = (reading: Reading): readonly HeaderProblem[] => {
  const problems: HeaderProblem[] = [];
  for (const name of [limitName, remainingName]) {
    const text = value(reading, name);
    if (reading.header(name.toLowerCase()).length > 0 && !isWhole(text)) {
      problems.push({ rule: 'header-malformed', of: name, value: text });
    }
  }
  const [limit, remaining] = [value(reading, limitName), value(reading, remainingName)];
  if (isWhole(limit) && BigInt(limit) === 0n) {
    problems.push({ rule: 'limit-zero', limit });
  }
  if (isWhole(limit) && isWhole(remaining) && BigInt(remaining) > BigInt(limit)) {
    problems.push({ rule: 'remaining-above-limit', limit, remaining });
  }
  return problems;
};

/** Seconds: a window of a minute is no longer, however it is rounded and counted. */
const surelyBeyondAMinute = 120;

/**
 * Which of its two limits a plan shows, its figure tells: that of a minute does not reset in a quarter of an hour. Judged on successes:
 * a ban may move the reset of a 429, and what is refused may be counted elsewhere.
 */
const windowProblems = (subject: Subject): readonly HeaderProblem[] => {
  const { reading, probe, knowledge } = subject;
  const slot = probe.request.credential.charges;
  const plan = slot === null ? null : knowledge.plan(slot);
  const now = serverTime(reading);
  if (plan === null || now === null || reading.status >= 300) return [];
  const [limit, reset] = [value(reading, limitName), value(reading, resetName)];
  const isOfMinute = limit === String(planLimits[plan].perMinute) && isWhole(reset);
  if (!isOfMinute || Number(reset) - now / 1000 <= surelyBeyondAMinute) return [];
  return [{ rule: 'reset-beyond-window', plan, limit, reset, now: now / 1000 }];
};

const resetProblems = (reading: Reading): readonly HeaderProblem[] => {
  if (reading.header(resetName.toLowerCase()).length === 0) return [];
  const text = value(reading, resetName);
  if (!isWhole(text)) return [{ rule: 'header-malformed', of: resetName, value: text }];
  const reset = Number(text);
  const now = serverTime(reading);
  if (now === null) {
    const plausible = reset >= 1e9 && reset < 1e11;
    return plausible ? [] : [{ rule: 'reset-unit', reset: text }];
  }
  const seconds = now / 1000;
  if (reset < seconds - grace) return [{ rule: 'reset-past', reset: text, now: seconds }];
  return reset > seconds + day + 60 + grace ? [{ rule: 'reset-far', reset: text, now: seconds }] : [];
};

/**
 * Whether an answer may show another limit than that of the key: one that is refused is nobody's, and a petId that no route takes (that
 * of a negative one, say) may be answered and counted in front of authentication.
 */
const mayBeOfAnother = ({ reading: { status }, probe: { space, request } }: Subject): boolean =>
  status === 401 ||
  (status === 400 && request.credential === lowerCaseBearer) ||
  (status === 404 && (space !== 'documented' || request.path.startsWith('/pets/-')));

/** RATE-3: Limit is the plan's figure. */
export const planFigure: Rule = (subject) => {
  const { reading, probe, knowledge } = subject;
  const slot = probe.request.credential.charges;
  const plan = slot === null ? null : knowledge.plan(slot);
  const text = value(reading, limitName);
  if (mayBeOfAnother(subject)) return [];
  if (plan === null || plan === 'enterprise' || !isWhole(text) || !isJudged(subject)) return [];
  // The document does not say which of the two is shown.
  const { perMinute, perDay } = planLimits[plan];
  const allowed = [perMinute, perDay];
  if (allowed.includes(Number(text))) return [met('RATE-3')];
  return [breach(subject, 'RATE-3', { rule: 'wrong-plan-limit', plan, allowed, limit: text })];
};

/** RATE-7: a 429 says when to try again; RATE-14: in a form of RFC 9110; RATE-10: it agrees with the other headers; RATE-12: its body. */
export const tooManyRequests: Rule = (subject) => {
  const { reading } = subject;
  if (reading.status !== 429) return [];
  return [...retryAfter(subject), ...agreement(subject), body429(reading)];
};

const retryAfter = (subject: Subject): readonly Finding[] => {
  const { reading } = subject;
  const wait = retryWait(reading);
  const text = retryAfterText(reading);
  if (wait !== null) {
    const observed: Finding = {
      kind: 'observed',
      requirement: 'RATE-7',
      subject: 'form of Retry-After',
      value: wait.form,
    };
    return [met('RATE-7'), observed, standardForm(subject, wait.form, text)];
  }
  return [
    breach(
      subject,
      'RATE-7',
      text === ''
        ? { rule: 'header-missing', of: 'Retry-After' }
        : { rule: 'header-malformed', of: 'Retry-After', value: text },
    ),
  ];
};

const standardForm = (subject: Subject, form: RetryAfterForm, text: string): Finding =>
  isStandardForm(form)
    ? met('RATE-14')
    : breach(subject, 'RATE-14', { rule: 'header-form', form, value: text });

export const otherLimit: Reason = { code: 'other-limit', detail: 'plan' };

/** A 429 gives no evidence about the limit that the headers show. */
export const explainedByOtherLimit = (requirement: string): Finding => ({
  kind: 'undecided',
  requirement,
  reason: otherLimit,
});

/** Seconds beyond which a wait is not for the limit of a minute. */
const longWait = 120;

/** The headers may show one limit of the plan, and the 429 be for the other. */
const mayBeForOtherLimit = ({ reading, probe, knowledge }: Subject): boolean => {
  const slot = probe.request.credential.charges;
  const remains = !/^0*$/.test(value(reading, remainingName));
  const isLong = (retryWait(reading)?.seconds ?? 0) > longWait;
  return (remains && isLong) || (slot !== null && knowledge.mayBeOtherLimit(slot, reading));
};

const agreement = (subject: Subject): readonly Finding[] => {
  const { reading, probe } = subject;
  if (probe.inWait === true) return [];
  const problems = [...remainingProblems(reading), ...retryAfterProblems(reading)];
  if (problems.length === 0) return [met('RATE-10')];
  if (mayBeForOtherLimit(subject)) return [explainedByOtherLimit('RATE-10')];
  return problems.map((problem) => breach(subject, 'RATE-10', problem));
};

const remainingProblems = (reading: Reading): readonly HeaderProblem[] => {
  const remaining = value(reading, remainingName);
  if (!isWhole(remaining) || BigInt(remaining) === 0n) return [];
  return [{ rule: 'remaining-on-429', remaining }];
};

const retryAfterProblems = (reading: Reading): readonly HeaderProblem[] => {
  const reset = value(reading, resetName);
  const retryAt = retryTime(reading);
  if (retryAt === null || !isWhole(reset) || retryAt / 1000 <= Number(reset) + 60) return [];
  return [
    {
      rule: 'retry-after-beyond-reset',
      retryAfter: retryAfterText(reading),
      reset,
      date: value(reading, 'Date'),
    },
  ];
};

const shapeOf: Readonly<Record<ReadBody['kind'], string>> = {
  json: 'JSON',
  cut: 'longer than --max-body',
  empty: 'empty',
  unreadable: 'not JSON',
};

const body429 = (reading: Reading): Finding => ({
  kind: 'observed',
  requirement: 'RATE-12',
  subject: 'body of the 429',
  value: shapeOf[reading.body.kind],
});
