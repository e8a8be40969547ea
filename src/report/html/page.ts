import { createHash } from 'node:crypto';
import type { Outcome } from '../../run/outcome.ts';
import type { Report } from '../conformance.ts';
import { requirementWords, sectionWords as words } from '../text/page.ts';
import { totalsWords } from '../text/summary.ts';
import { selected } from '../verdicts.ts';
import { causesOf } from './causes.ts';
import { opening } from './header.ts';
import { type Html, html } from './html.ts';
import { shapeDefinitions } from './icons.ts';
import { createdSection, exchangeSample, observationTable, untested } from './other-sections.ts';
import { requirementTables } from './requirements.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { timelineSection } from './timeline.ts';
import { coverageSection, trafficSection } from './traffic.ts';
import { verdictText } from './verdict.ts';

/** An inline script as a source of the policy. */
const scriptSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing is loaded, and only the script of this page runs. */
const policy = [
  "default-src 'none'",
  `script-src ${scriptSource(script)}`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

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
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${verdictText(outcome).title} – ${outcome.target.baseUrl}</title>
<link rel="icon" href="data:,"><style>${{ markup: style }}</style></head>
<body>${shapeDefinitions()}<a class="skip" href="#requirements">${requirementWords.skip}</a>
<main>${opening(outcome, causes, previous, unselected)}
${requirementTables(outcome, causes, unselected)}
${sectionsOf(outcome)}</main>
<footer>${words.footer(`${outcome.tool.name} ${outcome.tool.version}`)}</footer>
<script>${{ markup: script }}</script></body></html>
`;
  return markup;
};
