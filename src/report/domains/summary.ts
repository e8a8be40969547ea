import { countsText, headline } from '../headline.ts';
import { domainWords as words } from '../text/domains/page.ts';
import { escapeMarkdown, markdownCode, shorten } from '../text/escape.ts';
import { shownVerdicts } from '../text/shown-verdicts.ts';
import { duration, moment } from '../text/units.ts';
import type { DomainsOutcome } from './outcome.ts';
import { recordText } from './remedy-lines.ts';

const cell = (text: string): string => escapeMarkdown(shorten(text, 200));

/** What a reviewer needs to know, in GitHub's Markdown. */
export const domainsSummary = (outcome: DomainsOutcome): string => {
  const mark = { conformant: '✅', nonconformant: '❌', 'not-judged': '⚠️' }[outcome.verdict];
  const failures = outcome.requirements.flatMap(({ id, failures: found }) =>
    found.map(({ message, remedy }) => {
      const records = remedy.records.map((record) => `${record.action} ${markdownCode(recordText(record))}`);
      return [`- **${id}** ${cell(message)}`, cell(remedy.text), ...records].join('<br>');
    }),
  );
  const open = outcome.domains.flatMap(({ name, open: results }) =>
    results.map(
      ({ id, reason }) => `- ${shownVerdicts.inconclusive.sign} **${id}** ${cell(`${name}: ${reason}`)}`,
    ),
  );
  const facts = [outcome.target.platformHost, moment(outcome.startedAt), duration(outcome.durationMs)];
  return `${[
    `## ${mark} ${headline(outcome)}`,
    '',
    facts.map(cell).join(' · '),
    '',
    words.counts(countsText(outcome.requirements), outcome.durationMs),
    ...(outcome.ended === null ? [] : ['', cell(outcome.ended)]),
    '',
    ...failures,
    ...open,
  ].join('\n')}\n`;
};
