import { httpDate } from '../../client/http-date.ts';
import type { Finding } from '../finding.ts';
import { breach, met, type Rule, responseTo, type Subject } from '../rule.ts';

/** A date as a structured field, and parameters that nobody needs to know (RFC 9651, 3.1.2). */
const structuredDate = /^@(-?\d+)(?:; *[a-z*][a-z\d_.*-]*(?:=(?:"(?:[^"\\]|\\["\\])*"|[^\s";,]+))?)*$/;

type Warn = (rule: string, message: string, expected: string, actual: string) => void;

/** GET-6: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), where sent, are well formed and agree with the document. */
export const deprecation: Rule = (subject) => {
  const { reading, operation } = subject;
  if (operation === null || reading.status >= 500) return [];
  const deprecated = reading.header('deprecation').join(', ');
  const sunset = reading.header('sunset').join(', ');
  const isServed = reading.status === 200 && operation.deprecated;
  if (deprecated === '' && sunset === '')
    return isServed ? [observed('Deprecation and Sunset', 'absent')] : [];
  const findings: Finding[] = [];
  const warn: Warn = (rule, message, expected, actual) =>
    findings.push(breach(subject, { requirement: 'GET-6', rule, message, expected, actual }));
  if (operation.deprecated) judgeHeaders(subject, deprecated, sunset, warn);
  else judgeUncalledFor(subject, deprecated, sunset, warn);
  return findings.length > 0 ? findings : [met('GET-6')];
};

const judgeHeaders = (subject: Subject, deprecated: string, sunset: string, warn: Warn): void => {
  const since = structuredDate.exec(deprecated)?.[1];
  const until = httpDate(sunset);
  if (deprecated !== '' && since === undefined) {
    warn(
      'deprecation-malformed',
      'Deprecation is malformed',
      'Deprecation: @<Unix time>',
      `Deprecation: ${deprecated}`,
    );
  }
  if (sunset !== '') judgeSunset(subject, sunset, until, warn);
  if (since !== undefined && until !== null && Number(since) * 1000 > until) {
    warn(
      'sunset-before-deprecation',
      'Sunset is before Deprecation',
      'Sunset not before Deprecation',
      `${deprecated}, ${sunset}`,
    );
  }
};

/** Of an operation that the document does not deprecate the headers say otherwise, whatever their form. */
const judgeUncalledFor = (subject: Subject, deprecated: string, sunset: string, warn: Warn): void => {
  const shown = [
    ...(deprecated === '' ? [] : [`Deprecation: ${deprecated}`]),
    ...(sunset === '' ? [] : [`Sunset: ${sunset}`]),
  ].join(', ');
  warn(
    'not-deprecated',
    `${responseTo(subject)}: ${shown}, although the document does not deprecate the operation`,
    'no Deprecation, no Sunset',
    shown,
  );
};

const observed = (subject: string, value: string): Finding => ({
  kind: 'observed',
  requirement: 'GET-6',
  subject,
  value,
});

/** The document names a day, without a time or zone: anywhere on earth it is that day, or the hour it ends. */
const judgeSunset = ({ operation }: Subject, text: string, until: number | null, warn: Warn): void => {
  const actual = `Sunset: ${text}`;
  if (until === null) {
    warn('sunset-malformed', 'Sunset is not an HTTP-date', 'Sunset: an HTTP-date', actual);
    return;
  }
  const weekday = new Date(until).toUTCString().slice(0, 3);
  if (!text.startsWith(weekday)) {
    warn('sunset-weekday', 'The weekday of Sunset does not match its date', `Sunset: ${weekday}…`, actual);
    return;
  }
  const day = Date.parse(`${operation?.sunset ?? ''}T00:00:00Z`);
  if (Number.isNaN(day)) return;
  const hour = 3_600_000;
  if (until < day - 14 * hour || until > day + 36 * hour) {
    warn(
      'sunset-date',
      'Sunset is not the day in the document',
      `Sunset: ${new Date(day).toUTCString()}`,
      actual,
    );
  }
};
