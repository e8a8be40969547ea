import type { RequirementResult } from '../../run/outcome.ts';
import { shownVerdicts } from '../text/shown-verdicts.ts';
import { countVerdicts, type Group, groups, shownVerdictOf } from '../verdicts.ts';
import { type Html, html } from './html.ts';
import { shape } from './icons.ts';

const cell = (result: RequirementResult): Html => {
  const standing = shownVerdictOf(result);
  const name = `${result.id} ${shownVerdicts[standing].word}`;
  return html`<a class="cell ${standing}" href="#${result.id}" title="${name}: ${result.statement}">${shape(standing)}<span aria-hidden="true">${result.id.slice(result.id.lastIndexOf('-') + 1)}</span><span class="sr">${name}</span></a>`;
};

const rowOf = ({ id, title, results }: Group): Html =>
  html`<div class="row" role="group" aria-label="${title}"><span class="name" title="${title}">${id}</span><span class="cells">${results.map(cell)}</span></div>`;

/** How many requirements have each verdict; explains the shapes as well. */
const counts = (results: readonly RequirementResult[]): Html =>
  html`<ul class="counts">${[...countVerdicts(results)].map(
    ([standing, number]) =>
      html`<li title="${shownVerdicts[standing].meaning}">${shape(standing)} <b>${number}</b> ${shownVerdicts[standing].word}</li>`,
  )}</ul>`;

/** Every requirement as a cell with the color and shape of its verdict, by group; each leads to its row. */
export const requirementMap = (results: readonly RequirementResult[]): Html =>
  html`<section class="map" aria-labelledby="map"><h2 id="map">Requirement map</h2>
<div role="toolbar" aria-labelledby="map">${groups(results).map(rowOf)}</div>
${counts(results)}</section>`;
