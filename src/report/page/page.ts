import { gzipSync } from 'node:zlib';
import type { Outcome } from '../../run/outcome.ts';
import { type OfflinePage, scriptSource } from '../allure/offline.ts';
import { headline } from '../verdicts.ts';
import { exchangeSample, observationTable, receipt, undecided } from './findings.ts';
import { type Html, html } from './html.ts';
import { opening } from './opening.ts';
import { type Proofs, requirementTables } from './requirements.ts';
import { script } from './script.ts';
import { shapeDefinitions } from './shapes.ts';
import { style } from './style.ts';
import { coverageSection, trafficSection } from './traffic.ts';

export interface PageParts {
  readonly proofs: Proofs;
  /** Allure's own page; null: the report does without. */
  readonly allure: OfflinePage | null;
}

/**
 * Nothing loads from anywhere, and only the scripts named by their hashes run: also inside the Allure view, which inherits this
 * policy, and which needs styles and images of its own.
 */
const policy = (scripts: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'connect-src data: blob:',
    'frame-src blob: data:',
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
  allure: 'Allure view',
};

const navigation = (ids: readonly string[]): Html =>
  html`<nav aria-label="Sections">${ids.map((id) => html`<a href="#${id}">${titles[id] ?? id}</a> `)}</nav>`;

/** Base64 holds no character that ends a script element. */
const allureView = (allure: OfflinePage): Html => {
  const packed = { markup: gzipSync(allure.html, { level: 9 }).toString('base64') };
  return html`<section id="allure"><h2>Allure view</h2>
<p class="lead">The same results in Allure: a tree with history and categories. It is part of this file and is unpacked when it is opened.</p>
<button type="button" class="open js-only" hidden>Open the Allure view</button>
<noscript><p>Opening it needs JavaScript. The results are in allure-results, for Allure’s own tools.</p></noscript>
<dialog aria-label="Allure view"><form method="dialog"><b>Allure view</b><button>Back to the report</button></form><iframe title="Allure report"></iframe></dialog>
<script type="text/plain" id="allure-data">${packed}</script></section>`;
};

/** The report as one page that opens from disk and needs no network, no server, and to be read no script either. */
export const page = (outcome: Outcome, { proofs, allure }: PageParts): string => {
  const sections = Object.entries({
    requirements: requirementTables(outcome.requirements, proofs),
    undecided: undecided(outcome.requirements),
    observations: observationTable(outcome.observations),
    traffic: trafficSection(outcome.traffic),
    coverage: coverageSection(outcome.coverage),
    created: receipt(outcome),
    exchanges: exchangeSample(outcome.exchanges),
    allure: allure === null ? null : allureView(allure),
  }).filter((entry): entry is [string, Html] => entry[1] !== null);
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy([scriptSource(script), ...(allure?.scriptSources ?? [])])}">
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
