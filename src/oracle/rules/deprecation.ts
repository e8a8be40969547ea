import { observation } from '../../finding/finding.ts';
import type { Problem } from '../../finding/problem.ts';
import { httpDate } from '../../http/http-date.ts';
import type { Operation } from '../../openapi/document.ts';
import { breach, passed, type Rule } from '../rule.ts';

/** A date as a structured field, with any parameters (RFC 9651 3.1.2). */
const structuredDate = /^@(-?\d+)(?:; *[a-z*][a-z\d_.*-]*(?:=(?:"(?:[^"\\]|\\["\\])*"|[^\s";,]+))?)*$/;

/** GET-6: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) are well formed and agree with the document, if they are sent. */
export const deprecationHeaders: Rule = (subject) => {
  const { response, operation } = subject;
  if (operation === null || response.status >= 500) return [];
  const deprecation = response.header('deprecation').join(', ');
  const sunset = response.header('sunset').join(', ');
  const isServed = response.status === 200 && operation.deprecated;
  if (deprecation === '' && sunset === '')
    return isServed ? [observation('GET-6', 'Deprecation and Sunset', 'absent')] : [];
  const problems: readonly Problem[] = operation.deprecated
    ? problemsOf(operation, deprecation, sunset)
    : // In any form, the headers contradict the document.
      [{ rule: 'not-deprecated', deprecation, sunset }];
  return problems.length > 0
    ? problems.map((problem) => breach(subject, 'GET-6', problem))
    : [passed('GET-6')];
};

const problemsOf = (operation: Operation, deprecation: string, sunset: string): readonly Problem[] => {
  const since = structuredDate.exec(deprecation)?.[1];
  const until = httpDate(sunset);
  const problems: Problem[] = [];
  if (deprecation !== '' && since === undefined)
    problems.push({ rule: 'deprecation-malformed', deprecation });
  const ofSunset = sunset === '' ? null : sunsetProblem(operation, sunset, until);
  if (ofSunset !== null) problems.push(ofSunset);
  if (since !== undefined && until !== null && Number(since) * 1000 > until)
    problems.push({ rule: 'sunset-before-deprecation', deprecation, sunset });
  return problems;
};

/** The document has a day without a time or zone. The header must be on that day somewhere on earth, or at its end. */
const sunsetProblem = (operation: Operation, sunset: string, until: number | null): Problem | null => {
  if (until === null) return { rule: 'sunset-malformed', sunset };
  const weekday = new Date(until).toUTCString().slice(0, 3);
  if (!sunset.startsWith(weekday)) return { rule: 'sunset-weekday', sunset, weekday };
  const day = Date.parse(`${operation.sunset ?? ''}T00:00:00Z`);
  if (Number.isNaN(day)) return null;
  const hour = 3_600_000;
  const isOff = until < day - 14 * hour || until > day + 36 * hour;
  return isOff ? { rule: 'sunset-date', sunset, day } : null;
};
