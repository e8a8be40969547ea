import type { RequirementResult } from '../../run/outcome.ts';
import { type ShownVerdict, shownVerdicts } from '../text/shown-verdicts.ts';
import { type Html, html, prose } from './html.ts';

/** One shape for each verdict, so that color is never the only difference. Each is drawn in a square of 16 units. */
const shapes: Readonly<Record<ShownVerdict, Html>> = {
  passed: html`<circle cx="8" cy="8" r="7.5"/><path d="M4.5 8.3l2.4 2.4 4.6-5"/>`,
  failed: html`<path class="fill" d="M5 .5h6L15.5 5v6L11 15.500H5L.5 11V5z"/><path d="M5.5 5.500l5 5m0-5l-5 5"/>`,
  known: html`<path class="hollow" d="M5 1h6l4 4v6l-4 4H5l-4-4V5z"/><path class="line" d="M5.5 5.500l5 5m0-5l-5 5"/>`,
  error: html`<path class="fill" d="M8 .3L15.7 8 8 15.7.3 8z"/><path d="M8 4.200v4.600m0 2v.6"/>`,
  warned: html`<path class="fill" d="M8 1l7.5 13.500H.5z"/><path d="M8 6v4m0 1.900v.6"/>`,
  inconclusive: html`<circle class="hollow" cx="8" cy="8" r="7"/><path class="line" d="M6 6.200a2 2 0 1 1 2.7 1.900Q8 8.4 8 9.300m0 2v.6"/>`,
  skipped: html`<circle class="hollow dashed" cx="8" cy="8" r="7"/><path class="line" d="M5 8h6"/>`,
  observed: html`<rect class="hollow" x="1" y="1" width="14" height="14" rx="3"/><circle class="fill" cx="8" cy="8" r="2.6"/>`,
};

/** The shapes, once for each page; `shape` refers to them. */
export const shapeDefinitions = (): Html =>
  html`<svg width="0" height="0" aria-hidden="true" class="defs">${Object.entries(shapes).map(
    ([name, shape]) => html`<symbol id="shape-${name}" viewBox="0 0 16 16">${shape}</symbol>`,
  )}</svg>`;

export const shape = (verdict: ShownVerdict): Html =>
  html`<svg class="shape ${verdict}" aria-hidden="true"><use href="#shape-${verdict}"/></svg>`;

/** The shape and word of a verdict. */
export const badge = (verdict: ShownVerdict): Html =>
  html`<span class="badge ${verdict}">${shape(verdict)}<span>${shownVerdicts[verdict].word}</span></span>`;

/** The statement of a requirement after its level. */
export const rule = ({ level, statement }: RequirementResult): Html =>
  html`<span class="level">${level}</span> ${prose(statement)}`;
