import { explainedByOtherLimit, type Finding, observation } from '../../finding/finding.ts';
import type { Problem } from '../../finding/problem.ts';
import type { ParsedBody, ParsedResponse } from '../../http/parsed-response.ts';
import { type Plan, planLimits } from '../../openapi/plans.ts';
import {
  type CountProblem,
  headerNames,
  isDailyLimit,
  rateLimitHeaders,
  rateLimitOf,
  retryTime,
  retryWait,
  type SentHeader,
} from '../../rate-limit/headers.ts';
import { isStandardForm, type RetryAfterForm } from '../../rate-limit/retry-after.ts';
import { mayBeUnreadable } from '../front-refusal.ts';
import { breach, passed, type Rule, type RuleSubject } from '../rule.ts';

const names = Object.values(headerNames);
const { limit: limitName, remaining: remainingName, reset: resetName } = headerNames;

/** The API's own statuses, for which the headers are tested. */
const apiStatuses: readonly number[] = [200, 201, 400, 401, 404, 429];

/** Tells whether the headers are tested. The document may give an operation more statuses. */
const isTested = ({ response, operation }: Pick<RuleSubject, 'response' | 'operation'>): boolean =>
  apiStatuses.includes(response.status) ||
  operation?.responses.some(({ status }) => status === String(response.status)) === true;

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** Returns rate limit headers with another name, for example `RateLimit-Limit` or `X-Rate-Limit-Limit`. */
const misnamedHeaders = ({ exchange: { response } }: ParsedResponse): readonly string[] =>
  response.headers
    .map(([name]) => name)
    .filter(
      (name) => lettersOf(name).includes('ratelimit') && !rateLimitHeaders.includes(name.toLowerCase()),
    );

/** RATE-1: every response, including errors, has the three headers. */
export const headersPresent: Rule = (subject) => {
  const { response } = subject;
  if (!isTested(subject)) return [];
  const missing = names.filter((name) => response.header(name.toLowerCase()).length === 0);
  if (missing.length === 0) return [passed('RATE-1')];
  return [
    breach(subject, 'RATE-1', {
      rule: 'header-missing',
      of: 'rate limit',
      missing,
      wanted: names,
      misnamed: misnamedHeaders(response),
      status: response.status,
    }),
  ];
};

const isWhole = (text: string | null): text is string => text !== null && /^\d+$/.test(text);

/** RATE-2: whole numbers, 0 <= Remaining <= Limit, Limit > 0. Reset is a Unix timestamp in seconds. */
export const headersValid: Rule = (subject) => {
  const { response } = subject;
  if (!isTested(subject)) return [];
  const { limit, remaining, reset } = rateLimitOf(response).sent;
  if (limit.text === null && remaining.text === null && reset.text === null) return [];
  const ofReset = resetProblems(response);
  const problems = [...countProblems(response), ...(ofReset.length > 0 ? ofReset : windowProblems(subject))];
  if (problems.length === 0) return [passed('RATE-2')];
  return problems.map((problem) => breach(subject, 'RATE-2', problem));
};

const countProblem = (
  of: typeof limitName | typeof remainingName,
  { problem, text }: SentHeader<CountProblem>,
  limit: string | null,
): readonly Problem[] => {
  if (problem === null || text === null) return [];
  if (problem === 'zero') return [{ rule: 'limit-zero', limit: text }];
  if (problem === 'above-limit')
    return [{ rule: 'remaining-above-limit', limit: limit ?? '', remaining: text }];
  return [{ rule: 'header-malformed', of, value: text }];
};

/** Returns the problems of Limit and Remaining, including a Remaining above Limit. */
export const countProblems = (response: ParsedResponse): readonly Problem[] => {
  const { limit, remaining } = rateLimitOf(response).sent;
  return [
    ...countProblem(limitName, limit, limit.text),
    ...countProblem(remainingName, remaining, limit.text),
  ];
};

/** Returns the plan of the request's key, or null. */
const planOf = ({ probe: { request }, serverModel }: RuleSubject): Plan | null =>
  request.credential.chargedTo === null ? null : serverModel.plan(request.credential.chargedTo);

/** A window of a minute is never longer, in seconds, with any rounding. */
const beyondMinute = 120;

/**
 * The minute limit of a plan must not reset after more than a minute. Tests successes only: a ban may move the reset of a 429, and a
 * rejected request may be counted elsewhere.
 */
const windowProblems = (subject: RuleSubject): readonly Problem[] => {
  const { response } = subject;
  const plan = planOf(subject);
  const { limit, reset, date } = rateLimitOf(response).sent;
  if (plan === null || date === null || response.status >= 300) return [];
  const isOfMinute = limit.exact !== null && limit.exact === planLimits[plan].perMinute;
  if (!isOfMinute || reset.exact === null || reset.exact - date / 1000 <= beyondMinute) return [];
  const texts = { limit: limit.text ?? '', reset: reset.text ?? '' };
  return [{ rule: 'reset-beyond-window', plan, ...texts, now: date / 1000 }];
};

