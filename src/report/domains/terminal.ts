import type { WrittenReport } from '../files.ts';
import { countsText, headline } from '../headline.ts';
import { type Paint, painter } from '../paint.ts';
import { domainWords as words } from '../text/domains/page.ts';
import { shownVerdicts } from '../text/shown-verdicts.ts';
import { type DomainEntry, type DomainsOutcome, failuresOf } from './outcome.ts';
import { line, remedyLines } from './remedy-lines.ts';

const indented = (lines: readonly string[]): readonly string[] => lines.map((each) => `      ${each}`);

/** What fails for a domain, or has no clear result, each with its remedy. */
const details = (name: string | null, open: DomainEntry['open'], outcome: DomainsOutcome, paint: Paint) => [
  ...failuresOf(name, outcome).flatMap(({ id, message, remedy }) => [
    `    ${paint('red', `${shownVerdicts.failed.sign} ${id}`)} ${line(message)}`,
    ...indented(remedyLines(remedy)),
  ]),
  ...open.flatMap(({ id, reason, remedy }) => [
    `    ${paint('yellow', `${shownVerdicts.inconclusive.sign} ${id}`)} ${line(reason)}`,
    ...(remedy === null ? [] : indented(remedyLines(remedy))),
  ]),
];

/** One line for a domain that is right; what to do for one that is not. */
const domainLines = (entry: DomainEntry, outcome: DomainsOutcome, paint: Paint): readonly string[] => {
  const more = details(entry.name, entry.open, outcome, paint);
  if (more.length === 0)
    return [`  ${paint('green', shownVerdicts.passed.sign)} ${line(words.right(entry, outcome.primary))}`];
  const isFailed = Object.values(entry.verdicts).includes('failed');
  const [tone, sign] = isFailed
    ? (['red', shownVerdicts.failed.sign] as const)
    : (['yellow', shownVerdicts.inconclusive.sign] as const);
  return [`  ${paint(tone, sign)} ${paint('bold', line(words.title(entry)))}`, ...more];
};

/** The project, and removed domains. */
const otherLines = (outcome: DomainsOutcome, paint: Paint): readonly string[] => {
  const names = [null, ...outcome.target.removed];
  const removed = outcome.requirements.find(({ id }) => id === 'DOMAIN-8');
  return names.flatMap((name) => {
    const more = details(name, [], outcome, paint);
    if (more.length > 0)
      return [
        `  ${paint('red', shownVerdicts.failed.sign)} ${paint('bold', line(name ?? words.project))}`,
        ...more,
      ];
    return name !== null && removed?.verdict === 'passed'
      ? [`  ${paint('green', shownVerdicts.passed.sign)} ${line(words.removed(name))}`]
      : [];
  });
};

const withoutResult = ({ requirements }: DomainsOutcome): readonly string[] =>
  requirements
    .filter(({ verdict, id }) => verdict === 'skipped' || (verdict === 'inconclusive' && id === 'DOMAIN-8'))
    .map(({ id, verdict, reason }) => `  ${id} ${shownVerdicts[verdict].word}: ${line(reason ?? '')}`);

/** The result for a terminal: the verdict, each domain, then totals and the reports. */
export const domainsText = (
  outcome: DomainsOutcome,
  {
    color,
    reports,
  }: { readonly color: boolean; readonly reports: readonly Pick<WrittenReport, 'path' | 'for'>[] },
): string => {
  const paint = painter(color);
  const tone = { conformant: 'green', nonconformant: 'red', 'not-judged': 'yellow' } as const;
  return [
    '',
    `${paint([tone[outcome.verdict], 'bold'], headline(outcome))} - ${line(outcome.target.platformHost)}`,
    ...(outcome.ended === null ? [] : [line(outcome.ended)]),
    '',
    ...outcome.domains.flatMap((entry) => domainLines(entry, outcome, paint)),
    ...otherLines(outcome, paint),
    ...withoutResult(outcome),
    '',
    ...outcome.observations.map(({ id, subject, value }) => line(`${id} ${subject}: ${value}`)),
    words.counts(countsText(outcome.requirements), outcome.durationMs),
    ...reports.slice(0, 1).map(({ path }) => words.report(path)),
    '',
  ].join('\n');
};
