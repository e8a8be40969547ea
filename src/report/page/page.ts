import { createHash } from 'node:crypto';
import type { Outcome } from '../../run/outcome.ts';
import { headline } from '../verdicts.ts';
import { exchangeSample, observationTable, receipt, undecided } from './findings.ts';
import { type Html, html } from './html.ts';
import { opening } from './opening.ts';
import { requirementTables } from './requirements.ts';
import { script } from './script.ts';
import { shapeDefinitions } from './shapes.ts';
import { style } from './style.ts';
import { coverageSection, trafficSection } from './traffic.ts';

/** As a policy names an inline script. */
const scriptSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing loads from anywhere, and only the script of this page runs. */
const policy = [
  "default-src 'none'",
  `script-src ${scriptSource(script)}`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const titles: Readonly<Record<string, string>> = {
  requirements: 'Requirements',
  undecided: 'Not decided',
  observations: 'Where the document is silent',
  traffic: 'Traffic',
  coverage: 'Coverage',
  created: 'Left behind',
  exchanges: 'Sample exchanges',
};

const navigation = (ids: readonly string[]): Html =>
  html`<nav aria-label="Sections">${ids.map((id) => html`<a href="#${id}">${titles[id] ?? id}</a> `)}</nav>`;

/** The report as one page that opens from disk and needs no network, no server, and to be read no script either. */
export const page = (outcome: Outcome): string => {
  const sections = Object.entries({
    requirements: requirementTables(outcome.requirements),
    undecided: undecided(outcome.requirements),
    observations: observationTable(outcome.observations),
    traffic: trafficSection(outcome.traffic),
    coverage: coverageSection(outcome.coverage),
    created: receipt(outcome),
    exchanges: exchangeSample(outcome.exchanges),
  }).filter((entry): entry is [string, Html] => entry[1] !== null);
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${headline(outcome)} – ${outcome.target.baseUrl}</title>
<link rel="icon" href="data:,"><style>${{ markup: style }}</style></head>
<body>${shapeDefinitions()}<a class="skip" href="#requirements">Skip to the requirements</a>
<main>${opening(outcome)}
${navigation(sections.map(([id]) => id))}
${sections.map(([, section]) => section)}</main>
<footer>Written by ${outcome.tool.name} ${outcome.tool.version}. The same outcome for programs: conformance.json; every exchange of a failed check: traffic.har.</footer>
<script>${{ markup: script }}</script></body></html>
`;
  return markup;
};