const resetProblems = (response: ParsedResponse): readonly Problem[] => {
  const { reset, date } = rateLimitOf(response).sent;
  const { problem, text } = reset;
  if (problem === null || text === null) return [];
  if (problem === 'fraction' || problem === 'no-timestamp')
    return [{ rule: 'header-malformed', of: resetName, value: text }];
  if (problem === 'wrong-unit' || date === null) return [{ rule: 'reset-unit', reset: text }];
  return [{ rule: problem === 'past' ? 'reset-past' : 'reset-far', reset: text, now: date / 1000 }];
};

/**
 * Tells whether a response may show another limit than the key's, because the request is rejected or unreadable. A path without a route,
 * for example with a negative petId, may be counted before authentication.
 */
const mayBeOfAnother = ({ response: { status, exchange }, probe }: RuleSubject): boolean => {
  const { inputSpace, request } = probe;
  return (
    status === 401 ||
    (status >= 400 && mayBeUnreadable(probe, exchange.wire)) ||
    (status >= 400 && request.credential.mayCountElsewhere === true) ||
    (status === 404 && (inputSpace !== 'documented' || request.path.startsWith('/pets/-')))
  );
};

/** RATE-3: Limit is a limit of the plan. */
export const limitMatchesPlan: Rule = (subject) => {
  const { response } = subject;
  const plan = planOf(subject);
  const { limit } = rateLimitOf(response).sent;
  if (mayBeOfAnother(subject)) return [];
  if (plan === null || plan === 'enterprise' || !isWhole(limit.text) || !isTested(subject)) return [];
  // The document does not specify which of the two is shown.
  const { perMinute, perDay } = planLimits[plan];
  const allowed = [perMinute, perDay];
  if (allowed.includes(Number(limit.text))) return [passed('RATE-3')];
  return [breach(subject, 'RATE-3', { rule: 'wrong-plan-limit', plan, allowed, limit: limit.text })];
};

/** RATE-7: a 429 has Retry-After. RATE-14: in a form of RFC 9110. RATE-10: it agrees with the other headers. RATE-12: its body. */
export const on429: Rule = (subject) => {
  const { response } = subject;
  if (response.status !== 429) return [];
  return [...retryAfter(subject), ...retryAfterWithinReset(subject), observe429Body(response)];
};

const retryAfter = (subject: RuleSubject): readonly Finding[] => {
  const { response } = subject;
  const wait = retryWait(response);
  const { text } = rateLimitOf(response).sent.retryAfter;
  if (wait !== null) {
    const observed: Finding = observation('RATE-7', 'form of Retry-After', wait.form);
    return [passed('RATE-7'), observed, standardForm(subject, wait.form, text)];
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

const standardForm = (subject: RuleSubject, form: RetryAfterForm, text: string): Finding =>
  isStandardForm(form)
    ? passed('RATE-14')
    : breach(subject, 'RATE-14', { rule: 'header-form', form, value: text });

/** Tells whether the headers may show one limit of the plan while the 429 belongs to the other. */
const mayBeForOtherLimit = ({ response, probe, serverModel }: RuleSubject): boolean => {
  const slot = probe.request.credential.chargedTo;
  const remains = !/^0*$/.test(rateLimitOf(response).sent.remaining.text ?? '');
  return (
    (remains && isDailyLimit(response)) || (slot !== null && serverModel.mayBeOtherLimit(slot, response))
  );
};

const retryAfterWithinReset = (subject: RuleSubject): readonly Finding[] => {
  const { response, probe } = subject;
  if (probe.duringBackoff === true) return [];
  const problems = [...remainingProblems(response), ...retryAfterProblems(response)];
  if (problems.length === 0) return [passed('RATE-10')];
  if (mayBeForOtherLimit(subject)) return [explainedByOtherLimit('RATE-10')];
  return problems.map((problem) => breach(subject, 'RATE-10', problem));
};

const remainingProblems = (response: ParsedResponse): readonly Problem[] => {
  const { text } = rateLimitOf(response).sent.remaining;
  if (!isWhole(text) || BigInt(text) === 0n) return [];
  return [{ rule: 'remaining-on-429', remaining: text }];
};

const retryAfterProblems = (response: ParsedResponse): readonly Problem[] => {
  const read = rateLimitOf(response);
  const { reset, retryAfter } = read.sent;
  const retryAt = retryTime(read);
  if (retryAt === null || !isWhole(reset.text) || retryAt / 1000 <= Number(reset.text) + 60) return [];
  return [
    {
      rule: 'retry-after-beyond-reset',
      retryAfter: retryAfter.text,
      reset: reset.text,
      date: response.header('date').join(', '),
    },
  ];
};

const shapeOf: Readonly<Record<ParsedBody['kind'], string>> = {
  json: 'JSON',
  cut: 'longer than --max-body',
  empty: 'empty',
  unreadable: 'not JSON',
};

const observe429Body = (response: ParsedResponse): Finding =>
  observation('RATE-12', 'body of the 429', shapeOf[response.body.kind]);
