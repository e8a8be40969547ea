import type { Outcome } from '../../run/outcome.ts';
import type { Report } from '../conformance.ts';
import { requirementWords, sectionWords as words } from '../text/page.ts';
import { totalsWords } from '../text/summary.ts';
import { selected } from '../verdicts.ts';
import { causesOf } from './causes.ts';
import { clientSection } from './client-lines.ts';
import { htmlDocument } from './document.ts';
import { opening } from './header.ts';
import { type Html, html } from './html.ts';
import { createdSection, exchangeSample, observationTable, untested } from './other-sections.ts';
import { requirementTables } from './requirements.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { timelineSection } from './timeline.ts';
import { coverageSection, trafficSection } from './traffic.ts';
import { verdictText } from './verdict.ts';

/** Sections below the requirements, folded: most readers need none of them. */
const sectionsOf = (outcome: Outcome): readonly Html[] =>
  (
    [
      ['untested', words.untested, untested(outcome.requirements)],
      ['observations', words.observations, observationTable(outcome.observations)],
      ['rate-limits', words.rateLimits, timelineSection(outcome.timeline, outcome.durationMs)],
      ['traffic', totalsWords.traffic, trafficSection(outcome.traffic, outcome.coverage)],
      ['coverage', words.coverage, coverageSection(outcome.coverage)],
      [
        'created',
        outcome.interface.title === undefined ? words.created.animals : words.created.resources,
        createdSection(outcome),
      ],
      ['exchanges', words.exchanges, exchangeSample(outcome.exchanges)],
    ] as const
  ).flatMap(([id, title, content]) =>
    content === null
      ? []
      : [html`<details class="fold" id="${id}"><summary><h2>${title}</h2></summary>${content}</details>`],
  );

/**
 * The report as one page. It opens from disk, needs no network or server, and no script to be read.
 *
 * @param previous the report that was in the folder before; null: none
 */
export const page = (everything: Outcome, previous: Report | null = null): string => {
  // Requirements that were not selected are not shown.
  const outcome = { ...everything, requirements: selected(everything.requirements) };
  const unselected = everything.requirements.filter(({ reasonCode }) => reasonCode === 'not-selected').length;
  const causes = causesOf(outcome);
  return htmlDocument({
    title: `${verdictText(outcome).title} – ${outcome.target.baseUrl}`,
    style,
    skip: { to: '#requirements', text: requirementWords.skip },
    main: html`${opening(outcome, causes, previous, unselected)}${clientSection(outcome.clients)}
${requirementTables(outcome, causes, unselected)}
${sectionsOf(outcome)}`,
    footer: words.footer(outcome.tool),
    script,
  });
};
