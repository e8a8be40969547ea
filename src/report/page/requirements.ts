import type { RequirementResult } from '../../run/outcome.ts';
import { count, counted } from '../units.ts';
import { countStandings, type Group, groups, passesAgain, standingOf, standings } from '../verdicts.ts';
import { failureDetails } from './failure.ts';
import { type Html, html } from './html.ts';
import { badge, rule, shape } from './shapes.ts';

/** A fault that the self-test put into a server, and that made the requirement fail. */
export interface Proof {
  readonly name: string;
  readonly description: string;
}

/** The faults that prove each requirement can fail, by its id. */
export type Proofs = Readonly<Record<string, readonly Proof[]>>;

/** All the bodies of failures together, in characters: what a page can hold and still open at once. */
const ROOM_FOR_BODIES = 1_500_000;
const LONGEST_BODY = 20_000;
const SHORTEST_BODY = 300;

const bodyLength = (results: readonly RequirementResult[]): number => {
  const bodies = 2 * results.reduce((sum, { failures }) => sum + failures.length, 0);
  return Math.max(SHORTEST_BODY, Math.min(LONGEST_BODY, Math.floor(ROOM_FOR_BODIES / Math.max(1, bodies))));
};

const proofList = (proofs: readonly Proof[]): Html | null =>
  proofs.length === 0
    ? null
    : html`<details class="proofs"><summary>How the suite was tested: on ${counted(proofs.length, 'faulty server')} of its own</summary>
    <p class="quiet">None of them is this server. Each was given one mistake, for which this requirement failed as it should:</p>
    <ul>${proofs.map(({ name, description }) => html`<li><code>${name}</code> ${description}</li>`)}</ul></details>`;

const remark = (result: RequirementResult): Html | null => {
  if (passesAgain(result))
    return html`<p class="reason">Passes again, though known to fail: ${result.known}</p>`;
  if (result.known !== null) return html`<p class="reason">Known: ${result.known}</p>`;
  return result.reason === null ? null : html`<p class="reason">${result.reason}</p>`;
};

const row = (result: RequirementResult, proofs: readonly Proof[], longest: number): Html => {
  const standing = standingOf(result);
  return html`<tbody id="${result.id}" class="requirement" data-standing="${standing}">
  <tr><td>${badge(standing)}</td>
  <th scope="row"><span class="id">${result.id}</span> <span class="level">${result.level}</span>
    <span class="statement">${rule(result)}</span>
    <span class="section">${result.section}</span>${remark(result)}</th>
  <td class="number">${count(result.checks)}</td></tr>
  ${
    (result.failures.length > 0 || proofs.length > 0) &&
    html`<tr class="more"><td colspan="3">${result.failures.map((failure) =>
      failureDetails(result, failure, longest),
    )}${proofList(proofs)}</td></tr>`
  }
</tbody>`;
};

const groupTable = (group: Group, proofs: Proofs, longest: number): Html => html`<section class="group">
<h3 id="group-${group.id}">${group.title} <small>${group.id}</small></h3>
<table aria-labelledby="group-${group.id}"><thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col" class="number">Judgements</th></tr></thead>
${group.results.map((result) => row(result, proofs[result.id] ?? [], longest))}</table></section>`;

const controls = (
  results: readonly RequirementResult[],
): Html => html`<form class="controls js-only" role="search" aria-label="Requirements" hidden>
<div class="filters" role="group" aria-label="Show verdicts">${[...countStandings(results)].map(
  ([standing, number]) =>
    html`<button type="button" data-filter="${standing}" aria-pressed="false">${shape(standing)} ${standings[standing].word} <b>${count(number)}</b></button>`,
)}</div>
<label><span>Search</span> <input type="search" autocomplete="off" spellcheck="false" placeholder="int64, CREATE-9, limit …"></label>
<output aria-live="polite"></output></form>`;

/** Every requirement by group: verdict, statement, section, reasons, failures, and the faults that prove it can fail. */
export const requirementTables = (results: readonly RequirementResult[], proofs: Proofs): Html => {
  const longest = bodyLength(results);
  return html`<section id="requirements"><h2>Requirements</h2>
<p class="lead">Each rule of the interface document, and what was found. “Judgements” counts how often it was judged.</p>
${controls(results)}
${groups(results).map((group) => groupTable(group, proofs, longest))}</section>`;
};
